import { type MouseEvent, useEffect, useRef } from "react";
import { Form } from "react-router";
import { Icon } from "../../../ui/icon.tsx";
import { Link } from "../../../ui/link.tsx";
import type { OpenDialogProps, MenuProps } from "../../dialogs/dialog-props.ts";
import { leaveDialog } from "../../dialogs/dialogs.tsx";
import { useVisitorState } from "../../shared/visitor-state.ts";
import type { FrameData } from "../frame-data.ts";

/** How long the window must keep its new size before the menu reacts. */
const resizeDelayMs = 50;

/** The side panel with the menu on phones and tablets. A press on a link closes it at once, before the next page has loaded. */
export default function MenuDialog({ shop, sections, menu, isOpen, onClose }: MenuProps & OpenDialogProps) {
  const panel = useRef<HTMLDialogElement>(null);
  const wishlist = useVisitorState((state) => state.wishlist.length);
  const compare = useVisitorState((state) => state.compare.length);

  useEffect(() => {
    const dialog = panel.current;
    if (!dialog || !isOpen) return undefined;
    dialog.showModal();
    return () => dialog.close();
  }, [isOpen]);
  useEffect(() => onWidened(onClose), [onClose]);

  function onClick({ target, metaKey, ctrlKey }: MouseEvent): void {
    if (target === panel.current) onClose();
    else if (target instanceof Element && target.closest("a[href^='/']") && !metaKey && !ctrlKey) leaveDialog();
  }

  return (
    <dialog
      ref={panel}
      className="side"
      aria-label="Меню"
      onClick={onClick}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div className="side__inner">
        <div className="side__top">
          <span className="logo" aria-hidden="true">
            <Icon name="mark" className="logo__mark" />
            <span>{shop.name}</span>
          </span>
          <button className="tool" type="button" aria-label="Закрыть меню" onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
        <Form action="/search" role="search" className="side__search" onSubmit={leaveDialog}>
          <label>
            <span className="visually-hidden">Поиск</span>
            <input type="search" name="q" placeholder="Поиск" autoComplete="off" enterKeyHint="search" />
          </label>
          <button className="tool" type="submit" aria-label="Найти">
            <Icon name="search" />
          </button>
        </Form>
        <nav aria-label="Разделы">
          <ul className="side__lists">
            <li>
              <Link to="/wishlist">
                <Icon name="heart" />
                Избранное
                <Count of={wishlist} />
              </Link>
            </li>
            <li>
              <Link to="/product-comparison">
                <Icon name="scales" />
                Сравнение
                <Count of={compare} />
              </Link>
            </li>
          </ul>
          <ul className="side__main">
            {menu.main.map(({ name, href }) => (
              <li key={href}>
                <Link to={href}>{name}</Link>
                {href === "/catalog" && (
                  <ul>
                    {menu.catalog.map((child) => (
                      <li key={child.href}>
                        <Link to={child.href}>{child.name}</Link>
                      </li>
                    ))}
                  </ul>
                )}
                {sections.some(({ slug }) => `/catalog/${slug}` === href) && href !== "/catalog" && (
                  <Children sections={sections} href={href} />
                )}
              </li>
            ))}
          </ul>
          <ul className="side__more">
            {menu.secondary.map(({ name, href }) => (
              <li key={href}>
                <Link to={href}>{name}</Link>
              </li>
            ))}
          </ul>
        </nav>
        <address className="side__contact">
          {shop.phones.map(({ display, href }) => (
            <a key={href} className="call-us__phone digits" href={href}>
              {display}
            </a>
          ))}
          <p>Поддержка сайта: добавочный {shop.supportExtension}</p>
          <p>
            {shop.hours.map((line) => (
              <span key={line}>
                {line}
                <br />
              </span>
            ))}
          </p>
          <a href={`mailto:${shop.email}`}>{shop.email}</a>
          <ul className="side__chats" aria-label="Мессенджеры">
            {shop.messengers.map(({ id, title, href: chat }) => (
              <li key={chat}>
                <a href={chat} rel="noreferrer" target="_blank">
                  <Icon name={id === "telegram" ? "send" : "chat"} />
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </address>
      </div>
    </dialog>
  );
}

/** Calls back when the window becomes wide: there the menu is in the header, and an open panel would cover the page. */
function onWidened(close: () => void): () => void {
  const wide = matchMedia("(min-width: 64rem)");
  let timer: ReturnType<typeof setTimeout>;
  function onResize() {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (wide.matches) close();
    }, resizeDelayMs);
  }
  addEventListener("resize", onResize);
  return () => {
    clearTimeout(timer);
    removeEventListener("resize", onResize);
  };
}

const Count = ({ of: count }: { of: number }) => (count > 0 ? <span className="side__count digits">{count}</span> : null);

function Children({ sections, href }: { sections: FrameData["sections"]; href: string }) {
  const section = sections.find(({ slug }) => `/catalog/${slug}` === href);
  return (
    <ul>
      {section?.children.slice(0, 3).map(({ slug, title }) => (
        <li key={slug}>
          <Link to={`/catalog/${slug}`}>{title}</Link>
        </li>
      ))}
    </ul>
  );
}
