import { useEffect, useRef } from "react";
import {
  data,
  Form,
  Link,
  redirect,
  useActionData,
  useLoaderData,
  useNavigation,
  useSubmit,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
} from "react-router";
import { problems } from "#contract/problems.ts";
import { orderStatusTexts } from "#contract/texts.ru.ts";
import * as account from "#shop/account/service.ts";
import * as customers from "#shop/customers/service.ts";
import { isCancellable, isClosed, unpaidStates, type OrderState } from "#shop/orders/order.ts";
import * as orders from "#shop/orders/service.ts";
import { pageContext } from "#web/context.server.ts";
import { Breadcrumbs } from "../../../ui/breadcrumbs.tsx";
import { clearCheckout } from "../../checkout/draft-store.ts";
import { openDialog } from "../../dialogs/dialogs.tsx";
import { refusedTitle } from "../../page/meta.ts";
import { personalHeaders, personalMeta } from "../../page/personal-page.ts";
import { showToast } from "../../../ui/toasts.tsx";
import { announce, refreshState } from "../../shared/visitor-state.ts";

export const meta = ({ loaderData }: { loaderData?: Awaited<ReturnType<typeof loader>> }) =>
  personalMeta(refusedTitle("Удалить кабинет", loaderData?.isRefused));
export const headers = personalHeaders;

export async function loader({ context }: LoaderFunctionArgs) {
  const { ctx, visitor, isRefused } = context.get(pageContext);
  const customer = visitor.customerId ? await customers.byId(ctx, visitor.customerId) : null;
  if (!customer) return null;
  const placed = await orders.list(ctx, customer.id);
  const open = placed
    .filter(({ state }) => !isClosed(state))
    .map(({ id, number, state }) => ({ id, number, status: orderStatusTexts[state].toLowerCase(), advice: adviceOn(state) }));
  return { phone: customer.phone, open, isRefused };
}

/** Deletes the account, or says what prevents it. */
export async function action({ context }: ActionFunctionArgs) {
  const page = context.get(pageContext);
  const {
    ctx,
    visitor: { customerId, signedInAt },
  } = page;
  if (!customerId) throw redirect("/my/profile/delete");
  const erased = await account.erase(ctx, { customerId, signedInAt });
  if (erased.ok) throw redirect("/");
  const { status, message } = problems[erased.error.code];
  page.isRefused = true;
  return data({ message, needsCode: erased.error.code === "account.code_needed" }, status);
}

export default function DeleteAccountPage() {
  const found = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const isBusy = useNavigation().state !== "idle";
  const submit = useSubmit();
  const phone = found?.phone;
  /** True while a press is being answered; still true when the page is left, which the success does. */
  const isAsked = useRef(false);
  useEffect(() => {
    if (!isBusy) isAsked.current = false;
  }, [isBusy]);

  useEffect(() => {
    if (refused?.needsCode && phone)
      openDialog("confirmPhone", {
        phone,
        reason: "Кабинет удаляет только владелец телефона.",
        onConfirmed: () => {
          isAsked.current = true;
          void submit(null, { method: "post" });
        },
      });
  }, [refused, phone, submit]);
  useEffect(
    () => () => {
      if (isAsked.current) {
        clearCheckout();
        announce("session");
        showToast("Кабинет удалён");
      }
      void refreshState();
    },
    [],
  );

  if (!found) return null;
  return (
    <>
      <Breadcrumbs
        trail={[
          { title: "Кабинет", href: "/my" },
          { title: "Личные данные", href: "/my/profile" },
        ]}
        here="Удалить кабинет"
      />
      <div className="flow__head">
        <h1>Удалить кабинет</h1>
      </div>
      <div className="farewell">
        <p>
          Сразу и навсегда сотрём имя, почту, телефон, адреса, избранное, сравнение, корзину и оповещения, выйдем на всех устройствах.
          Вернуть их мы не сможем.
        </p>
        <p>Сведения о выполненных заказах закон велит хранить пять лет. Они останутся закрытыми, а после этого срока мы их обезличим.</p>
        <p>
          Сначала можно{" "}
          <a href="/api/me/export" download>
            скачать свои данные
          </a>
          .
        </p>
        <p className="error" role="alert">
          {refused?.message ?? ""}
        </p>
        {found.open.length > 0 ? (
          <OpenOrders open={found.open} />
        ) : (
          <Form
            method="post"
            className="sheet-form__actions"
            onSubmit={() => {
              isAsked.current = true;
            }}
          >
            <button className="button button--line" disabled={isBusy}>
              {isBusy ? "Удаляем…" : "Удалить навсегда"}
            </button>
            <Link className="button button--gold" to="/my/profile">
              Оставить кабинет
            </Link>
          </Form>
        )}
      </div>
    </>
  );
}

function adviceOn(state: OrderState): string {
  if (unpaidStates.some((unpaid) => unpaid === state)) return "Отмените его или подождите: неоплаченный заказ отменится сам.";
  return isCancellable(state) ? "Дождитесь выдачи или отмените его, тогда вернём деньги." : "Он уже отправлен, дождитесь выдачи.";
}

type OpenOrder = { id: string; number: number; status: string; advice: string };

/** What prevents the deletion, shown before a code is sent. */
function OpenOrders({ open }: { open: readonly OpenOrder[] }) {
  return (
    <section aria-labelledby="open-orders">
      <h2 id="open-orders">Сначала завершите заказы</h2>
      <p>Пока заказ не выдан и не отменён, кабинет удалить нельзя: по нему связываемся с вами и возвращаем деньги.</p>
      <ul>
        {open.map(({ id, number, status, advice }) => (
          <li key={id}>
            <Link to={`/my/orders/${id}`}>
              Заказ <span className="digits">{number}</span>
            </Link>
            : {status}. {advice}
          </li>
        ))}
      </ul>
      <p className="sheet-form__actions">
        <Link className="button button--gold" to="/my/orders">
          К заказам
        </Link>
      </p>
    </section>
  );
}
