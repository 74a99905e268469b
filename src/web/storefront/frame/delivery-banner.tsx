import { useState } from "react";
import { useScriptNonce } from "../../first-view/script-nonce.ts";
import { CachedFragment } from "../../fragments/cached-fragment.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Link } from "../../ui/link.tsx";
import type { FrameData } from "./frame-data.ts";

/** The key in `localStorage` for the last banner that the visitor closed. */
const closedKey = "closed-banner";
/** Hides a closed banner before it is painted. The browser's build omits its text; React keeps the existing content on hydration. */
const hideClosed = import.meta.env.SSR
  ? `try{let b=document.currentScript.parentNode;b.hidden=localStorage.getItem("${closedKey}")===b.dataset.id}catch{}`
  : "";

type BannerProps = { banner: FrameData["banner"]; items: FrameData["menu"]["secondary"]; isAllowed: boolean };

/** The line above the header with the second menu. Without a banner, and on pages that show none, only the menu. */
export function DeliveryBanner({ banner, items, isAllowed }: BannerProps) {
  const nonce = useScriptNonce();
  const [closed, setClosed] = useState<string | null>(null);
  const shown = isAllowed ? banner : null;
  return (
    <aside
      className={`banner${shown ? "" : " banner--bare"}`}
      aria-label={shown ? shown.label : "О магазине"}
      {...(shown?.isDismissible ? { "data-id": shown.id, hidden: closed === shown.id, suppressHydrationWarning: true } : {})}
    >
      {shown?.isDismissible && <script nonce={nonce} dangerouslySetInnerHTML={{ __html: hideClosed }} />}
      <div className="wrap banner__inner">
        {shown ? (
          <p>
            <BannerText banner={shown} />
            {shown.isDismissible && (
              <button
                className="banner__close"
                type="button"
                aria-label="Скрыть"
                onClick={() => {
                  setClosed(shown.id);
                  localStorage.setItem(closedKey, shown.id);
                }}
              >
                <Icon name="close" />
              </button>
            )}
          </p>
        ) : (
          <span />
        )}
        <nav aria-label="О магазине">
          <CachedFragment as="ul" of={SecondMenu} props={{ items }} />
        </nav>
      </div>
    </aside>
  );
}

const SecondMenu = ({ items }: Pick<BannerProps, "items">) =>
  items
    .filter(({ isOnlyInPanel }) => !isOnlyInPanel)
    .map(({ name, short, href }) => (
      <li key={href}>
        <Link to={href}>{short || name}</Link>
      </li>
    ));

function BannerText({ banner: { long, short, href } }: { banner: NonNullable<FrameData["banner"]> }) {
  const words = (
    <>
      <span className="banner__long">{long}</span>
      <span className="banner__short">{short}</span>
    </>
  );
  return href === null ? words : <Link to={href}>{words}</Link>;
}
