import sprite from "../images/icons.svg";

export type IconName =
  | "search"
  | "down"
  | "wait"
  | "bag"
  | "box"
  | "back"
  | "phone"
  | "user"
  | "coin"
  | "price"
  | "scales"
  | "shelf"
  | "card"
  | "bank"
  | "rcpt"
  | "star"
  | "pages"
  | "chart"
  | "two"
  | "log"
  | "users"
  | "gear"
  | "fold"
  | "mark"
  | "left"
  | "right"
  | "print"
  | "eye"
  | "dots"
  | "close"
  | "scan"
  | "msg"
  | "key";

/** A line drawing from the sprite of the office; always beside a text or in a control that has a name, so hidden from screen readers. */
export function Icon({ name, size, className }: { name: IconName; size?: "small"; className?: string }) {
  return (
    <svg className={className ?? (size ? "icon icon--small" : "icon")} aria-hidden="true">
      <use href={`${sprite}#${name}`} />
    </svg>
  );
}
