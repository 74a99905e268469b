import sprite from "../images/icons.svg";

export type IconName =
  | "search"
  | "heart"
  | "scales"
  | "bag"
  | "user"
  | "menu"
  | "close"
  | "down"
  | "right"
  | "left"
  | "check"
  | "plus"
  | "minus"
  | "bell"
  | "turn"
  | "sliders"
  | "box"
  | "door"
  | "truck"
  | "zoom"
  | "mark"
  | "phone"
  | "chat"
  | "send"
  | "locker"
  | "shield"
  | "play"
  | "here"
  | "mir"
  | "visa"
  | "mastercard"
  | "sbp"
  | "yookassa";

/** A line drawing from the one sprite; always beside a text or inside a control that has a name, so hidden from readers. */
export function Icon({ name, className = "icon" }: { name: IconName; className?: string }) {
  return (
    <svg className={className} aria-hidden="true">
      <use href={`${sprite}#${name}`} />
    </svg>
  );
}
