import { useState } from "react";
import { Link } from "react-router";
import type * as z from "zod";
import * as contract from "#contract/staff/calls.ts";
import type { readPriceSteps } from "#contract/staff/prices.ts";
import { Field } from "../ui/field.tsx";
import { Notice, Trouble } from "../ui/marks.tsx";
import { PageHead, Section } from "../ui/page-head.tsx";
import { showToast } from "../ui/toasts.tsx";
import { useRead } from "../ui/use-read.ts";
import { useSend } from "../ui/use-send.ts";
import "../styles/prices.css";
import { parsePoints, points } from "./words.ts";

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

type Typed = { quantity: string; discount: string };
const usual: Typed[] = ["5", "10", "20"].map((quantity) => ({ quantity, discount: "" }));

function StepsForm({ scope, set, onSaved }: { scope: Scope | null; set: StepSet | undefined; onSaved: () => Promise<void> }) {
  const [typed, setTyped] = useState<Typed[]>(() => {
    const stored = set?.steps.map(({ quantity, discountBp }) => ({ quantity: String(quantity), discount: points(discountBp) })) ?? [];
    return stored.length > 0 ? [...stored, { quantity: "", discount: "" }] : usual;
  });
  const [coinId, setCoinId] = useState("");
  const [error, setError] = useState<string | null>(null);
  const [isCoinAbsent, setCoinAbsent] = useState(false);
  const { send, isBusy, refusal, fields } = useSend(contract.savePriceSteps);
  const steps = typed.filter(({ discount }) => discount.trim() !== "");
  const name = scope === null ? "новая монета" : (set?.title ?? ("metal" in scope ? scope.metal : ""));

  const save = async (to: StepSet["steps"] | null) => {
    const answer = await send({ body: { scope: scope ?? { coinId: Number(coinId) }, revision: set?.revision ?? 0, steps: to } });
    if (!answer?.ok) return;
    showToast("Сохранено. На сайте цены видны через секунду");
    await onSaved();
  };
  const submit = () => {
    const read = steps.map(({ quantity, discount }) => ({ quantity: Number(quantity), discountBp: parsePoints(discount) ?? 0 }));
    const isWrong = read.some(({ quantity, discountBp }) => !Number.isInteger(quantity) || quantity < 2 || discountBp <= 0);
    const isCoinMissing = scope === null && !/^[1-9]\d{0,8}$/.test(coinId);
    setError(isWrong ? "От 2 штук, скидка больше нуля, например 0,5" : null);
    if (!isWrong && !isCoinMissing) void save(read);
    setCoinAbsent(isCoinMissing);
  };
  const coinError = isCoinAbsent ? "Введите номер монеты" : (fields["scope.coinId"] ?? null);
  const trouble = error ?? fields["steps"] ?? (coinError === null ? refusal?.message : undefined);
  return (
    <form
      className="price-steps__form"
      aria-label={`Ступени: ${name}`}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {scope === null ? (
        <Field
          label="Номер монеты"
          inputMode="numeric"
          value={coinId}
          error={coinError}
          onChange={(event) => setCoinId(event.target.value)}
        />
      ) : null}
      {typed.map((step, index) => {
        const change = (to: Partial<Typed>) => setTyped(typed.map((each, at) => (at === index ? { ...each, ...to } : each)));
        return (
          // The rows are places in the form: they are not moved.
          <div className="pair" key={index}>
            <Field
              label="От, штук"
              inputMode="numeric"
              className="input input--right"
              value={step.quantity}
              onChange={(event) => change({ quantity: event.target.value })}
            />
            <Field
              label="Скидка"
              unit="п. п."
              className="input input--right"
              value={step.discount}
              onChange={(event) => change({ discount: event.target.value })}
            />
          </div>
        );
      })}
      {trouble ? (
        <p role="alert">
          <Trouble>{trouble}</Trouble>
        </p>
      ) : null}
      <div className="foot__actions">
        {typed.length < 6 ? (
          <button className="button button--quiet" type="button" onClick={() => setTyped([...typed, { quantity: "", discount: "" }])}>
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
  );
}
