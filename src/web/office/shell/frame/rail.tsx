import { useEffect, useRef } from "react";
import { NavLink, useLocation } from "react-router";
import { useStaff } from "../../session.ts";
import { Icon } from "../../ui/icon.tsx";
import { useCounts } from "../counts.ts";
import { sectionBlocks } from "../sections.ts";

/** The sections that the grants open, in blocks. Folded, the icons and counts stay. */
export function Rail({ isFolded, onFold }: { isFolded: boolean; onFold: () => void }) {
  const { grants } = useStaff();
  const counts = useCounts();
  const { pathname } = useLocation();
  const rail = useRef<HTMLElement>(null);
  // On a phone the sections are a strip that is wider than the screen. Counts arrive later and make it wider.
  const countTexts = Object.values(counts)
    .map(({ text }) => text)
    .join();
  useEffect(() => {
    rail.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [pathname, countTexts]);
  return (
    <nav className="rail" aria-label="Разделы" ref={rail}>
      {sectionBlocks(grants).map((block) => (
        <ul key={block[0]?.path}>
          {block.map(({ path, label, icon }) => (
            <li key={path}>
              <NavLink to={path} title={isFolded ? label : undefined}>
                <Icon name={icon} />
                <span>{label}</span>
                {counts[path] ? <span className={counts[path].isTrouble ? "number warn" : "number"}>{counts[path].text}</span> : null}
              </NavLink>
            </li>
          ))}
        </ul>
      ))}
      <div className="rail__end">
        <button className="fold" type="button" aria-pressed={isFolded} onClick={onFold}>
          <Icon name="fold" />
          <span>{isFolded ? "Развернуть" : "Свернуть"}</span>
          <kbd>[</kbd>
        </button>
      </div>
    </nav>
  );
}
