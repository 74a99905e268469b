import { useEffect, useRef } from "react";
import { Form, Link, useLocation } from "react-router";
import { catalogMenu, mainMenu, secondaryMenu } from "../../texts.ru.ts";
import { Icon } from "../../ui/icon.tsx";
import { useShopState } from "../state.ts";
import type { FrameData } from "./frame-data.ts";
import { Messengers } from "./phone-panel.tsx";

/** How long a window must keep its new size before the menu heeds it. */
const resizeDelayMs = 50;

/** The burger and its panel from the left. Before scripts arrive the burger leads to the same links in the footer. */
export function MobileMenu({ shop, sections }: Pick<FrameData, "shop" | "sections">) {
  const panel = useRef<HTMLDialogElement>(null);
  const search = useRef<HTMLFormElement>(null);
  const wishlist = useShopState((state) => state.wishlist.length);
  const compare = useShopState((state) => state.compare.length);
  const { key } = useLocation();
  useEffect(() => { panel.current?.close(); }, [key]);
  useEffect(() => onceWide(() => panel.current?.close()), []);
  const close = () => panel.current?.close();

  return (
    <>
      <a className="tool top__burger" href="#site-menu" role="button" aria-label="Открыть меню" aria-haspopup="dialog"
        onClick={(event) => { event.preventDefault(); panel.current?.showModal(); }}
        onKeyDown={(event) => { if (event.key === " ") { event.preventDefault(); panel.current?.showModal(); } }}><Icon name="menu" /></a>
      <dialog ref={panel} className="side" aria-label="Меню" onClick={(event) => { if (event.target === panel.current) close(); }}>
        <div className="side__in">
          <div className="side__top">
            <span className="logo" aria-hidden="true"><Icon name="mark" className="logo__mark" /><span>{shop.name}</span></span>
            <button className="tool" type="button" aria-label="Закрыть меню" onClick={close}><Icon name="close" /></button>
          </div>
          <Form ref={search} action="/search" role="search" className="side__search" onSubmit={() => { setTimeout(() => search.current?.reset()); close(); }}>
            <label><span className="vh">Поиск</span><input type="search" name="q" placeholder="Поиск" autoComplete="off" enterKeyHint="search" /></label>
            <button className="tool" type="submit" aria-label="Найти"><Icon name="search" /></button>
          </Form>
          <nav aria-label="Разделы">
            <ul className="side__main">
              {mainMenu.filter(({ footerOnly }) => !footerOnly).map(({ name, href }) => (
                <li key={href}>
                  <Link to={href}>{name}</Link>
                  {href === "/catalog" && <ul>{catalogMenu.map((child) => <li key={child.href}><Link to={child.href}>{child.name}</Link></li>)}</ul>}
                  {sections.some(({ slug }) => `/catalog/${slug}` === href) && href !== "/catalog" && <Children sections={sections} href={href} />}
                </li>
              ))}
            </ul>
            <ul className="side__more">
              <li><Link to="/wishlist">Избранное<Count of={wishlist} /></Link></li>
              <li><Link to="/product-comparison">Сравнение<Count of={compare} /></Link></li>
              {secondaryMenu.map(({ name, href }) => <li key={href}><Link to={href}>{name}</Link></li>)}
            </ul>
          </nav>
          <address className="side__contact">
            {shop.phones.map(({ display, href }) => <a key={href} className="callus__phone num" href={href}>{display}</a>)}
            <p>Поддержка сайта: добавочный {shop.supportExtension}</p>
            <p>{shop.hours.map((line) => <span key={line}>{line}<br /></span>)}</p>
            <a href={`mailto:${shop.email}`}>{shop.email}</a>
            <Messengers items={shop.messengers} />
          </address>
        </div>
      </dialog>
    </>
  );
}

/** A window that has become wide has its menu in the header: a panel left open would only lie over the page. */
function onceWide(close: () => void): () => void {
  const wide = matchMedia("(min-width: 1024px)");
  let timer: ReturnType<typeof setTimeout>;
  function heed() {
    clearTimeout(timer);
    timer = setTimeout(() => { if (wide.matches) close(); }, resizeDelayMs);
  }
  addEventListener("resize", heed);
  return () => {
    clearTimeout(timer);
    removeEventListener("resize", heed);
  };
}

const Count = ({ of: count }: { of: number }) => (count > 0 ? <span className="side__n num">{count}</span> : null);

function Children({ sections, href }: { sections: FrameData["sections"]; href: string }) {
  const section = sections.find(({ slug }) => `/catalog/${slug}` === href);
  return <ul>{section?.children.slice(0, 3).map(({ slug, title }) => <li key={slug}><Link to={`/catalog/${slug}`}>{title}</Link></li>)}</ul>;
}
