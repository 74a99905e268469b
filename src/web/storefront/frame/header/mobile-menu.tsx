import { useEffect } from "react";
import { whenIdle } from "#web/client/when-idle.ts";
import { Icon } from "../../../ui/icon.tsx";
import { openDialog, preloadDialog } from "../../dialogs/dialogs.tsx";
import type { FrameData } from "../frame-data.ts";

const warm = () => preloadDialog("menu");

/** The button that opens the menu panel. Before hydration it links to the same menu in the footer. */
export function MobileMenu({ shop, sections, menu }: Pick<FrameData, "shop" | "sections" | "menu">) {
  useEffect(() => (matchMedia("(max-width: 63.99rem)").matches ? whenIdle(warm) : undefined), []);
  const open = () => openDialog("menu", { shop, sections, menu });
  return (
    <a
      className="tool header__burger"
      href="#site-menu"
      role="button"
      aria-label="Открыть меню"
      aria-haspopup="dialog"
      onPointerEnter={warm}
      onFocus={warm}
      onClick={(event) => {
        event.preventDefault();
        open();
      }}
      onKeyDown={(event) => {
        if (event.key === " ") {
          event.preventDefault();
          open();
        }
      }}
    >
      <Icon name="menu" />
    </a>
  );
}
