import { useRef, useState } from "react";
import * as contract from "#contract/staff/calls.ts";
import { callStaff } from "../client.ts";
import { useKeys } from "../shell/keys.ts";
import { Field } from "../ui/form/field.tsx";
import type { StockCoin } from "./words.ts";

type FoundCoin = Pick<StockCoin, "id" | "title" | "code">;
type Found<C> = { ok: true; value: readonly C[] } | { ok: false; error: { message: string } };

/** A field that finds a coin of the stock by scanner, number or words of its title. */
export function CoinChoice(props: Omit<FieldProps<StockCoin>, "find">) {
  return <CoinField {...props} find={(text) => callStaff(contract.findStockCoins, { query: { text } })} />;
}

type FieldProps<C> = {
  label: string;
  hint?: string;
  /** What is wrong with the choice; what is wrong with the search comes first. */
  error?: string | null | undefined;
  find: (text: string) => Promise<Found<C>>;
  onChoose: (coin: C) => void;
};

/** The field with a search of its own; several found coins are offered as buttons. */
export function CoinField<C extends FoundCoin>({
  label,
  hint = "Enter или сканер, F2",
  error = null,
  find: search,
  onChoose,
}: FieldProps<C>) {
  const [text, setText] = useState("");
  const [found, setFound] = useState<readonly C[]>([]);
  const [problem, setProblem] = useState("");
  const box = useRef<HTMLDivElement>(null);
  useKeys([{ code: "F2", label: "Поле сканера", run: () => box.current?.querySelector("input")?.focus() }]);
  const choose = (coin: C) => {
    setText("");
    setFound([]);
    setProblem("");
    onChoose(coin);
    // The next coin can be scanned at once. Who went on to another field during the search stays there.
    const at = document.activeElement;
    if (at === null || at === document.body || box.current?.contains(at)) box.current?.querySelector("input")?.focus();
  };
  const find = async () => {
    if (text.trim() === "") return;
    const answer = await search(text.trim());
    if (!answer.ok) return setProblem(answer.error.message);
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
        <ul className="found" aria-label="Найденные монеты">
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
