import { useState } from "react";
import { buybackForm } from "#contract/inquiries.ts";
import { done } from "#kit/result.ts";
import { coinConditions, longestInquiry, type CoinCondition } from "#shop/inquiries/inquiry.ts";
import * as inquiries from "#shop/inquiries/service.ts";
import * as search from "#shop/search/service.ts";
import { pageContext } from "#web/context.server.ts";
import { Field } from "../../ui/field.tsx";
import { PhoneField } from "../../ui/phone-field.tsx";
import { TextArea } from "../../ui/text-area.tsx";
import type { PageHandle } from "../frame/frame.tsx";
import type { AskAnswer } from "./ask-answer.ts";
import { AskForm, type AskField } from "./ask-form.tsx";
import { formStamp, takeForm } from "./ask.server.ts";
import { places } from "./places.ts";
import { plainMeta, PlainText } from "./plain-text.tsx";
import { readPlain } from "./plain.server.ts";
import { requestConsent } from "./request-consent.tsx";
import type { Route } from "./+types/buyback-page.ts";

const place = places["coin-buyback"];
export { shouldRevalidate } from "./ask-answer.ts";
export const handle: PageHandle = { place };
export function meta({ loaderData, matches }: Route.MetaArgs) {
  return loaderData ? plainMeta(matches, loaderData) : [];
}

/** `?coin=` comes from a coin's own page and from the calculator: the first row names that coin already. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const { ctx } = context.get(pageContext);
  const slug = new URL(request.url).searchParams.get("coin");
  const coin = slug ? await search.product(ctx, slug) : null;
  return { ...(await readPlain(ctx, "coin-buyback")), stamp: formStamp(ctx), coinTitle: coin?.title ?? "" };
}

export const action = ({ request, context }: Route.ActionArgs) => {
  const page = context.get(pageContext);
  return takeForm(request, page, {
    kind: "buyback", schema: buybackForm,
    read: ({ text, all }) => ({
      name: text("name"), phone: text("phone"), email: text("email"), coins: linesOf(all("coin"), all("count")),
      condition: text("condition"), note: text("note"), consent: text("consent") === "yes",
    }),
    keep: async ({ consent: _consent, ...form }, filling) => done(await inquiries.ask(page.ctx, { kind: "buyback", ...form, ...filling })),
  });
};

/** The rows in which a coin was named, an empty count being one. Rows left empty are nobody's mistake, but those between filled ones keep their number. */
function linesOf(coins: readonly string[], counts: readonly string[]) {
  const last = coins.findLastIndex((coin) => coin !== "");
  return coins.slice(0, last + 1).map((title, row) => ({ title, count: Number((counts[row] ?? "").trim() || "1") }));
}

const conditions: Record<CoinCondition, string> = {
  perfect: "Идеальное: в капсуле, без следов", good: "Хорошее: мелкие следы", fair: "Удовлетворительное: царапины, потемнение", damaged: "Есть повреждённые",
};

export default function BuybackPage({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <PlainText {...loaderData}>
      <AskForm
        id="request" action={place.href} answer={actionData} stamp={loaderData.stamp} title="Оценить монеты" lead="Назовите монеты, ответим ценой и сроком её действия. Точная сумма — после осмотра, по котировке на экране."
        button="Отправить на оценку" consent={requestConsent} thanks={{ title: "Заявка на оценку получена", text: "Спасибо! Посчитаем и позвоним в течение рабочего дня. Монеты везти пока не нужно." }}
      >
        {(field) => <BuybackFields {...field} wantsRow={isMore(actionData)} coinTitle={loaderData.coinTitle} />}
      </AskForm>
    </PlainText>
  );
}

const isMore = (answer: AskAnswer | undefined): boolean => answer?.kind === "more";
const fewestRows = 2;

function BuybackFields({ was, all, wrong, wantsRow, coinTitle }: AskField & { wantsRow: boolean; coinTitle: string }) {
  const [phone, setPhone] = useState(was("phone"));
  const [rows, setRows] = useState(Math.min(longestInquiry.coins, Math.max(fewestRows, all("coin").length) + (wantsRow ? 1 : 0)));
  return (
    <>
      {/* Enter in a field presses the first button of a form: it is to send, not to add a row. */}
      <button className="vh" tabIndex={-1} aria-hidden="true">Отправить</button>
      <fieldset className="ask__rows">
        <legend>Какие монеты и сколько</legend>
        {Array.from({ length: rows }, (_, row) => (
          <div className="ask__row" key={row}>
            <Field
              label={row === 0 ? "Монета" : <>Монета <span className="num">{row + 1}</span></>} name="coin" required={row === 0} maxLength={longestInquiry.coinTitle} placeholder={row === 0 ? "Георгий Победоносец, 50 рублей, 2018" : undefined}
              defaultValue={all("coin")[row] ?? (row === 0 ? coinTitle : "")} error={wrong(`coins.${row}.title`) ?? (row === 0 ? wrong("coins") : undefined)}
            />
            <Field label={row === 0 ? "Штук" : <>Штук <span className="vh">монеты {row + 1}</span></>} name="count" inputMode="numeric" maxLength={4} defaultValue={all("count")[row] ?? ""} placeholder="1" error={wrong(`coins.${row}.count`)} />
          </div>
        ))}
        {rows < longestInquiry.coins && (
          // Without scripts the button asks the server for one more row.
          <button className="txt" name="intent" value="more" onClick={(event) => { event.preventDefault(); setRows(rows + 1); }}>Добавить монету</button>
        )}
      </fieldset>
      <div className="fl">
        <label htmlFor="condition">Состояние</label>
        <select id="condition" name="condition" defaultValue={was("condition") || "good"}>{coinConditions.map((each) => <option key={each} value={each}>{conditions[each]}</option>)}</select>
      </div>
      <TextArea label="Что ещё важно" name="note" rows={3} maxLength={longestInquiry.note} hint="Есть ли капсулы, коробки, документы" defaultValue={was("note")} error={wrong("note")} />
      <div className="ask__two">
        <Field label="Как к вам обращаться" name="name" required autoComplete="name" maxLength={longestInquiry.name} defaultValue={was("name")} error={wrong("name")} />
        <PhoneField label="Телефон" name="phone" required value={phone} onValue={setPhone} error={wrong("phone")} />
        <Field label="Электронная почта, если удобно" name="email" type="email" inputMode="email" autoComplete="email" defaultValue={was("email")} error={wrong("email")} />
      </div>
    </>
  );
}
