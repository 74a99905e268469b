import { partnersForm } from "#contract/public/inquiries.ts";
import { done } from "#kit/result.ts";
import { inquiryLimits } from "#shop/inquiries/inquiry.ts";
import * as inquiries from "#shop/inquiries/service.ts";
import { pageContext } from "#web/context.server.ts";
import { Field } from "../../ui/fields/field.tsx";
import { TextArea } from "../../ui/fields/text-area.tsx";
import type { PageHandle } from "../page/page-handle.ts";
import { ContentForm, type FieldValues } from "./forms/content-form.tsx";
import { formStamp, handleForm } from "./forms/content-form.server.ts";
import { contentPages } from "./content-pages.ts";
import { plainPageMeta, PlainText } from "./plain-text.tsx";
import { loadPlainPage } from "./plain-page.server.ts";
import { EmailField, NameField, RequiredPhoneField } from "./forms/inquiry-fields.tsx";
import type { Route } from "./+types/partners-page.ts";

const node = contentPages.partners;
export { shouldRevalidate } from "./forms/form-answer.ts";
export const handle: PageHandle = { isPublic: true, node, hasNoDeliveryBanner: true };
export function meta({ loaderData, matches }: Route.MetaArgs) {
  return loaderData ? plainPageMeta(matches, loaderData) : [];
}

export async function loader({ context }: Route.LoaderArgs) {
  const page = context.get(pageContext);
  return { ...(await loadPlainPage(page, "partners")), stamp: formStamp(page.ctx) };
}

export const action = ({ request, context }: Route.ActionArgs) => {
  const page = context.get(pageContext);
  return handleForm(request, page, {
    kind: "partners",
    schema: partnersForm,
    read: ({ texts, hasConsent }) => ({ ...texts("company", "name", "phone", "email", "city", "note"), consent: hasConsent }),
    save: async ({ consent: _consent, ...form }, origin) =>
      done(await inquiries.submit(page.ctx, { kind: "partners", ...form, ...origin })),
  });
};

export default function PartnersPage({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <PlainText {...loaderData}>
      <ContentForm
        id="request"
        action={node.href}
        answer={actionData}
        stamp={loaderData.stamp}
        title="Стать партнёром"
        lead="Расскажите о себе: ответим в течение рабочего дня."
        button="Отправить заявку"
        thanks={{ title: "Заявка получена", text: "Спасибо! Ответим в течение рабочего дня по телефону или почте, которые вы указали." }}
      >
        {(fields) => <PartnerFields fields={fields} />}
      </ContentForm>
    </PlainText>
  );
}

const PartnerFields = ({ fields }: { fields: FieldValues }) => (
  <>
    <Field label="Организация" required autoComplete="organization" maxLength={inquiryLimits.company} {...fields.input("company")} />
    <div className="request__pair">
      <NameField fields={fields} required />
      <Field label="Город" autoComplete="address-level2" maxLength={inquiryLimits.city} {...fields.input("city")} />
      <RequiredPhoneField fields={fields} />
      <EmailField fields={fields} label="Электронная почта" required />
    </div>
    <TextArea label="Что предлагаете и какие объёмы" maxLength={inquiryLimits.note} {...fields.input("note")} />
  </>
);
