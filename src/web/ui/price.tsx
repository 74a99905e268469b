import { type ReactNode, useEffect, useRef } from "react";
import { nbsp, roubles } from "#kit/format.ts";
import type { Kopecks } from "#kit/money.ts";

/** An amount with its sign: figures of one width, a no-break space before ₽. */
export function Price({ amount }: { amount: Kopecks }) {
  return (
    <>
      <span className="digits">{roubles(amount)}</span>
      {nbsp}₽
    </>
  );
}

/**
 * Tints its place for a moment when the number has moved; the size of the line stays.
 * The first number is not a move, so nothing flashes on arrival.
 */
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
  const last = useRef(value);
  useEffect(() => {
    const before = last.current;
    last.current = value;
    const node = place.current;
    if (!node || before === null || value === null || before === value) return;
    node.classList.remove("is-tint-up", "is-tint-down");
    void node.offsetWidth; // restarts the animation when the price moves twice in a row
    node.classList.add(value > before ? "is-tint-up" : "is-tint-down");
  }, [value]);
  return (
    <Tag
      ref={(node: HTMLElement | null) => {
        place.current = node;
      }}
      className={className}
      data-live=""
    >
      {children}
    </Tag>
  );
}
