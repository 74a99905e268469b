import { useRef, useState } from "react";
import * as contract from "#contract/staff/calls.ts";
import { callStaff } from "../client.ts";
import { useKeys } from "../shell/keys.ts";
import { Field } from "../ui/form/field.tsx";
import type { StockCoin } from "./words.ts";

/** A field that finds a coin by scanner, number or words of its title; several found ones are offered as buttons. */
export function CoinChoice({
  label,
  hint = "Enter или сканер, F2",
  error = null,
  onChoose,
}: {
  label: string;
  hint?: string;
  /** What is wrong with the choice; what is wrong with the search comes first. */
  error?: string | null | undefined;
  onChoose: (coin: StockCoin) => void;
}) {
  const [text, setText] = useState("");
  const [found, setFound] = useState<readonly StockCoin[]>([]);
  const [problem, setProblem] = useState("");
  const box = useRef<HTMLDivElement>(null);
  useKeys([{ code: "F2", label: "Поле сканера", run: () => box.current?.querySelector("input")?.focus() }]);
  const choose = (coin: StockCoin) => {
    setText("");
    setFound([]);
    setProblem("");
    onChoose(coin);
    box.current?.querySelector("input")?.focus();
  };
  const find = async () => {
    if (text.trim() === "") return;
    const answer = await callStaff(contract.findStockCoins, { query: { text: text.trim() } });
    if (!answer.ok) return setProblem(answer.error?.message ?? "");
    const [first, ...others] = answer.value;
    setProblem(first ? "" : "Такой монеты нет");
    if (first && others.length === 0) choose(first);
    else setFound(answer.value);
  };
  return (
    <div ref={box}>
      <Field
        label={label}
        data-passing
        value={text}
        autoComplete="off"
        hint={hint}
        error={problem || error}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          void find();
        }}
      />
      {found.length > 0 ? (
        <ul aria-label="Найденные монеты">
          {found.map((coin) => (
            <li key={coin.id}>
              <button className="text-button" type="button" onClick={() => choose(coin)}>
                {coin.title}
              </button>{" "}
              <span className="muted">{coin.code}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
