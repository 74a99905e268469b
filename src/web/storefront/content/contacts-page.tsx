import { useState } from "react";
import { useRouteLoaderData } from "react-router";
import { callbackForm } from "#contract/inquiries.ts";
import { done } from "#kit/result.ts";
import { longestInquiry } from "#shop/inquiries/inquiry.ts";
import * as inquiries from "#shop/inquiries/service.ts";
import { pageContext } from "#web/context.server.ts";
import { Field } from "../../ui/fields/field.tsx";
import { PhoneField } from "../../ui/fields/phone-field.tsx";
import { TextArea } from "../../ui/fields/text-area.tsx";
import type { FrameData } from "../frame/frame-data.ts";
import type { PageHandle } from "../page/page-handle.ts";
import { ContentForm, type FieldValues } from "./forms/content-form.tsx";
import { formStamp, handleForm } from "./forms/content-form.server.ts";
import { contentPages } from "./content-pages.ts";
import { plainPageMeta, PlainText } from "./plain-text.tsx";
import { loadPlainPage } from "./plain-page.server.ts";
import { requestConsent } from "./forms/inquiry-consent.tsx";
import type { Route } from "./+types/contacts-page.ts";

const node = contentPages.contacts;
export { shouldRevalidate } from "./forms/form-answer.ts";
export const handle: PageHandle = { isPublic: true, node };
export function meta({ loaderData, matches }: Route.MetaArgs) {
  return loaderData ? plainPageMeta(matches, loaderData) : [];
}

export async function loader({ context }: Route.LoaderArgs) {
  const { ctx } = context.get(pageContext);
  return { ...(await loadPlainPage(ctx, "contacts")), stamp: formStamp(ctx) };
}

export const action = ({ request, context }: Route.ActionArgs) => {
  const page = context.get(pageContext);
  return handleForm(request, page, {
    kind: "callback",
    schema: callbackForm,
    read: ({ text }) => ({
      name: text("name"),
      phone: text("phone"),
      convenientTime: text("convenientTime"),
      note: text("note"),
      consent: text("consent") === "yes",
    }),
    keep: async ({ consent: _consent, ...form }, filling) =>
      done(await inquiries.submit(page.ctx, { kind: "callback", email: "", ...form, ...filling })),
  });
};

export default function ContactsPage({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <PlainText {...loaderData} before={<Reach />}>
      <ContentForm
        id="callback"
        action={node.href}
        answer={actionData}
        stamp={loaderData.stamp}
        title="Перезвоним вам"
        lead="Оставьте номер: позвоним в рабочие часы."
        button="Жду звонка"
        consent={requestConsent}
        thanks={{ title: "Скоро позвоним", text: "Номер у нас. Позвоним в рабочие часы." }}
      >
        {(field) => <CallbackFields {...field} />}
      </ContentForm>
    </PlainText>
  );
}

/** How to reach the shop, from its settings. */
function Reach() {
  const shop = useRouteLoaderData<FrameData>("root")?.shop;
  if (!shop) return null;
  return (
    <dl className="reach">
      <div>
        <dt>Телефоны</dt>
        {shop.phones.map(({ display, href }) => (
          <dd key={href}>
            <a className="digits" href={href}>
              {display}
            </a>
          </dd>
        ))}
        <dd>
          Поддержка сайта: добавочный <span className="digits">{shop.supportExtension}</span>
        </dd>
      </div>
      <div>
        <dt>Центральный офис</dt>
        <dd>{shop.address}</dd>
        {shop.hours.map((line) => (
          <dd key={line}>{line}</dd>
        ))}
      </div>
      <div>
        <dt>Написать</dt>
        <dd>
          <a href={`mailto:${shop.email}`}>{shop.email}</a>
        </dd>
        {shop.messengers.map(({ id, title, href }) => (
          <dd key={id}>
            <a href={href} rel="noreferrer" target="_blank">
              {title}
            </a>
          </dd>
        ))}
      </div>
    </dl>
  );
}

function CallbackFields({ was, wrong }: FieldValues) {
  const [phone, setPhone] = useState(was("phone"));
  return (
    <>
      <div className="request__pair">
        <PhoneField label="Телефон" name="phone" required value={phone} onValue={setPhone} error={wrong("phone")} />
        <Field
          label="Как к вам обращаться"
          name="name"
          autoComplete="name"
          maxLength={longestInquiry.name}
          defaultValue={was("name")}
          error={wrong("name")}
        />
      </div>
      <Field
        label="Когда удобно"
        name="convenientTime"
        placeholder="например, после обеда"
        maxLength={longestInquiry.convenientTime}
        defaultValue={was("convenientTime")}
        error={wrong("convenientTime")}
      />
      <TextArea
        label="О чём поговорим"
        name="note"
        rows={3}
        maxLength={longestInquiry.note}
        defaultValue={was("note")}
        error={wrong("note")}
      />
    </>
  );
}
