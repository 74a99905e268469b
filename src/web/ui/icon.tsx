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

/** An icon from the sprite. It always stands beside a text or in a control with a name, so it is hidden from screen readers. */
export function Icon({ name, className = "icon" }: { name: IconName; className?: string }) {
  return (
    <svg className={className} aria-hidden="true">
      <use href={`${sprite}#${name}`} />
    </svg>
  );
}
