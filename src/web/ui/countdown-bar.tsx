import { useEffect, useRef } from "react";

/** The measuring line of a countdown: gold is the part that is left (0…1). Its length is set by script, since the page's policy allows no style attributes. */
export function CountdownBar({ left }: { left: number }) {
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    bar.current?.style.setProperty("width", `${Math.min(1, Math.max(0, left)) * 100}%`);
  }, [left]);
  return (
    <div className="lock__line" aria-hidden="true">
      <i ref={bar} />
    </div>
  );
}
