import { useState } from "react";
import { Link } from "react-router";
import type * as z from "zod";
import * as contract from "#contract/staff/calls.ts";
import type { readPriceSteps } from "#contract/staff/prices/prices.ts";
import { maxSteps } from "#shop/pricing/steps/steps.ts";
import { WaitingApprovals } from "../staff/waiting-approvals.tsx";
import { actorText, when } from "../staff/words.ts";
import { CoinChoice } from "../stock/coin-choice.tsx";
import type { StockCoin } from "../stock/words.ts";
import { confirm } from "../ui/form/confirm.tsx";
import { Field } from "../ui/form/field.tsx";
import { focusFirstWrong } from "../ui/form/first-wrong.ts";
import { Notice, Trouble } from "../ui/marks.tsx";
import { PageHead, Section } from "../ui/page-head.tsx";
import { showToast } from "../ui/toasts.tsx";
import { formInUse } from "../ui/form/unsaved.ts";
import { UnsavedMark } from "../ui/form/unsaved-mark.tsx";
import { useRead } from "../ui/send/use-read.ts";
import { useSend } from "../ui/send/use-send.ts";
import "../styles/screens/prices.css";
import { readRows, rowErrors, rowsOf, stepsInWords, type StepRow } from "./step-rows.ts";

type StepSet = z.output<(typeof readPriceSteps)["answer"]>[number];
type Scope = { metal: "gold" | "silver" } | { coinId: number };

/** Lower premiums for more pieces: of both metals, and of single coins in place of them. */
export function Component() {
  const { data, refusal, reload } = useRead(contract.readPriceSteps);
  const ofMetal = (metal: "gold" | "silver") => data?.find((set) => set.metal === metal);
  const ofCoins = data?.filter(({ coinId }) => coinId !== null) ?? [];
  return (
    <>
      <PageHead
        title="Цены по количеству"
        facts="Скидка вычитается из премии инвестиционной монеты. Ниже металла цена не опускается."
        actions={
          <Link className="button" to="/prices">
            К ценам
          </Link>
        }
      />
      {refusal ? (
        <Notice tone="warn">
          <p>{refusal.message}</p>
        </Notice>
      ) : null}
      <WaitingApprovals area="price" />
      {data ? (
        <>
          {(["gold", "silver"] as const).map((metal) => (
            <Section key={metal} title={metal === "gold" ? "Золотые монеты" : "Серебряные монеты"}>
              <StepsForm key={ofMetal(metal)?.revision ?? 0} scope={{ metal }} set={ofMetal(metal)} onSaved={reload} />
            </Section>
          ))}
          <Section title="Отдельные монеты">
            {ofCoins.map((set) => (
              <div key={set.coinId} className="price-steps__coin">
                <h3>{set.title}</h3>
                <StepsForm key={set.revision} scope={{ coinId: set.coinId ?? 0 }} set={set} onSaved={reload} />
              </div>
            ))}
            <h3>Ещё одна монета</h3>
            <StepsForm key={`new ${ofCoins.length}`} scope={null} set={undefined} onSaved={reload} />
          </Section>
        </>
      ) : null}
    </>
  );
}

function StepsForm({ scope, set, onSaved }: { scope: Scope | null; set: StepSet | undefined; onSaved: () => Promise<void> }) {
  const [rows, setRows] = useState<StepRow[]>(() => rowsOf(set?.steps));
  const [coin, setCoin] = useState<StockCoin | null>(null);
  const [isTried, setTried] = useState(false);
  /** The rows of the steps that were sent last. */
  const [sent, setSent] = useState<number[]>([]);
  const { send, isBusy, refusal, fields, forget } = useSend(contract.savePriceSteps);
  const read = readRows(rows);
  const errors = isTried ? { ...rowErrors(fields, sent), ...read.errors } : {};
  const target: Scope | null = scope ?? (coin && { coinId: coin.id });
  const name = scope === null ? "новая монета" : (set?.title ?? ("metal" in scope ? scope.metal : ""));

  const save = async (to: StepSet["steps"] | null) => {
    if (!target) return;
    const answer = await send({ body: { scope: target, revision: set?.revision ?? 0, steps: to } });
    if (!answer?.ok) return;
    showToast("Сохранено. На сайте цены видны через секунду");
    await onSaved();
  };
  const submit = () => {
    setTried(true);
    setSent(read.places);
    if (Object.keys(read.errors).length > 0 || !target) return void setTimeout(() => focusFirstWrong(formInUse()), 0);
    void save(read.steps);
  };
  const coinError = isTried && !target ? "Выберите монету" : (fields["scope.coinId"] ?? null);
  const isSaidBeside = coinError !== null || Object.keys(errors).length > 0;
  return (
    <>
      <form
        className="price-steps__form"
        aria-label={`Ступени: ${name}`}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {scope === null ? (
          <div>
            <UnsavedMark value={coin?.id ?? null} stored={null} />
            <CoinChoice
              label="Монета"
              error={coinError}
              onChoose={(chosen) => {
                setCoin(chosen);
                forget();
              }}
            />
            {coin ? (
              <p>
                <b>{coin.title}</b> <span className="muted">{coin.code}</span>
              </p>
            ) : null}
          </div>
        ) : null}
        {rows.map((row, index) => {
          const change = (to: Partial<StepRow>) => {
            setRows(rows.map((each, at) => (at === index ? { ...each, ...to } : each)));
            forget();
          };
          return (
            // The rows are places in the form: they are not moved.
            <div className="pair" key={index}>
              <Field
                label="От, штук"
                inputMode="numeric"
                className="input input--right"
                value={row.quantity}
                error={errors[`${index}.quantity`]}
                onChange={(event) => change({ quantity: event.target.value })}
              />
              <Field
                label="Скидка"
                unit="п. п."
                inputMode="decimal"
                className="input input--right"
                value={row.discount}
                error={errors[`${index}.discountBp`]}
                onChange={(event) => change({ discount: event.target.value })}
              />
            </div>
          );
        })}
        {refusal && !isSaidBeside ? (
          <p role="alert">
            <Trouble>{fields["steps"] ?? refusal.message}</Trouble>
          </p>
        ) : null}
        <div className="foot__actions">
          {rows.length < maxSteps ? (
            <button className="button button--quiet" type="button" onClick={() => setRows([...rows, { quantity: "", discount: "" }])}>
              Ещё ступень
            </button>
          ) : null}
          {set && set.coinId !== null ? (
            <button className="button" type="button" disabled={isBusy} onClick={() => void save(null)}>
              Как у металла
            </button>
          ) : null}
          <button className="button" type="submit" disabled={isBusy}>
            Сохранить
          </button>
        </div>
      </form>
      {scope && set ? <FormerSteps scope={scope} name={name} isBusy={isBusy} onTakeBack={(steps) => void save(steps)} /> : null}
    </>
  );
}

/** The values before each of the last changes; they can be saved again, as a new change. */
function FormerSteps({
  scope,
  name,
  isBusy,
  onTakeBack,
}: {
  scope: Scope;
  name: string;
  isBusy: boolean;
  onTakeBack: (steps: StepSet["steps"] | null) => void;
}) {
  const { data } = useRead(contract.readFormerPriceSteps, { query: scope });
  if (!data || data.items.length === 0) return null;
  const isOfCoin = "coinId" in scope;
  const takeBack = async (steps: StepSet["steps"] | null, words: string) => {
    const isSure = await confirm({ title: "Вернуть прежние ступени?", text: `${words}. Это будет новым изменением.`, action: "Вернуть" });
    if (isSure) onTakeBack(isOfCoin ? steps : (steps ?? []));
  };
  return (
    <details className="price-steps__former">
      <summary>Прежние ступени: {data.items.length}</summary>
      <ul aria-label={`Прежние ступени: ${name}`}>
        {data.items.map(({ entry, replacedAt, replacedBy, steps }) => {
          const words = isOfCoin || steps !== null ? stepsInWords(steps) : "без ступеней";
          return (
            <li key={entry}>
              {words}{" "}
              <span className="soft">
                до {when(replacedAt)}, изменил {actorText(replacedBy)}
              </span>{" "}
              <button
                className="text-button"
                type="button"
                disabled={isBusy}
                aria-label={`Вернуть: ${words}`}
                onClick={() => void takeBack(steps, words)}
              >
                Вернуть
              </button>
            </li>
          );
        })}
      </ul>
    </details>
  );
}
