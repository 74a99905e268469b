import { CachedFragment } from "../../../fragments/cached-fragment.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Link } from "../../../ui/link.tsx";
import { DropDown } from "./drop-down.tsx";
import type { FrameData } from "../frame-data.ts";

/** «Каталог» in the wide header: every section with its subsections. Sections without subsections share the last column. */
export const CatalogMenu = ({ sections, isCurrent }: { sections: FrameData["sections"]; isCurrent: boolean }) => (
  <DropDown
    className="drop--catalog"
    label={
      <span className="main-menu__button" aria-current={isCurrent ? "true" : undefined}>
        Каталог
        <Icon name="down" />
      </span>
    }
  >
    <CachedFragment as="div" className="drop__cols" of={Columns} props={{ sections }} />
    <Link className="more" to="/catalog">
      Весь каталог <Icon name="right" />
    </Link>
  </DropDown>
);

function Columns({ sections }: Pick<FrameData, "sections">) {
  const parted = sections.filter(({ children }) => children.length > 0);
  const whole = sections.filter(({ children }) => children.length === 0);
  const head = ({ slug, title }: { slug: string; title: string }) => (
    <li key={slug}>
      <Link className="drop__head" to={`/catalog/${slug}`}>
        {title}
      </Link>
    </li>
  );
  return parted.map((section, index) => (
    <ul className="drop__list" key={section.slug}>
      {head(section)}
      {section.children.map(({ slug, title }) => (
        <li key={slug}>
          <Link to={`/catalog/${slug}`}>{title}</Link>
        </li>
      ))}
      {index === parted.length - 1 && whole.map(head)}
    </ul>
  ));
}
