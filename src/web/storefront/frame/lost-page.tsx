import { useEffect, useEffectEvent } from "react";
import { createPath, useLocation, useNavigate, useNavigation } from "react-router";
import { mayReload } from "../../lost-chunk.ts";
import { reportFault } from "../../report-fault.ts";
import { say } from "../toasts.tsx";

/**
 * The code of the page one goes to cannot be had: most likely a release took it away. The page is loaded whole, once in ten seconds;
 * if that was tried just now one stays where one is and is told.
 */
export function LostPage() {
  const { location: next } = useNavigation();
  const here = useLocation();
  const navigate = useNavigate();
  const heed = useEffectEvent((event: Event) => {
    if (mayReload()) return window.location.assign(next ? createPath(next) : window.location.href);
    if (event instanceof CustomEvent) reportFault(event.detail);
    say("Страница не загрузилась. Проверьте связь и попробуйте ещё раз", "refusal");
    void navigate(here, { replace: true, preventScrollReset: true }); // lets go of the way that leads nowhere
  });
  useEffect(() => {
    const listen = (event: Event) => heed(event);
    addEventListener("lostpage", listen);
    return () => removeEventListener("lostpage", listen);
  }, []);
  return null;
}
