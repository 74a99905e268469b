import { memo } from "react";
import { useLocation } from "react-router";
import { CachedFragment } from "../../../fragments/cached-fragment.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Link } from "../../../ui/link.tsx";
import { CatalogMenu } from "./catalog-menu.tsx";
import type { FrameData } from "../frame-data.ts";
import { MobileMenu } from "./mobile-menu.tsx";
import { PhonePanel } from "./phone-panel.tsx";
import { Tools } from "./tools.tsx";

/** Not rendered again when only the rates of the frame change. */
export const Header = memo(function Header({ shop, sections, menu }: HeaderProps) {
  const { pathname } = useLocation();
  const [, ...rest] = menu.main;
  const isIn = (href: string): boolean => pathname === href || pathname.startsWith(`${href}/`);
  const current = rest.flatMap(({ href }) => (isIn(href) ? href : []));
  const props = { shop, sections, menu, current, isInCatalog: pathname.startsWith("/catalog") };
  return <CachedFragment as="header" className="header" of={HeaderContent} props={props} />;
});

type HeaderProps = Pick<FrameData, "shop" | "sections" | "menu">;

/** `current`: the addresses of the menu that the page belongs to. */
function HeaderContent({ shop, sections, menu, current, isInCatalog }: HeaderProps & { current: string[]; isInCatalog: boolean }) {
  return (
    <div className="wrap header__inner">
      <MobileMenu shop={shop} sections={sections} menu={menu} />
      <Link className="logo" to="/" aria-label={`${shop.name}, на главную`}>
        <Icon name="mark" className="logo__mark" />
        <span>{shop.name}</span>
      </Link>
      <nav className="main-menu" aria-label="Главное меню">
        <ul>
          <li>
            <CatalogMenu sections={sections} isCurrent={isInCatalog && current.length === 0} />
          </li>
          {menu.main.slice(1).map(({ name, href }) => (
            <li key={href}>
              <Link to={href} aria-current={current.includes(href) ? "page" : undefined}>
                {name}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="header__tools">
        <PhonePanel shop={shop} />
        <Tools />
      </div>
    </div>
  );
}
