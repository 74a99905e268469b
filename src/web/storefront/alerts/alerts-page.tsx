import { data, Link } from "react-router";
import { pageContext } from "#web/context.server.ts";
import { Breadcrumbs } from "../../ui/breadcrumbs.tsx";
import { refusedTitle } from "../page/meta.ts";
import { home } from "../page/page-tree.ts";
import { personalHeaders, personalMeta } from "../page/personal-page.ts";
import { AlertForm } from "./alert-form.tsx";
import { markUnit } from "./alert-texts.ts";
import { submitAlertForm, type AlertAnswer, type RefusedAlert } from "./alert-form.server.ts";
import { OpeningAlert } from "./opening-alert.tsx";
import type { PageHandle } from "../page/page-handle.ts";
import type { Route } from "./+types/alerts-page.ts";
import "../content/content.css";
import "./alerts.css";

export const handle: PageHandle = { isPublic: false };

export const meta = ({ loaderData }: Route.MetaArgs) => personalMeta(refusedTitle("Оповещения о цене", loaderData?.isRefused));
export const headers = personalHeaders;

export const loader = ({ context }: Route.LoaderArgs) => ({ isRefused: context.get(pageContext).isRefused });

export async function action({ request, context }: Route.ActionArgs) {
  const page = context.get(pageContext);
  const { ctx, visitor, retryAfter } = page;
  const answer = await submitAlertForm(ctx, visitor, await request.formData());
  if (answer.kind === "sent") return answer;
  if (answer.retryAfterSeconds !== undefined) retryAfter?.(answer.retryAfterSeconds);
  page.isRefused = true;
  return data<AlertAnswer>(answer, answer.status);
}

/** The page that answers an alert form sent without scripts. */
export default function AlertsPage({ actionData }: Route.ComponentProps) {
  return (
    <main id="main" className="wrap" tabIndex={-1}>
      <Breadcrumbs trail={[home]} here="Оповещения о цене" />
      <h1 className="text__title">Оповещения о цене</h1>
      {actionData?.kind === "sent" && (
        <p className="lead" role="status">
          Проверьте почту {actionData.email}: подтвердите в письме, что просили вы, и включим оповещение.
        </p>
      )}
      {actionData?.kind === "refused" && <RefusedForm answer={actionData} />}
      {!actionData && (
        <p className="lead">
          Напишем, когда цена монеты или металла дойдёт до вашей отметки или монета снова появится. Форма стоит на странице каждой монеты и
          на странице цены золота.
        </p>
      )}
      <p className="alert__actions">
        <Link className="button button--line" to="/catalog">
          К монетам
        </Link>
        <Link className="button button--line" to="/quotes-online">
          Цена золота
        </Link>
      </p>
    </main>
  );
}

function RefusedForm({ answer }: { answer: RefusedAlert }) {
  const { productId, course, condition } = answer.was;
  if (condition === "marketOpen") return <OpeningAlert refused={answer} />;
  return (
    <AlertForm
      {...(productId ? { coinId: Number(productId) } : { course })}
      now={null}
      unit={markUnit(productId ? undefined : course)}
      hasStock
      refused={answer}
    />
  );
}
