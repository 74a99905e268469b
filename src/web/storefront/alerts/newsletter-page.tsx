import { data, Link } from "react-router";
import * as newsletter from "#shop/newsletter/service.ts";
import { pageContext } from "#web/context.server.ts";
import { Breadcrumbs } from "../../ui/breadcrumbs.tsx";
import { home } from "../page/page-tree.ts";
import { personalHeaders, personalMeta } from "../page/personal-page.ts";
import type { PageHandle } from "../page/page-handle.ts";
import type { Route } from "./+types/newsletter-page.ts";
import "../content/content.css";
import "./alerts.css";

export const handle: PageHandle = { isPublic: false, hasSecretAddress: true };

export const meta = () => [...personalMeta("Письма магазина"), { name: "referrer", content: "no-referrer" }];
/** The address contains the key, so no other site may get it as a referrer. */
export const headers = () => ({ ...personalHeaders(), "Referrer-Policy": "no-referrer" });

/**
 * The link in a letter only opens this page, because mail programs follow links. The button posts to the same address, as the
 * unsubscribe button of mail programs does (http/webhooks/unsubscribe.ts).
 */
export async function loader({ context, params }: Route.LoaderArgs) {
  const found = await newsletter.read(context.get(pageContext).ctx, params.token);
  return data(found.ok ? found.value : null, { status: found.ok ? 200 : 404 });
}

export default function NewsletterPage({ loaderData: found }: Route.ComponentProps) {
  return (
    <main id="main" className="wrap" tabIndex={-1}>
      <Breadcrumbs trail={[home]} here="Письма магазина" />
      <h1 className="text__title">Письма магазина</h1>
      {found?.isSubscribed ? (
        <>
          <p className="lead">
            Вы соглашались получать новости магазина. Нажмите кнопку, и мы перестанем их присылать. Письма о заказах и ценах, которые вы
            просили, останутся.
          </p>
          <form method="post" className="alert__actions">
            <button className="button button--gold">Больше не писать</button>
          </form>
        </>
      ) : (
        <>
          <p className="lead" role="status">
            {found
              ? "Готово: новостей больше не пришлём. Передумаете — включите их в профиле."
              : "Такой ссылки нет: проверьте, целиком ли она скопирована из письма."}
          </p>
          <p className="alert__actions">
            <Link className="button button--line" to="/catalog">
              К монетам
            </Link>
          </p>
        </>
      )}
    </main>
  );
}
