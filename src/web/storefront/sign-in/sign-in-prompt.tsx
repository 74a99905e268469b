import { Link } from "react-router";
import { Icon } from "../../ui/icon.tsx";
import { openDialog, preloadDialog } from "../dialogs/dialogs.tsx";

/** Shown to a visitor on pages of the account. */
export function SignInPrompt() {
  return (
    <div className="sign-in-prompt">
      <h1>Войдите в кабинет</h1>
      <p className="lead">Здесь ваши заказы, адреса и личные данные. Пароль не нужен: пришлём код в SMS.</p>
      <div className="sign-in-prompt__actions">
        <button
          className="button button--gold"
          type="button"
          aria-haspopup="dialog"
          onPointerEnter={() => preloadDialog("auth")}
          onFocus={() => preloadDialog("auth")}
          onClick={() => openDialog("auth", {})}
        >
          Войти
        </button>
        <Link className="more" to="/catalog">
          В каталог <Icon name="right" />
        </Link>
      </div>
      <noscript>
        <p className="aside">Для входа по коду из SMS включите в браузере JavaScript. Заказать можно и по телефону из подвала страницы.</p>
      </noscript>
    </div>
  );
}
