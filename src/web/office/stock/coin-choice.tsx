import { useRef, useState } from "react";
import * as contract from "#contract/staff/calls.ts";
import { callStaff } from "../client.ts";
import { useKeys } from "../shell/keys.ts";
import { SearchField } from "../ui/form/search-field.tsx";
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

/** The field with a search of its own; several found coins are offered in a list. */
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
      <SearchField
        label={label}
        hint={hint}
        error={problem || error}
        text={text}
        found={found}
        keyOf={({ id }) => id}
        nameOf={({ title }) => title}
        noteOf={({ code }) => code}
        onSearch={() => void find()}
        onText={(typed) => {
          setText(typed);
          setFound([]);
        }}
        onChoose={choose}
      />
    </div>
  );
}
