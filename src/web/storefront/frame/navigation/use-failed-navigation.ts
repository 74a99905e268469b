import { useEffect, useEffectEvent, useState } from "react";
import { createPath, useNavigation } from "react-router";
import { mayReload } from "../../../lost-chunk.ts";
import { reportFault } from "../../../report-fault.ts";
import { say } from "../../../ui/toasts.tsx";

/**
 * The code of the page one goes to cannot be had: most likely a release took it away. The page is loaded whole, once in ten seconds;
 * if that was tried just now one stays where one is and is told. Gives the key of the way that leads nowhere (the router waits on it for ever).
 */
export function useFailedNavigation(): string | null {
  const { location: next } = useNavigation();
  const [lost, setLost] = useState<string | null>(null);
  const heed = useEffectEvent((event: Event) => {
    if (next && next.key === lost) return; // the router asks for the code more than once
    setLost(next?.key ?? null);
    if (mayReload()) return window.location.assign(next ? createPath(next) : window.location.href);
    if (event instanceof CustomEvent) reportFault(event.detail);
    say("Страница не загрузилась. Проверьте связь и попробуйте ещё раз", "refusal");
  });
  useEffect(() => {
    // A chunk may be missed before the router has said where one goes: heard at once, the page one is on would be loaded instead.
    const listen = (event: Event) => {
      setTimeout(() => heed(event), 100);
    };
    addEventListener("lostpage", listen);
    return () => removeEventListener("lostpage", listen);
  }, []);
  return lost;
}
