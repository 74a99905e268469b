import { useState } from "react";
import * as contract from "#contract/staff/calls.ts";
import { Icon } from "../../ui/icon.tsx";
import { Trouble } from "../../ui/marks.tsx";
import { SearchField } from "../../ui/form/search-field.tsx";
import { useRead } from "../../ui/send/use-read.ts";

type CoinProps<T> = { label: string; hint?: string | undefined; error?: string | undefined; value: T; onChange: (value: T) => void };

/** One coin, chosen by words. `isOptional`: it may be removed. */
export function CoinField({ label, hint, error, value, isOptional, onChange }: CoinProps<string> & { isOptional?: boolean | undefined }) {
  return (
    <fieldset className="form-group">
      <legend>{label}</legend>
      {value ? <ChosenCoins slugs={[value]} {...(isOptional ? { onRemove: () => onChange("") } : {})} /> : null}
      {hint ? <p className="hint">{hint}</p> : null}
      <CoinSearch label="Найти другую монету" error={error} onChoose={onChange} />
    </fieldset>
  );
}

/** Several coins in their order. */
export function CoinsField({ label, error, value, onChange }: CoinProps<string[]>) {
  return (
    <fieldset className="form-group">
      <legend>{label}</legend>
      <ChosenCoins
        slugs={value}
        onMove={(index) => onChange(value.toSpliced(index, 1).toSpliced(index - 1, 0, value[index] ?? ""))}
        onRemove={(index) => onChange(value.toSpliced(index, 1))}
      />
      <CoinSearch label="Добавить монету" error={error} onChoose={(slug) => !value.includes(slug) && onChange([...value, slug])} />
    </fieldset>
  );
}

function ChosenCoins({
  slugs,
  onMove,
  onRemove,
}: {
  slugs: readonly string[];
  onMove?: (index: number) => void;
  onRemove?: (index: number) => void;
}) {
  const { data } = useRead(contract.findBlockCoins, { query: { slugs: slugs.join(",") } });
  return (
    <ol className="chosen-coins">
      {slugs.map((slug, index) => {
        const coin = data?.items.find((each) => each.slug === slug);
        const title = coin?.title ?? slug;
        return (
          <li key={slug}>
            <span className="truncated">{title}</span>
            {coin && !coin.isOnSale ? <Trouble>не продаётся: на сайте её не будет</Trouble> : null}
            {coin?.isOnSale && coin.available === 0 ? <span className="soft">нет в наличии</span> : null}
            {onMove ? (
              <button
                className="button button--quiet button--small"
                type="button"
                aria-label={`Выше: ${title}`}
                disabled={index === 0}
                onClick={() => onMove(index)}
              >
                ↑
              </button>
            ) : null}
            {onRemove ? (
              <button
                className="button button--quiet button--small"
                type="button"
                aria-label={`Убрать: ${title}`}
                onClick={() => onRemove(index)}
              >
                <Icon name="close" size="small" />
              </button>
            ) : null}
          </li>
        );
      })}
    </ol>
  );
}

type FoundCoin = { slug: string; title: string; isOnSale: boolean; available: number };
const none: readonly FoundCoin[] = [];

function CoinSearch({ label, error, onChoose }: { label: string; error: string | undefined; onChoose: (slug: string) => void }) {
  const [words, setWords] = useState("");
  const { data, isCurrent } = useRead(contract.findBlockCoins, { query: { words } });
  const isTyped = words.trim().length > 1;
  return (
    <SearchField<FoundCoin>
      label={label}
      error={error}
      hint={isTyped && isCurrent && data?.items.length === 0 ? "Ничего не нашлось" : undefined}
      text={words}
      found={isTyped ? (data?.items ?? none) : none}
      keyOf={({ slug }) => slug}
      nameOf={({ title }) => title}
      noteOf={({ isOnSale, available }) => (!isOnSale ? "не продаётся" : available === 0 ? "нет в наличии" : `есть ${available}`)}
      onText={setWords}
      onChoose={({ slug }) => {
        onChoose(slug);
        setWords("");
      }}
    />
  );
}
