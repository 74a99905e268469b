import { useEffect, useRef } from "react";
import { Form, Link, redirect, useLoaderData, type ActionFunctionArgs, type LoaderFunctionArgs } from "react-router";
import { day } from "#kit/format.ts";
import { fullNameOf } from "#shop/customers/customer.ts";
import * as customers from "#shop/customers/service.ts";
import { consentPages } from "#shop/customers/consent-pages.ts";
import { pageContext } from "#web/context.server.ts";
import { ButtonLink } from "../../../ui/button.tsx";
import { maskedPhone, phoneDigits } from "../../../ui/fields/phone.ts";
import { showToast } from "../../../ui/toasts.tsx";
import { forgetEntries } from "./unsaved-entries.ts";
import { personalHeaders, personalMeta } from "../../page/personal-page.ts";

export const meta = () => personalMeta("Личные данные");
export const headers = personalHeaders;

export async function loader({ context }: LoaderFunctionArgs) {
  const { ctx, visitor } = context.get(pageContext);
  const customer = visitor.customerId ? await customers.byId(ctx, visitor.customerId) : null;
  if (!customer) return null;
  const { delivery, point, city } = customer.buyProfile ?? {};
  const newsletter = await customers.newsletter(ctx, customer.id);
  return {
    subscribedAt: newsletter?.at ?? null,
    fullName: fullNameOf(customer),
    email: customer.email,
    phone: customer.phone,
    since: customer.createdAt,
    city: city?.name ?? null,
    point: point?.address ?? null,
    address: [delivery?.street, delivery?.house, delivery?.flat && `кв. ${delivery.flat}`].filter(Boolean).join(", ") || null,
  };
}

/** Withdraws the consent to the shop's letters with one press: the page has no other action. */
export async function action({ context }: ActionFunctionArgs) {
  const { ctx, visitor } = context.get(pageContext);
  if (visitor.customerId) await customers.setNewsletter(ctx, visitor.customerId, false);
  throw redirect("/my/profile");
}

export default function ProfilePage() {
  const me = useLoaderData<typeof loader>();
  const heading = useRef<HTMLHeadingElement>(null);
  const isWithdrawing = useRef(false);
  useEffect(forgetEntries, []);
  const isSubscribed = me !== null && me.subscribedAt !== null;
  useEffect(() => {
    if (isSubscribed || !isWithdrawing.current) return;
    isWithdrawing.current = false;
    showToast("Новостей больше не пришлём");
    heading.current?.focus(); // the pressed button is gone
  }, [isSubscribed]);
  if (!me) return null;
  return (
    <>
      <div className="flow__head">
        <h1 ref={heading} tabIndex={-1}>
          Личные данные
        </h1>
        <p>С нами с {day(me.since)}</p>
      </div>
      <dl className="facts">
        <div>
          <dt>Фамилия, имя и отчество</dt>
          <dd>{me.fullName || <Link to="/my/profile/edit">указать</Link>}</dd>
        </div>
        <div>
          <dt>Электронная почта</dt>
          <dd>{me.email || <Link to="/my/profile/edit">указать</Link>}</dd>
        </div>
        <div>
          <dt>Телефон</dt>
          <dd>
            <span className="digits">{maskedPhone(phoneDigits(me.phone))}</span>
            <small>по нему вы входите; сменить его поможет поддержка</small>
          </dd>
        </div>
        {me.city ? (
          <div>
            <dt>Город доставки</dt>
            <dd>{me.city}</dd>
          </div>
        ) : null}
        {me.point ? (
          <div>
            <dt>Пункт выдачи</dt>
            <dd>{me.point}</dd>
          </div>
        ) : null}
        {me.address ? (
          <div>
            <dt>Адрес для курьера</dt>
            <dd>{me.address}</dd>
          </div>
        ) : null}
        <div>
          <dt>Письма о новых монетах и акциях</dt>
          <dd>
            {me.subscribedAt ? (
              <>Согласие дано {day(me.subscribedAt)}</>
            ) : (
              <>
                Не присылаем. <Link to="/my/profile/edit">Подписаться</Link>
              </>
            )}
            <small>
              <a href={consentPages.newsletter} target="_blank" rel="noopener">
                Текст согласия на рассылку
              </a>
            </small>
            {me.subscribedAt && (
              <Form
                method="post"
                onSubmit={() => {
                  isWithdrawing.current = true;
                }}
              >
                <button className="text-button" aria-label="Отозвать согласие на рассылку">
                  Отозвать
                </button>
              </Form>
            )}
          </dd>
        </div>
      </dl>
      <p className="facts__actions">
        <ButtonLink variant="line" to="/my/profile/edit">
          Изменить
        </ButtonLink>
      </p>
      <section className="my-data" aria-labelledby="my-data">
        <h2 id="my-data">Ваши данные</h2>
        <p className="muted">Всё, что мы храним о вас, можно забрать одним файлом, а кабинет удалить.</p>
        <p className="my-data__actions">
          <a className="more" href="/api/me/export" download>
            Скачать мои данные
          </a>
          <Link className="more" to="/my/profile/delete">
            Удалить кабинет
          </Link>
        </p>
      </section>
    </>
  );
}
