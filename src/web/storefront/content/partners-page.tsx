import { useState } from "react";
import { partnersForm } from "#contract/inquiries.ts";
import { done } from "#kit/result.ts";
import { longestInquiry } from "#shop/inquiries/inquiry.ts";
import * as inquiries from "#shop/inquiries/service.ts";
import { pageContext } from "#web/context.server.ts";
import { Field } from "../../ui/fields/field.tsx";
import { PhoneField } from "../../ui/fields/phone-field.tsx";
import { TextArea } from "../../ui/fields/text-area.tsx";
import type { PageHandle } from "../page/page-handle.ts";
import { ContentForm, type FieldValues } from "./forms/content-form.tsx";
import { formStamp, handleForm } from "./forms/content-form.server.ts";
import { contentPages } from "./content-pages.ts";
import { plainPageMeta, PlainText } from "./plain-text.tsx";
import { loadPlainPage } from "./plain-page.server.ts";
import { requestConsent } from "./forms/inquiry-consent.tsx";
import type { Route } from "./+types/partners-page.ts";

const node = contentPages.partners;
export { shouldRevalidate } from "./forms/form-answer.ts";
export const handle: PageHandle = { isPublic: true, node, hasNoDeliveryBanner: true };
export function meta({ loaderData, matches }: Route.MetaArgs) {
  return loaderData ? plainPageMeta(matches, loaderData) : [];
}

export async function loader({ context }: Route.LoaderArgs) {
  const { ctx } = context.get(pageContext);
  return { ...(await loadPlainPage(ctx, "partners")), stamp: formStamp(ctx) };
}

export const action = ({ request, context }: Route.ActionArgs) => {
  const page = context.get(pageContext);
  return handleForm(request, page, {
    kind: "partners",
    schema: partnersForm,
    read: ({ text }) => ({
      company: text("company"),
      name: text("name"),
      phone: text("phone"),
      email: text("email"),
      city: text("city"),
      note: text("note"),
      consent: text("consent") === "yes",
    }),
    keep: async ({ consent: _consent, ...form }, filling) =>
      done(await inquiries.submit(page.ctx, { kind: "partners", ...form, ...filling })),
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
        consent={requestConsent}
        thanks={{ title: "Заявка получена", text: "Спасибо! Ответим в течение рабочего дня по телефону или почте, которые вы указали." }}
      >
        {(field) => <PartnerFields {...field} />}
      </ContentForm>
    </PlainText>
  );
}

function PartnerFields({ was, wrong }: FieldValues) {
  const [phone, setPhone] = useState(was("phone"));
  return (
    <>
      <Field
        label="Организация"
        name="company"
        required
        autoComplete="organization"
        maxLength={longestInquiry.company}
        defaultValue={was("company")}
        error={wrong("company")}
      />
      <div className="request__pair">
        <Field
          label="Как к вам обращаться"
          name="name"
          required
          autoComplete="name"
          maxLength={longestInquiry.name}
          defaultValue={was("name")}
          error={wrong("name")}
        />
        <Field
          label="Город"
          name="city"
          autoComplete="address-level2"
          maxLength={longestInquiry.city}
          defaultValue={was("city")}
          error={wrong("city")}
        />
        <PhoneField label="Телефон" name="phone" required value={phone} onValue={setPhone} error={wrong("phone")} />
        <Field
          label="Электронная почта"
          name="email"
          type="email"
          inputMode="email"
          required
          autoComplete="email"
          defaultValue={was("email")}
          error={wrong("email")}
        />
      </div>
      <TextArea
        label="Что предлагаете и какие объёмы"
        name="note"
        maxLength={longestInquiry.note}
        defaultValue={was("note")}
        error={wrong("note")}
      />
    </>
  );
}
