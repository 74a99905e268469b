import { useEffect, useRef } from "react";
import "./countdown-bar.css";

/**
 * A bar whose gold part is what is left of the time (0…1). A script sets its length, because the content security policy allows no style
 * attributes.
 */
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
