import { useEffect, useRef } from "react";
import { data, Form, Link } from "react-router";
import * as alerts from "#shop/alerts/service.ts";
import { pageContext } from "#web/context.server.ts";
import { Breadcrumbs } from "../../ui/breadcrumbs.tsx";
import { home } from "../page/page-tree.ts";
import { personalHeaders, personalMeta } from "../page/personal-page.ts";
import { alertTexts } from "./alert-texts.ts";
import type { PageHandle } from "../page/page-handle.ts";
import type { Route } from "./+types/alert-page.ts";
import "../content/content.css";
import "./alerts.css";

export const handle: PageHandle = { isPublic: false, hasSecretAddress: true };

export const meta = () => [...personalMeta("Оповещение"), { name: "referrer", content: "no-referrer" }];
/** The address contains the key, so no other site may get it as a referrer. */
export const headers = () => ({ ...personalHeaders(), "Referrer-Policy": "no-referrer" });

export async function loader({ context, params }: Route.LoaderArgs) {
  const found = await alerts.read(context.get(pageContext).ctx, params.token);
  return data(found.ok ? { words: alertTexts(found.value), isConfirmed: found.value.state !== "unconfirmed" } : null, {
    status: found.ok ? 200 : 404,
  });
}

/** The link in a letter only opens this page, because mail programs follow links; the buttons confirm or end the alert. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const { ctx } = context.get(pageContext);
  const isEnd = (await request.formData()).get("do") === "end";
  const result = isEnd ? await alerts.end(ctx, params.token) : await alerts.confirm(ctx, params.token);
  return result.ok ? { isEnded: isEnd } : null;
}

export default function AlertPage({ loaderData: found, actionData }: Route.ComponentProps) {
  const outcome = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (actionData) outcome.current?.focus(); // the pressed button is gone
  }, [actionData]);
  return (
    <main id="main" className="wrap" tabIndex={-1}>
      <Breadcrumbs trail={[home]} here="Оповещение" />
      <h1 className="text__title">Оповещение</h1>
      {found ? (
        <>
          <p className="lead" role="status" tabIndex={-1} ref={outcome}>
            {found.isConfirmed ? "Оповещение включено: напишем" : "Вы просили написать"}, когда{" "}
            <Link to={found.words.href}>{found.words.inText}</Link> {found.words.conditionText}.
          </p>
          <Form method="post" className="alert__actions">
            {!found.isConfirmed && (
              <button className="button button--gold" name="do" value="confirm">
                Подтвердить
              </button>
            )}
            <button className="button button--line" name="do" value="end">
              Больше не писать
            </button>
          </Form>
        </>
      ) : (
        <>
          <p className="lead" role="status" tabIndex={-1} ref={outcome}>
            {actionData?.isEnded
              ? "Готово: больше не напишем, адрес забыли."
              : "Такого оповещения нет: его отменили или не подтвердили за два дня, либо ссылка неполная."}
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
