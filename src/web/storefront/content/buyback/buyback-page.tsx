import { useMemo, useRef, useState } from "react";
import { useRouteLoaderData } from "react-router";
import { buybackForm } from "#contract/inquiries.ts";
import { priceText } from "#kit/format.ts";
import type { Kopecks } from "#kit/money.ts";
import { done } from "#kit/result.ts";
import type { BuybackOffer } from "#shop/inquiries/estimate.ts";
import { coinConditions, longestInquiry, type BuybackLine, type CoinCondition } from "#shop/inquiries/inquiry.ts";
import * as inquiries from "#shop/inquiries/service.ts";
import * as search from "#shop/search/service.ts";
import { pageContext } from "#web/context.server.ts";
import { Field } from "../../../ui/fields/field.tsx";
import { PhoneField } from "../../../ui/fields/phone-field.tsx";
import { TextArea } from "../../../ui/fields/text-area.tsx";
import type { FrameData } from "../../frame/frame-data.ts";
import type { PageHandle } from "../../page/page-handle.ts";
import type { FormAnswer } from "../forms/form-answer.ts";
import { ContentForm, type FieldValues } from "../forms/content-form.tsx";
import { formStamp, handleForm } from "../forms/content-form.server.ts";
import { BuybackEstimate, offersOf } from "./buyback-estimate.tsx";
import { BuybackPrices } from "./buyback-prices.tsx";
import { buybackRows } from "./buyback.server.ts";
import { contentPages } from "../content-pages.ts";
import { plainPageMeta, PlainText } from "../plain-text.tsx";
import { loadPlainPage } from "../plain-page.server.ts";
import { requestConsent } from "../forms/inquiry-consent.tsx";
import type { Route } from "./+types/buyback-page.ts";

const node = contentPages["coin-buyback"];
export { shouldRevalidate } from "../forms/form-answer.ts";
export const handle: PageHandle = { isPublic: true, parameters: ["coin"], node, hasLivePrices: true };
export function meta({ loaderData, matches }: Route.MetaArgs) {
  return loaderData ? plainPageMeta(matches, loaderData) : [];
}

/** `?coin=` comes from a coin's own page and from the calculator: the first row names that coin already. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const { ctx } = context.get(pageContext);
  const slug = new URL(request.url).searchParams.get("coin");
  const [coin, rows, plain] = await Promise.all([
    slug ? search.coinBySlug(ctx, slug) : null,
    buybackRows(ctx),
    loadPlainPage(ctx, "coin-buyback"),
  ]);
  return { ...plain, rows, stamp: formStamp(ctx), coinTitle: coin?.title ?? "" };
}

export const action = ({ request, context }: Route.ActionArgs) => {
  const page = context.get(pageContext);
  return handleForm(request, page, {
    kind: "buyback",
    schema: buybackForm,
    read: ({ text, all }) => ({
      name: text("name"),
      phone: text("phone"),
      email: text("email"),
      coins: linesOf(all("coin"), all("count")),
      condition: text("condition"),
      note: text("note"),
      consent: text("consent") === "yes",
    }),
    keep: async ({ consent: _consent, ...form }, filling) => {
      const { id, estimate } = await inquiries.submit(page.ctx, { kind: "buyback", ...form, ...filling });
      return done({ id, said: estimate?.range ? estimateWords(estimate.range, estimate.isWhole) : "" });
    },
  });
};

const estimateWords = ({ least, most }: { least: Kopecks; most: Kopecks }, isWhole: boolean): string =>
  `Предварительно ${least === most ? priceText(least) : `от ${priceText(least)} до ${priceText(most)}`}${isWhole ? "" : ", без монет, цену которых назовём отдельно"}.`;

/** The rows in which a coin was named, an empty count being one. Rows left empty are nobody's mistake, but those between filled ones keep their number. */
function linesOf(coins: readonly string[], counts: readonly string[]) {
  const last = coins.findLastIndex((coin) => coin !== "");
  return coins.slice(0, last + 1).map((title, row) => ({ title, count: Number((counts[row] ?? "").trim() || "1") }));
}

const conditions: Record<CoinCondition, string> = {
  perfect: "Идеальное: в капсуле, без следов",
  good: "Хорошее: мелкие следы",
  fair: "Удовлетворительное: царапины, потемнение",
  damaged: "Есть повреждённые",
};

export default function BuybackPage({ loaderData, actionData }: Route.ComponentProps) {
  const frame = useRouteLoaderData<FrameData>("root");
  const note = !frame
    ? null
    : !frame.market.isOpen
      ? `Торги закрыты: цены последние. ${frame.market.note ?? ""} Заявку можно отправить и сейчас, сумму назовём по цене открытия.`
      : frame.isStale
        ? "Курс задерживается: показаны последние известные цены."
        : null;
  const { rows } = loaderData;
  return (
    <PlainText {...loaderData} before={<BuybackPrices rows={rows} pricedAt={frame?.ratesAt ?? null} note={note} />}>
      <ContentForm
        id="request"
        action={node.href}
        answer={actionData}
        stamp={loaderData.stamp}
        title="Оценить монеты"
        lead="Назовите монеты, ответим ценой и сроком её действия. Точная сумма — после осмотра, по котировке на экране."
        button="Отправить на оценку"
        consent={requestConsent}
        thanks={{
          title: "Заявка на оценку получена",
          text: "Спасибо! Посчитаем и позвоним в течение рабочего дня. Монеты везти пока не нужно.",
        }}
      >
        {(field) => <BuybackFields {...field} wantsRow={isMore(actionData)} coinTitle={loaderData.coinTitle} offers={rows} />}
      </ContentForm>
    </PlainText>
  );
}

const isMore = (answer: FormAnswer | undefined): boolean => answer?.kind === "more";
const fewestRows = 2;

/** What stands in the rows, as the server will read it. */
function readLines(box: HTMLElement | null): BuybackLine[] {
  const texts = (name: string) =>
    [...(box?.querySelectorAll<HTMLInputElement>(`input[name=${name}]`) ?? [])].map(({ value }) => value.trim());
  return countedLines(texts("coin"), texts("count"));
}
const countedLines = (coins: readonly string[], counts: readonly string[]): BuybackLine[] =>
  linesOf(coins, counts).map(({ title, count }) => ({
    title,
    count: Number.isInteger(count) && count >= 1 && count <= longestInquiry.count ? count : 1,
  }));

function BuybackFields({
  was,
  all,
  wrong,
  kept,
  wantsRow,
  coinTitle,
  offers: rowsOnOffer,
}: FieldValues & { wantsRow: boolean; coinTitle: string; offers: readonly BuybackOffer[] }) {
  const [phone, setPhone] = useState(was("phone"));
  const box = useRef<HTMLFieldSetElement>(null);
  const [lines, setLines] = useState(() => countedLines(all("coin").length > 0 ? all("coin") : [coinTitle], all("count")));
  const [condition, setCondition] = useState(coinConditions.find((each) => each === was("condition")) ?? "good");
  const offers = useMemo(() => offersOf(rowsOnOffer), [rowsOnOffer]);
  const [asked, setAsked] = useState(Math.min(longestInquiry.coins, Math.max(fewestRows, all("coin").length) + (wantsRow ? 1 : 0)));
  const rows = Math.max(asked, Math.min(longestInquiry.coins, kept("coin")));
  return (
    <>
      {/* Enter in a field presses the first button of a form: it is to send, not to add a row. */}
      <button className="visually-hidden" tabIndex={-1} aria-hidden="true">
        Отправить
      </button>
      <fieldset className="request__rows" ref={box} onInput={() => setLines(readLines(box.current))}>
        <legend>Какие монеты и сколько</legend>
        {Array.from({ length: rows }, (_, row) => (
          <div className="request__row" key={row}>
            <Field
              label={
                row === 0 ? (
                  "Монета"
                ) : (
                  <>
                    Монета <span className="digits">{row + 1}</span>
                  </>
                )
              }
              name="coin"
              required={row === 0}
              maxLength={longestInquiry.coinTitle}
              list="coins-on-offer"
              autoComplete="off"
              placeholder={row === 0 ? "Сеятель, 1976" : undefined}
              defaultValue={all("coin")[row] ?? (row === 0 ? coinTitle : "")}
              error={wrong(`coins.${row}.title`) ?? (row === 0 ? wrong("coins") : undefined)}
            />
            <Field
              label={
                row === 0 ? (
                  "Штук"
                ) : (
                  <>
                    Штук <span className="visually-hidden">монеты {row + 1}</span>
                  </>
                )
              }
              name="count"
              inputMode="numeric"
              maxLength={4}
              defaultValue={all("count")[row] ?? ""}
              placeholder="1"
              error={wrong(`coins.${row}.count`)}
            />
          </div>
        ))}
        {rows < longestInquiry.coins && (
          // Not the form's button that reloads the page: whoever goes on typing meanwhile would lose his words. Without scripts the server adds the row.
          <>
            <button className="text-button" type="button" onClick={() => setAsked(rows + 1)}>
              Добавить монету
            </button>
            <noscript>
              <button className="text-button" name="intent" value="more">
                Добавить монету
              </button>
            </noscript>
          </>
        )}
        <datalist id="coins-on-offer">
          {rowsOnOffer.map(({ title }) => (
            <option key={title} value={title} />
          ))}
        </datalist>
      </fieldset>
      <div className="field">
        <label htmlFor="condition">Состояние</label>
        <select
          id="condition"
          name="condition"
          value={condition}
          onChange={(event) => setCondition(coinConditions.find((each) => each === event.target.value) ?? "good")}
        >
          {coinConditions.map((each) => (
            <option key={each} value={each}>
              {conditions[each]}
            </option>
          ))}
        </select>
      </div>
      <BuybackEstimate lines={lines} condition={condition} offers={offers} />
      <noscript>
        <button className="button button--line" name="intent" value="count">
          Посчитать
        </button>
      </noscript>
      <TextArea
        label="Что ещё важно"
        name="note"
        rows={3}
        maxLength={longestInquiry.note}
        hint="Есть ли капсулы, коробки, документы"
        defaultValue={was("note")}
        error={wrong("note")}
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
        <PhoneField label="Телефон" name="phone" required value={phone} onValue={setPhone} error={wrong("phone")} />
        <Field
          label="Электронная почта, если удобно"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="email"
          defaultValue={was("email")}
          error={wrong("email")}
        />
      </div>
    </>
  );
}
