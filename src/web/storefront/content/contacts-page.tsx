import { callbackForm } from "#contract/public/inquiries.ts";
import { done } from "#kit/result.ts";
import { inquiryLimits } from "#shop/inquiries/inquiry.ts";
import * as inquiries from "#shop/inquiries/service.ts";
import { pageContext } from "#web/context.server.ts";
import { Field } from "../../ui/fields/field.tsx";
import { TextArea } from "../../ui/fields/text-area.tsx";
import { useFrameData } from "../frame/use-frame-data.ts";
import type { PageHandle } from "../page/page-handle.ts";
import { ContentForm, type FieldValues } from "./forms/content-form.tsx";
import { formStamp, handleForm } from "./forms/content-form.server.ts";
import { contentPages } from "./content-pages.ts";
import { plainPageMeta, PlainText } from "./plain-text.tsx";
import { loadPlainPage } from "./plain-page.server.ts";
import { NameField, RequiredPhoneField } from "./forms/inquiry-fields.tsx";
import type { Route } from "./+types/contacts-page.ts";

const node = contentPages.contacts;
export { shouldRevalidate } from "./forms/form-answer.ts";
export const handle: PageHandle = { isPublic: true, node };
export function meta({ loaderData, matches }: Route.MetaArgs) {
  return loaderData ? plainPageMeta(matches, loaderData) : [];
}

export async function loader({ context }: Route.LoaderArgs) {
  const page = context.get(pageContext);
  return { ...(await loadPlainPage(page, "contacts")), stamp: formStamp(page.ctx) };
}

export const action = ({ request, context }: Route.ActionArgs) => {
  const page = context.get(pageContext);
  return handleForm(request, page, {
    kind: "callback",
    schema: callbackForm,
    read: ({ texts, hasConsent }) => ({ ...texts("name", "phone", "convenientTime", "note"), consent: hasConsent }),
    save: async ({ consent: _consent, ...form }, origin) =>
      done(await inquiries.submit(page.ctx, { kind: "callback", email: "", ...form, ...origin })),
  });
};

export default function ContactsPage({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <PlainText {...loaderData} before={<ContactDetails />}>
      <ContentForm
        id="callback"
        action={node.href}
        answer={actionData}
        stamp={loaderData.stamp}
        title="Перезвоним вам"
        lead="Оставьте номер: позвоним в рабочие часы."
        button="Жду звонка"
        thanks={{ title: "Скоро позвоним", text: "Номер у нас. Позвоним в рабочие часы." }}
      >
        {(fields) => <CallbackFields fields={fields} />}
      </ContentForm>
    </PlainText>
  );
}

/** Phones, address and messengers, from the settings. */
function ContactDetails() {
  const shop = useFrameData()?.shop;
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
        {shop.messengers.map(({ title, href }) => (
          <dd key={href}>
            <a href={href} rel="noreferrer" target="_blank">
              {title}
            </a>
          </dd>
        ))}
      </div>
    </dl>
  );
}

const CallbackFields = ({ fields }: { fields: FieldValues }) => (
  <>
    <div className="request__pair">
      <RequiredPhoneField fields={fields} />
      <NameField fields={fields} />
    </div>
    <Field
      label="Когда удобно"
      placeholder="например, после обеда"
      maxLength={inquiryLimits.convenientTime}
      {...fields.input("convenientTime")}
    />
    <TextArea label="О чём поговорим" rows={3} maxLength={inquiryLimits.note} {...fields.input("note")} />
  </>
);
