import { useMemo, useRef, useState } from "react";
import { buybackForm } from "#contract/public/inquiries.ts";
import { priceText } from "#kit/format.ts";
import type { Kopecks } from "#kit/money.ts";
import { done } from "#kit/result.ts";
import type { BuybackOffer } from "#shop/inquiries/estimate.ts";
import { coinConditions, inquiryLimits, type BuybackLine, type CoinCondition } from "#shop/inquiries/inquiry.ts";
import * as inquiries from "#shop/inquiries/service.ts";
import * as search from "#shop/search/service.ts";
import { pageContext } from "#web/context.server.ts";
import { Field } from "../../../ui/fields/field.tsx";
import { TextArea } from "../../../ui/fields/text-area.tsx";
import { useFrameData } from "../../frame/use-frame-data.ts";
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
import { EmailField, NameField, RequiredPhoneField } from "../forms/inquiry-fields.tsx";
import type { Route } from "./+types/buyback-page.ts";

const node = contentPages["coin-buyback"];
export { shouldRevalidate } from "../forms/form-answer.ts";
export const handle: PageHandle = { isPublic: true, parameters: ["coin"], values: { coin: "coin" }, node, hasLivePrices: true };
export function meta({ loaderData, matches }: Route.MetaArgs) {
  return loaderData ? plainPageMeta(matches, loaderData) : [];
}

/** `?coin=` comes from a product page or the calculator; it fills in the first row. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const page = context.get(pageContext);
  const { ctx } = page;
  const slug = new URL(request.url).searchParams.get("coin");
  const [coin, rows, plain] = await Promise.all([
    slug ? search.coinBySlug(ctx, slug) : null,
    buybackRows(ctx),
    loadPlainPage(page, "coin-buyback"),
  ]);
  return { ...plain, rows, stamp: formStamp(ctx), coinTitle: coin?.title ?? "" };
}

export const action = ({ request, context }: Route.ActionArgs) => {
  const page = context.get(pageContext);
  return handleForm(request, page, {
    kind: "buyback",
    schema: buybackForm,
    read: ({ texts, all, hasConsent }) => ({
      ...texts("name", "phone", "email", "condition", "note"),
      coins: linesOf(all("coin"), all("count")),
      consent: hasConsent,
    }),
    save: async ({ consent: _consent, ...form }, origin) => {
      const { id, estimate } = await inquiries.submit(page.ctx, { kind: "buyback", ...form, ...origin });
      return done({ id, note: estimate?.range ? estimateText(estimate.range, estimate.isWhole) : "" });
    },
  });
};

function estimateText({ least, most }: { least: Kopecks; most: Kopecks }, isWhole: boolean): string {
  const sum = least === most ? priceText(least) : `от ${priceText(least)} до ${priceText(most)}`;
  return `Предварительно ${sum}${isWhole ? "" : ", без монет, цену которых назовём отдельно"}.`;
}

/**
 * The rows up to the last one that names a coin; an empty count means 1. Empty rows at the end are dropped, those between filled rows stay,
 * so that errors belong to the right rows.
 */
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
  const frame = useFrameData();
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
        thanks={{
          title: "Заявка на оценку получена",
          text: "Спасибо! Посчитаем и позвоним в течение рабочего дня. Монеты везти пока не нужно.",
        }}
      >
        {(fields) => <BuybackFields fields={fields} wantsRow={wantsRow(actionData)} coinTitle={loaderData.coinTitle} offers={rows} />}
      </ContentForm>
    </PlainText>
  );
}

const wantsRow = (answer: FormAnswer | undefined): boolean => answer?.kind === "more";
const minRows = 2;

/** The rows of the form, read as the server will read them. */
function readLines(box: HTMLElement | null): BuybackLine[] {
  const texts = (name: string) =>
    [...(box?.querySelectorAll<HTMLInputElement>(`input[name=${name}]`) ?? [])].map(({ value }) => value.trim());
  return countedLines(texts("coin"), texts("count"));
}
const countedLines = (coins: readonly string[], counts: readonly string[]): BuybackLine[] =>
  linesOf(coins, counts).map(({ title, count }) => ({
    title,
    count: Number.isInteger(count) && count >= 1 && count <= inquiryLimits.count ? count : 1,
  }));

function BuybackFields({
  fields,
  wantsRow,
  coinTitle,
  offers: rowsOnOffer,
}: {
  fields: FieldValues;
  wantsRow: boolean;
  coinTitle: string;
  offers: readonly BuybackOffer[];
}) {
  const { value, values, error, draftCount } = fields;
  const box = useRef<HTMLFieldSetElement>(null);
  const [lines, setLines] = useState(() => countedLines(values("coin").length > 0 ? values("coin") : [coinTitle], values("count")));
  const [condition, setCondition] = useState(coinConditions.find((each) => each === value("condition")) ?? "good");
  const offers = useMemo(() => offersOf(rowsOnOffer), [rowsOnOffer]);
  const [requestedRows, setRequestedRows] = useState(
    Math.min(inquiryLimits.coins, Math.max(minRows, values("coin").length) + (wantsRow ? 1 : 0)),
  );
  const rows = Math.max(requestedRows, Math.min(inquiryLimits.coins, draftCount("coin")));
  return (
    <>
      {/* Enter presses the first button of a form: this one sends the form instead of adding a row. */}
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
              maxLength={inquiryLimits.coinTitle}
              list="coins-on-offer"
              autoComplete="off"
              placeholder={row === 0 ? "Сеятель, 1976" : undefined}
              defaultValue={values("coin")[row] ?? (row === 0 ? coinTitle : "")}
              error={error(`coins.${row}.title`) ?? (row === 0 ? error("coins") : undefined)}
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
              defaultValue={values("count")[row] ?? ""}
              placeholder="1"
              error={error(`coins.${row}.count`)}
            />
          </div>
        ))}
        {rows < inquiryLimits.coins && (
          // With scripts the row is added in place: a reload would lose what is typed meanwhile. Without scripts the server adds it.
          <>
            <button className="text-button" type="button" onClick={() => setRequestedRows(rows + 1)}>
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
        rows={3}
        maxLength={inquiryLimits.note}
        hint="Есть ли капсулы, коробки, документы"
        {...fields.input("note")}
      />
      <div className="request__pair">
        <NameField fields={fields} required />
        <RequiredPhoneField fields={fields} />
        <EmailField fields={fields} label="Электронная почта, если удобно" />
      </div>
    </>
  );
}
