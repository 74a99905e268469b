import { useEffect } from "react";
import { data, NavLink, Outlet, useLoaderData, useLocation, useRevalidator, type LoaderFunctionArgs } from "react-router";
import * as customers from "#shop/customers/service.ts";
import { pageContext } from "#web/context.server.ts";
import { clearCheckout } from "../checkout/draft-store.ts";
import { openDialog } from "../dialogs/dialogs.tsx";
import { personalHeaders, personalMeta } from "../page/personal-page.ts";
import { SignInPrompt } from "../sign-in/sign-in-prompt.tsx";
import { SignOutButton } from "../sign-in/session/sign-out.tsx";
import { useSessionEnd } from "../sign-in/session/use-session-end.ts";
import type { PageHandle } from "../page/page-handle.ts";
import "../../styles/fields.css";
import "../shared/order-summary.css";
import "./my.css";

export const handle: PageHandle = { isPublic: false };

export const meta = () => personalMeta("Кабинет");
export const headers = personalHeaders;

/**
 * The signed-in customer; 401 for a visitor, who sees the sign-in prompt. The pages inside check it themselves, because loaders run in
 * parallel.
 */
export async function loader({ context }: LoaderFunctionArgs) {
  const { ctx, visitor } = context.get(pageContext);
  const customer = visitor.customerId ? await customers.byId(ctx, visitor.customerId) : null;
  return data({ me: customer && { name: customer.name, phone: customer.phone } }, { status: customer ? 200 : 401 });
}

const links = [
  { to: "/my", name: "Обзор", end: true },
  { to: "/my/orders", name: "Заказы", end: false },
  { to: "/my/alerts", name: "Оповещения", end: false },
  { to: "/my/profile", name: "Личные данные", end: false },
] as const;

export default function MyLayout() {
  const { me } = useLoaderData<typeof loader>();
  const { pathname } = useLocation();
  const isSignedIn = me !== null;
  const { revalidate } = useRevalidator();
  // Reloaded without a session, the page shows the sign-in prompt and nothing personal.
  useSessionEnd(isSignedIn, () => {
    clearCheckout();
    void revalidate();
  });

  // The address stays, so signing in shows the requested page.
  useEffect(() => {
    if (!isSignedIn) openDialog("auth", {});
  }, [isSignedIn, pathname]);

  if (!me)
    return (
      <main id="main" tabIndex={-1}>
        <div className="wrap">
          <SignInPrompt />
        </div>
      </main>
    );
  return (
    <main id="main" tabIndex={-1}>
      <div className="wrap">
        <nav className="my-menu" aria-label="Кабинет">
          <ul>
            {links.map(({ to, name, end }) => (
              <li key={to}>
                <NavLink to={to} end={end}>
                  {name}
                </NavLink>
              </li>
            ))}
            <li>
              <NavLink to="/wishlist">Избранное</NavLink>
            </li>
            <li className="my-menu__leave">
              <SignOutButton className="text-button" />
            </li>
          </ul>
        </nav>
        <Outlet />
      </div>
    </main>
  );
}
