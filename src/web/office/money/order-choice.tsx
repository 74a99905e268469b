import { useState } from "react";
import type * as z from "zod";
import * as contract from "#contract/staff/calls.ts";
import type * as money from "#contract/staff/money.ts";
import { callStaff } from "../client.ts";
import { stateLabels } from "../orders/words.ts";
import { Field } from "../ui/form/field.tsx";
import { useNewest } from "../ui/send/use-newest.ts";
import { sum } from "./words.ts";

export type ChosenOrder = NonNullable<z.output<(typeof money.findPayableOrder)["answer"]>["order"]>;

/** An order by its number: found while the number is typed. Until the answer to the present number is there, no order is chosen. */
export function OrderChoice({ chosen, onChoose }: { chosen: ChosenOrder | null; onChoose: (order: ChosenOrder | null) => void }) {
  const [text, setText] = useState("");
  const [error, setError] = useState<string | null>(null);
  const begin = useNewest();
  const find = async (typed: string) => {
    const signal = begin();
    setText(typed);
    setError(null);
    onChoose(null);
    const number = typed.replaceAll(/\s/g, "");
    if (number.length < 5) return;
    if (!/^\d{5,12}$/.test(number)) return setError("Номер заказа из цифр");
    const answer = await callStaff(contract.findPayableOrder, { query: { number }, signal });
    if (signal.aborted) return;
    if (!answer.ok) return setError(answer.error?.message ?? null);
    onChoose(answer.value.order);
    if (!answer.value.order) setError("Заказа с таким номером нет");
  };
  return (
    <Field
      label="Другой заказ"
      data-passing
      inputMode="numeric"
      autoComplete="off"
      value={text}
      error={error}
      hint={chosen ? `${chosen.buyer}, ${stateLabels[chosen.state]}, ${sum(chosen.total)} ₽` : "Номер заказа"}
      onChange={(event) => void find(event.target.value)}
    />
  );
}
