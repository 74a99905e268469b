import { type ReactNode, useCallback, useEffect, useRef } from "react";
import { nbsp, roubles } from "#kit/format.ts";
import type { Kopecks } from "#kit/money.ts";

/** An amount with ₽: digits of equal width, a no-break space before the sign. */
export function Price({ amount }: { amount: Kopecks }) {
  return (
    <>
      <span className="digits">{roubles(amount)}</span>
      {nbsp}₽
    </>
  );
}

/** Highlights its content for a moment when the number changes, without moving it. The first value is not highlighted. */
export function Live({
  value,
  as: Tag = "span",
  className = "",
  children,
}: {
  value: number | null;
  as?: "span" | "p" | "b";
  className?: string;
  children: ReactNode;
}) {
  const place = useRef<HTMLElement | null>(null);
  // Stable: a new function would be detached and attached again at each render of a list.
  const setPlace = useCallback((node: HTMLElement | null) => {
    place.current = node;
  }, []);
  const last = useRef(value);
  useEffect(() => {
    const before = last.current;
    last.current = value;
    const node = place.current;
    if (!node || before === null || value === null || before === value) return;
    if (node.matches(".is-tint-up, .is-tint-down")) {
      node.classList.remove("is-tint-up", "is-tint-down");
      // Restarts the animation when the price changes twice in a row. Only then, because it computes the layout of the page at once.
      void node.offsetWidth;
    }
    node.classList.add(value > before ? "is-tint-up" : "is-tint-down");
  }, [value]);
  return (
    <Tag ref={setPlace} className={className} data-live="">
      {children}
    </Tag>
  );
}
