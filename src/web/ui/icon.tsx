export const iconNames = [
  "search",
  "heart",
  "scales",
  "bag",
  "user",
  "menu",
  "close",
  "down",
  "right",
  "left",
  "check",
  "plus",
  "minus",
  "bell",
  "turn",
  "sliders",
  "box",
  "door",
  "truck",
  "zoom",
  "mark",
  "phone",
  "chat",
  "send",
  "locker",
  "shield",
  "play",
  "here",
  "mir",
  "visa",
  "mastercard",
  "sbp",
  "yookassa",
] as const;
export type IconName = (typeof iconNames)[number];

/**
 * An icon of those that `icon-symbols.tsx` writes into the document. It is always beside a text or in a control with a name, so it is
 * hidden from screen readers.
 */
export function Icon({ name, className = "icon" }: { name: IconName; className?: string }) {
  return (
    <svg className={className} aria-hidden="true">
      <use href={`#icon-${name}`} />
    </svg>
  );
}
