import { useState } from "react";
import * as contract from "#contract/staff/calls.ts";
import { isoMoscow } from "#kit/moscow-time.ts";
import { Field } from "../ui/form/field.tsx";
import { showToast } from "../ui/toasts.tsx";
import { useSend } from "../ui/send/use-send.ts";
import { momentOf, spanText, type PromoView } from "./promo-words.ts";
import { coinCount, type Row } from "./words.ts";

type Typed = { label: string; from: string; till: string };

/** A price promo of the coins that are ticked: its fields, and what sends them. Nothing typed is lost by a refusal. */
export function usePromo() {
  const [typed, setTyped] = useState<Typed>({ label: "", from: "", till: "" });
  const [missing, setMissing] = useState<Record<string, string>>({});
  const { send, isBusy, refusal, fields } = useSend(contract.createPricePromo, { stores: "screen" });

  /** True: it is made, or waits for a second person. */
  const make = async (action: PromoView["action"], rows: readonly Row[]): Promise<boolean> => {
    const endsAt = momentOf(typed.till);
    const startsAt = typed.from === "" ? isoMoscow(new Date()) : momentOf(typed.from);
    if (typed.label.trim() === "" || !endsAt || !startsAt) {
      setMissing({
        ...(typed.label.trim() === "" ? { label: "Назовите акцию" } : {}),
        ...(startsAt ? {} : { startsAt: "Укажите день и время" }),
        ...(endsAt ? {} : { endsAt: "Укажите день и время" }),
      });
      return false;
    }
    setMissing({});
    const coins = rows.filter((row) => row.isChanged && !row.isOutOfRange).map(({ id, before }) => ({ id, seen: before }));
    const answer = await send({ body: { action, coins, label: typed.label, startsAt, endsAt } });
    if (!answer) return false;
    if (!answer.ok) return answer.error === null;
    const { state, coins: count, startsAt: from, endsAt: till } = answer.value;
    showToast(
      state === "running"
        ? `Акция началась: ${coinCount(count)}. На сайте она видна через секунду`
        : `Акция ${spanText(from, till)}: ${coinCount(count)}`,
    );
    setTyped({ label: "", from: "", till: "" });
    return true;
  };
  return { typed, setTyped, errors: { ...fields, ...missing }, make, isBusy, refusal };
}

export function PromoFields({ promo: { typed, setTyped, errors } }: { promo: ReturnType<typeof usePromo> }) {
  return (
    <>
      <Field
        label="Название для своих"
        maxLength={200}
        value={typed.label}
        error={errors["label"]}
        onChange={(event) => setTyped({ ...typed, label: event.target.value })}
      />
      <Field
        label="С, московское"
        type="datetime-local"
        hint="пусто — сразу"
        value={typed.from}
        error={errors["startsAt"]}
        onChange={(event) => setTyped({ ...typed, from: event.target.value })}
      />
      <Field
        label="До, московское"
        type="datetime-local"
        value={typed.till}
        error={errors["endsAt"]}
        onChange={(event) => setTyped({ ...typed, till: event.target.value })}
      />
    </>
  );
}
