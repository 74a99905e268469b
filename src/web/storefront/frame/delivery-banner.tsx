import { Link } from "react-router";
import { deliveryNotice, secondaryMenu } from "../../texts.ru.ts";

/** The line about free delivery with the second menu; the partners page shows the menu only. */
export function DeliveryBanner({ withDelivery }: { withDelivery: boolean }) {
  return (
    <aside className={`banner${withDelivery ? "" : " banner--bare"}`} aria-label={withDelivery ? "Доставка" : "О магазине"}>
      <div className="wrap banner__inner">
        {withDelivery ? (
          <p>
            <span className="banner__long">{deliveryNotice.long}</span>
            <span className="banner__short">{deliveryNotice.short}</span>
          </p>
        ) : (
          <span />
        )}
        <nav aria-label="О магазине">
          <ul>
            {secondaryMenu.slice(0, -1).map(({ name, short, href }) => (
              <li key={href}>
                <Link to={href}>{short ?? name}</Link>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </aside>
  );
}
