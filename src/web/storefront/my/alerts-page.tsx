import { useEffect, useRef } from "react";
import { Form, Link, redirect, useLoaderData, type ActionFunctionArgs, type LoaderFunctionArgs } from "react-router";
import * as alerts from "#shop/alerts/service.ts";
import { pageContext } from "#web/context.server.ts";
import { alertTexts } from "../alerts/alert-texts.ts";
import { personalHeaders, personalMeta } from "../page/personal-page.ts";
import { showToast } from "../../ui/toasts.tsx";
import "../alerts/alerts.css";

export const meta = () => personalMeta("Оповещения");
export const headers = personalHeaders;

const stateTexts = { unconfirmed: "Ждёт подтверждения из письма", armed: "Следим", told: "Написали; следим за следующим разом" } as const;

export async function loader({ context }: LoaderFunctionArgs) {
  const { ctx, visitor } = context.get(pageContext);
  if (!visitor.customerId) return null;
  return (await alerts.listOf(ctx, visitor.customerId)).map((alert) => ({
    ...alertTexts(alert),
    id: alert.id,
    email: alert.email,
    state: stateTexts[alert.state],
  }));
}

/** Ends an alert of the customer; the id of another customer's alert is not found. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, visitor } = context.get(pageContext);
  const id = (await request.formData()).get("id");
  const own = visitor.customerId ? (await alerts.listOf(ctx, visitor.customerId)).find((alert) => alert.id === id) : undefined;
  if (own) await alerts.end(ctx, own.token);
  return redirect("/my/alerts");
}

export default function MyAlertsPage() {
  const rows = useLoaderData<typeof loader>();
  const heading = useRef<HTMLHeadingElement>(null);
  /** The alert that is being ended; the answer is the page without it. */
  const ending = useRef<{ id: string; text: string } | null>(null);
  useEffect(() => {
    if (!rows || !ending.current || rows.some(({ id }) => id === ending.current?.id)) return;
    showToast(`Больше не напишем: ${ending.current.text}`);
    ending.current = null;
    heading.current?.focus(); // the pressed button went with its row
  }, [rows]);
  if (!rows) return null;
  return (
    <>
      <div className="flow__head">
        <h1 ref={heading} tabIndex={-1}>
          Оповещения
        </h1>
      </div>
      {rows.length === 0 ? (
        <p className="muted">
          Оповещений нет. Завести их можно на странице монеты или на странице <Link to="/quotes-online">цены золота</Link>.
        </p>
      ) : (
        <ul className="alerts">
          {rows.map(({ id, about, href, conditionText, email, state }) => (
            <li key={id}>
              <span>
                <Link to={href}>{about}</Link> {conditionText}
                <small>
                  {state}, {email}
                </small>
              </span>
              <Form
                method="post"
                onSubmit={() => {
                  ending.current = { id, text: `${about} ${conditionText}` };
                }}
              >
                <button
                  className="button button--line button--small"
                  name="id"
                  value={id}
                  aria-label={`Больше не писать: ${about} ${conditionText}`}
                >
                  Больше не писать
                </button>
              </Form>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
