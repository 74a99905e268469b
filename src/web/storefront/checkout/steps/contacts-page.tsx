import { useLoaderData, type ActionFunctionArgs, type LoaderFunctionArgs } from "react-router";
import { noBuyer } from "#shop/checkout/entries/entries.ts";
import { pageContext } from "#web/context.server.ts";
import type { PageHandle } from "../../page/page-handle.ts";
import { Field } from "../../../ui/fields/field.tsx";
import { ContactsFields } from "../../shared/contacts-fields.tsx";
import { personalHeaders } from "../../page/personal-page.ts";
import { contactFields, fieldId } from "../confirm/order-errors.ts";
import { stepPath } from "./step-names.ts";
import { contactMistakes } from "./step-rules.server.ts";
import { StepsFrame, stepMeta, type StepMetaArgs } from "./steps-frame.tsx";
import { frameView, isChecked, openAny, openStep, readForm, saveAndGo, withErrors } from "./steps.server.ts";

export const handle: PageHandle = { isPublic: false, changesCart: true, isBuying: true };

export const meta = (page: StepMetaArgs) => stepMeta("contacts", page);
export const headers = personalHeaders;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const stepRequest = await openStep(context.get(pageContext), "contacts");
  const { entries } = stepRequest;
  return {
    frame: await frameView(stepRequest, "contacts"),
    buyer: entries.buyer ?? noBuyer,
    errors: isChecked(request.url) ? contactMistakes(entries) : {},
  };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const [stepRequest, text] = await Promise.all([openAny(context.get(pageContext)), readForm(request)]);
  const buyer = {
    lastName: text("lastName"),
    name: text("name"),
    secondName: text("secondName"),
    phone: text("phone"),
    email: text("email"),
  };
  const isWrong = Object.keys(contactMistakes({ buyer })).length > 0;
  return saveAndGo(stepRequest, { buyer }, isWrong ? withErrors("contacts") : stepPath("city"));
}

export default function ContactsPage() {
  const { frame, buyer, errors } = useLoaderData<typeof loader>();
  const field = (name: (typeof contactFields)[number]) => ({
    id: fieldId(name),
    name,
    defaultValue: buyer[name],
    error: errors[name],
  });
  return (
    <StepsFrame view={frame} errors={errors}>
      <form method="post" noValidate>
        <div className="fields">
          <ContactsFields
            needsPassportName
            field={field}
            emailHint="Для чека и писем о заказе"
            phone={
              <Field
                label="Телефон"
                type="tel"
                inputMode="tel"
                autoComplete="tel"
                required
                maxLength={64}
                placeholder="+7 916 000-00-00"
                {...field("phone")}
              />
            }
          />
        </div>
        <div className="checkout-step__actions">
          <button className="button button--gold">Дальше: доставка</button>
          <p>Имя нужно для выдачи по паспорту. До заказа данные хранятся сутки и никому не передаются.</p>
        </div>
      </form>
    </StepsFrame>
  );
}
