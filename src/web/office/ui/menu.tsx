import { Menu as Base } from "@base-ui/react/menu";
import type { ReactNode } from "react";
import { DoneMark } from "./marks.tsx";

/** A button with a menu under it. */
export function Menu({
  label,
  name,
  className = "button",
  children,
}: {
  label: ReactNode;
  /** For buttons that show an icon only. */
  name?: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <Base.Root modal={false}>
      <Base.Trigger className={className} aria-label={name}>
        {label}
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner className="menu-place" sideOffset={4} align="end">
          <Base.Popup className="menu">{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

export function MenuItem({
  children,
  cap,
  isApart = false,
  isDisabled = false,
  onPress,
}: {
  children: ReactNode;
  cap?: string;
  /** Has a rule above it. */
  isApart?: boolean;
  isDisabled?: boolean;
  onPress: () => void;
}) {
  return (
    <Base.Item className={isApart ? "menu__item menu__item--apart" : "menu__item"} disabled={isDisabled} onClick={onPress}>
      <span>{children}</span>
      {cap ? <kbd>{cap}</kbd> : null}
    </Base.Item>
  );
}

/** An item that is chosen or not; the menu stays open. */
export function MenuChoice({ children, isChosen, onPress }: { children: ReactNode; isChosen: boolean; onPress: () => void }) {
  return (
    <Base.CheckboxItem className="menu__item" checked={isChosen} onCheckedChange={onPress} closeOnClick={false}>
      <span>{children}</span>
      {isChosen ? <DoneMark /> : null}
    </Base.CheckboxItem>
  );
}

export const MenuLabel = ({ children }: { children: ReactNode }) => <p className="menu__label">{children}</p>;
