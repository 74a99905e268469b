import type { MouseEvent } from "react";
import { useLocation } from "react-router";
import { coinForms, counted } from "#kit/format.ts";
import { accountMenu } from "../../../texts.ru.ts";
import { Icon, type IconName } from "../../../ui/icon.tsx";
import { Link } from "../../../ui/link.tsx";
import { openDialog, preloadDialog } from "../../dialogs/dialogs.tsx";
import { SignInLink } from "../../sign-in/sign-in-link.tsx";
import { SignOutButton } from "../../sign-in/session/sign-out.tsx";
import { useVisitorState } from "../../shared/visitor-state.ts";
import { DropDown } from "./drop-down.tsx";

/** An icon of the header with its count, shown if it is not zero. */
function Tool({
  href,
  icon,
  name,
  count,
  isUpdating,
  className = "",
}: {
  href: string;
  icon: IconName;
  name: string;
  count?: number;
  isUpdating?: boolean;
  className?: string;
}) {
  return (
    <Link
      className={`tool ${className}`}
      to={href}
      aria-label={count ? `${name}, ${counted(count, coinForms)}` : name}
      aria-busy={isUpdating || undefined}
    >
      <Icon name={icon} />
      {count ? (
        <span className="badge digits" aria-hidden="true">
          {count > 999 ? "999+" : count}
        </span>
      ) : null}
    </Link>
  );
}

export function Tools() {
  const compare = useVisitorState((state) => state.compare.length);
  const wishlist = useVisitorState((state) => state.wishlist.length);
  const cart = useVisitorState((state) => state.totalCoins);
  const me = useVisitorState((state) => state.me);
  const isCartUpdating = useVisitorState((state) => state.isCartUpdating);
  const isWishlistUpdating = useVisitorState((state) => state.isWishlistUpdating);
  const isCompareUpdating = useVisitorState((state) => state.isCompareUpdating);
  return (
    <>
      <SearchTool />
      <Tool
        href="/product-comparison"
        icon="scales"
        name="Сравнение"
        count={compare}
        isUpdating={isCompareUpdating}
        className="tool--list"
      />
      <Tool href="/wishlist" icon="heart" name="Избранное" count={wishlist} isUpdating={isWishlistUpdating} className="tool--list" />
      {me ? (
        <Link className="tool tool--narrow" to="/my" aria-label="Профиль">
          <Icon name="user" />
        </Link>
      ) : (
        <SignInLink className="tool tool--narrow" label="Войти">
          <Icon name="user" />
        </SignInLink>
      )}
      <Tool href="/cart" icon="bag" name="Корзина" count={cart} isUpdating={isCartUpdating} />
      <Account />
    </>
  );
}

/** Opens the search field over the page. Without scripts, in a new tab and on the search page it is an ordinary link. */
function SearchTool() {
  const { pathname } = useLocation();
  function onClick(event: MouseEvent) {
    if (pathname === "/search" || event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    openDialog("search", {});
  }
  return (
    <Link
      className="tool"
      to="/search"
      aria-label="Поиск"
      onPointerEnter={() => preloadDialog("search")}
      onFocus={() => preloadDialog("search")}
      onClick={onClick}
    >
      <Icon name="search" />
    </Link>
  );
}

/** On wide screens: «Войти», or «Профиль» with the links of the account. */
function Account() {
  const me = useVisitorState((state) => state.me);
  if (!me) return <SignInLink className="button button--line button--small header__login">Войти</SignInLink>;
  return (
    <DropDown
      className="drop--right header__login"
      label={
        <span className="button button--line button--small">
          Профиль
          <Icon name="down" />
        </span>
      }
    >
      <ul className="drop__list">
        {me.name && <li className="drop__person">{me.name}</li>}
        {accountMenu.map(({ name, href }) => (
          <li key={href}>
            <Link to={href}>{name}</Link>
          </li>
        ))}
        <li>
          <SignOutButton />
        </li>
      </ul>
    </DropDown>
  );
}
