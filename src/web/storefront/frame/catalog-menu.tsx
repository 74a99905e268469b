import { Link } from "react-router";
import { Icon } from "../../ui/icon.tsx";
import { DropDown } from "./drop-down.tsx";
import type { FrameData } from "./frame-data.ts";

/** «Каталог» of the wide header: every section with what it is parted into. */
export function CatalogMenu({ sections, isCurrent }: { sections: FrameData["sections"]; isCurrent: boolean }) {
  return (
    <DropDown className="drop--catalog" label={<span className="mainnav__b" aria-current={isCurrent ? "true" : undefined}>Каталог<Icon name="down" /></span>}>
      <div className="drop__cols">
        {sections.map((section) => (
          <ul className="drop__list" key={section.slug}>
            <li><Link className="drop__head" to={`/catalog/${section.slug}`}>{section.title}</Link></li>
            {section.children.map(({ slug, title }) => <li key={slug}><Link to={`/catalog/${slug}`}>{title}</Link></li>)}
          </ul>
        ))}
      </div>
      <Link className="more" to="/catalog">Весь каталог <Icon name="right" /></Link>
    </DropDown>
  );
}
