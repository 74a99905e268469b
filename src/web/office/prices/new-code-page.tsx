import { useState } from "react";
import { Link, useNavigate } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { isoMoscow } from "#kit/moscow-time.ts";
import { CoinChoice } from "../stock/coin-choice.tsx";
import type { StockCoin } from "../stock/words.ts";
import { Check, Field, Select } from "../ui/form/field.tsx";
import { Trouble } from "../ui/marks.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { showToast } from "../ui/toasts.tsx";
import { UnsavedMark } from "../ui/form/unsaved-mark.tsx";
import { useRead } from "../ui/send/use-read.ts";
import { useSend } from "../ui/send/use-send.ts";
import "../styles/screens/prices.css";
import { momentOf } from "./promo-words.ts";
import { parsePoints } from "./words.ts";

const empty = { code: "", value: "", from: "", till: "", maxUses: "", maxUsesPerPerson: "1", minSum: "" };
type Typed = typeof empty;

/** A new promo code. Codes are not changed afterwards, so that every order has what the code said. */
export function Component() {
  const [typed, setTyped] = useState<Typed>(empty);
  const [kind, setKind] = useState<"percent" | "sum">("sum");
  const [isWithPromos, setWithPromos] = useState(false);
  const [coins, setCoins] = useState<readonly StockCoin[]>([]);
  const [categories, setCategories] = useState<readonly string[]>([]);
  const [missing, setMissing] = useState<Record<string, string>>({});
  const { data: facets } = useRead(contract.readPriceFilters);
  const { send, isBusy, refusal, fields } = useSend(contract.createPromoCode);
  const navigate = useNavigate();
  const errors = { ...fields, ...missing };
  const input = (name: keyof Typed) => ({
    value: typed[name],
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => setTyped({ ...typed, [name]: event.target.value }),
  });

  const save = async () => {
    const percentBp = kind === "percent" ? parsePoints(typed.value) : null;
    const amount = kind === "sum" ? roublesOf(typed.value) : null;
    const wrong: Record<string, string> = {
      ...(percentBp === null && amount === null ? { sum: kind === "sum" ? "Сумма, например 500" : "Процент, например 2,5" } : {}),
      ...(typed.minSum.trim() !== "" && roublesOf(typed.minSum) === null ? { minSum: "Сумма, например 10 000" } : {}),
      ...(typed.till !== "" && momentOf(typed.till) === null ? { endsAt: "Укажите день и время" } : {}),
      ...(countOf(typed.maxUses) === undefined ? { maxUses: "Целое число" } : {}),
      ...(countOf(typed.maxUsesPerPerson) === undefined ? { maxUsesPerPerson: "Целое число" } : {}),
    };
    setMissing(wrong);
    if (Object.keys(wrong).length > 0) return;
    const answer = await send({
      body: {
        code: typed.code,
        percentBp,
        sum: amount,
        startsAt: momentOf(typed.from) ?? isoMoscow(new Date()),
        endsAt: momentOf(typed.till),
        maxUses: countOf(typed.maxUses) ?? null,
        maxUsesPerPerson: countOf(typed.maxUsesPerPerson) ?? null,
        minSum: roublesOf(typed.minSum) ?? 0,
        coinIds: coins.length === 0 ? null : coins.map(({ id }) => id),
        categories: categories.length === 0 ? null : [...categories],
        isWithPromos,
      },
    });
    if (!answer) return;
    if (answer.ok) {
      showToast(`Промокод ${answer.value.code} готов`);
      await navigate(`/prices/codes/${answer.value.id}`);
    } else if (answer.error === null) await navigate("/prices/codes");
  };

  return (
    <>
      <PageHead
        title="Новый промокод"
        facts="Потом его можно только остановить."
        actions={
          <Link className="button" to="/prices/codes">
            Все промокоды
          </Link>
        }
      />
      <form
        className="code-form"
        aria-label="Новый промокод"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Field label="Промокод" autoComplete="off" maxLength={50} error={errors["code"]} {...input("code")} />
        <div className="pair">
          <Select
            label="Скидка"
            value={kind}
            options={[
              ["sum", "Сумма"],
              ["percent", "Процент цены"],
            ]}
            onChange={(event) => setKind(event.target.value === "sum" ? "sum" : "percent")}
          />
          <Field
            label="Сколько"
            unit={kind === "sum" ? "₽" : "%"}
            inputMode="decimal"
            className="input input--right"
            error={errors["sum"] ?? errors["percentBp"]}
            {...input("value")}
          />
        </div>
        <div className="pair">
          <Field label="С, московское" type="datetime-local" hint="пусто — сразу" error={errors["startsAt"]} {...input("from")} />
          <Field
            label="До, московское"
            type="datetime-local"
            hint="пусто — пока не остановят"
            error={errors["endsAt"]}
            {...input("till")}
          />
        </div>
        <div className="pair">
          <Field
            label="Применений всего"
            inputMode="numeric"
            hint="пусто — сколько угодно"
            error={errors["maxUses"]}
            {...input("maxUses")}
          />
          <Field
            label="Одному покупателю"
            inputMode="numeric"
            hint="по телефону или кабинету"
            error={errors["maxUsesPerPerson"]}
            {...input("maxUsesPerPerson")}
          />
        </div>
        <Field label="Монеты в корзине от" unit="₽" inputMode="decimal" error={errors["minSum"]} {...input("minSum")} />
        <fieldset>
          <legend className="field__label">Только монеты</legend>
          <UnsavedMark value={coins.map(({ id }) => id)} stored={[]} />
          {coins.length === 0 ? null : (
            <ul className="code-form__coins" aria-label="Монеты промокода">
              {coins.map((coin) => (
                <li key={coin.id}>
                  {coin.title} <span className="muted">{coin.code}</span>{" "}
                  <button
                    className="text-button"
                    type="button"
                    aria-label={`Убрать: ${coin.title}`}
                    onClick={() => setCoins(coins.filter(({ id }) => id !== coin.id))}
                  >
                    Убрать
                  </button>
                </li>
              ))}
            </ul>
          )}
          <CoinChoice
            label="Добавить монету"
            hint="Название или артикул, потом Enter. Ни одной — все монеты"
            error={errors["coinIds"]}
            onChoose={(chosen) => setCoins((before) => (before.some(({ id }) => id === chosen.id) ? before : [...before, chosen]))}
          />
        </fieldset>
        <fieldset>
          <legend className="field__label">Только разделы</legend>
          {facets?.categories.map(({ slug, title, coins }) => (
            <Check
              key={slug}
              checked={categories.includes(slug)}
              onChange={(event) => setCategories(event.target.checked ? [...categories, slug] : categories.filter((each) => each !== slug))}
            >
              {title} <span className="muted">{coins}</span>
            </Check>
          ))}
        </fieldset>
        <Check checked={isWithPromos} onChange={(event) => setWithPromos(event.target.checked)}>
          Действует и на монеты по акции
        </Check>
        {refusal ? (
          <p role="alert">
            <Trouble>{errors["categories"] ?? refusal.message}</Trouble>
          </p>
        ) : null}
        <div className="foot__actions">
          <button className="button button--gold" type="submit" disabled={isBusy}>
            Создать промокод
          </button>
        </div>
      </form>
    </>
  );
}

/** `10 000,50` → 10000.5; null: not a sum. */
function roublesOf(text: string): number | null {
  const plain = text.replaceAll(/[\s\u00A0₽]/g, "").replace(",", ".");
  return /^\d{1,9}(\.\d{1,2})?$/.test(plain) ? Number(plain) : null;
}

/** Null: empty; undefined: not a number of uses. */
function countOf(text: string): number | null | undefined {
  if (text.trim() === "") return null;
  return /^[1-9]\d{0,6}$/.test(text.trim()) ? Number(text) : undefined;
}
