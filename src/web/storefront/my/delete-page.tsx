import { useEffect, useRef } from "react";
import { data, Form, Link, redirect, useActionData, useLoaderData, useNavigation, useSubmit, type ActionFunctionArgs, type LoaderFunctionArgs } from "react-router";
import { problems } from "#contract/problems.ts";
import * as account from "#shop/account/service.ts";
import * as customers from "#shop/customers/service.ts";
import { pageContext } from "#web/context.server.ts";
import { Breadcrumbs } from "../../ui/breadcrumbs.tsx";
import { clearCheckout } from "../checkout/draft-store.ts";
import { openDialog } from "../dialogs.tsx";
import { personalHeaders, personalMeta } from "../personal-page.ts";
import { refreshState } from "../state.ts";

export const meta = () => personalMeta("Удалить аккаунт");
export const headers = personalHeaders;

export async function loader({ context }: LoaderFunctionArgs) {
  const { ctx, visitor } = context.get(pageContext);
  const customer = visitor.customerId ? await customers.byId(ctx, visitor.customerId) : null;
  return customer && { phone: customer.phone };
}

/** Deletes the account, or says what stands in the way. */
export async function action({ context }: ActionFunctionArgs) {
  const { ctx, visitor: { customerId, signedInAt } } = context.get(pageContext);
  if (!customerId) throw redirect("/my/profile/delete");
  const erased = await account.erase(ctx, { customerId, signedInAt });
  if (erased.ok) throw redirect("/");
  const { status, message } = problems[erased.error.code];
  return data({ message, needsCode: erased.error.code === "account.code_needed" }, status);
}

export default function DeletePage() {
  const found = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const isBusy = useNavigation().state !== "idle";
  const submit = useSubmit();
  const phone = found?.phone;

  useEffect(() => {
    if (refused?.needsCode && phone) openDialog("proof", { phone, why: "Аккаунт удаляет только владелец телефона.", onProved: () => void submit(null, { method: "post" }) });
  }, [refused, phone, submit]);
  const isAsked = useRef(false);
  useEffect(() => () => {
    if (isAsked.current) clearCheckout();
    void refreshState();
  }, []);

  if (!found) return null;
  return (
    <>
      <Breadcrumbs trail={[{ title: "Кабинет", href: "/my" }, { title: "Личные данные", href: "/my/profile" }]} here="Удалить аккаунт" />
      <div className="flow__h"><h1>Удалить аккаунт</h1></div>
      <div className="farewell">
        <p>Сразу и навсегда сотрём имя, почту, телефон, адреса, избранное, сравнение, корзину и оповещения, выйдем на всех устройствах. Вернуть их мы не сможем.</p>
        <p>Сведения о выполненных заказах закон велит хранить пять лет. Они останутся закрытыми, а после этого срока мы их обезличим.</p>
        <p>Сначала можно <a href="/api/me/export" download>скачать свои данные</a>.</p>
        <p className="err" role="alert">{refused?.message ?? ""}</p>
        <Form method="post" className="sheet-form__go" onSubmit={() => { isAsked.current = true; }}>
          <button className="btn btn--line" disabled={isBusy}>{isBusy ? "Удаляем…" : "Удалить навсегда"}</button>
          <Link className="btn btn--gold" to="/my/profile">Оставить аккаунт</Link>
        </Form>
      </div>
    </>
  );
}
