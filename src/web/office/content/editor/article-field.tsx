import { useEffect, useState } from "react";
import * as contract from "#contract/staff/calls.ts";
import { callStaff } from "../../client.ts";
import { Select } from "../../ui/form/field.tsx";
import { optionsWith } from "./stored-options.ts";

type Article = readonly [id: string, title: string];

/** One article, chosen by its title. A stored one that is gone stays chosen and says so until another is chosen. */
export function ArticleField({
  value,
  error,
  onChange,
  ...field
}: {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  /** The id of the article; 0: none. */
  value: number;
  onChange: (value: number) => void;
}) {
  const { articles, trouble } = useArticles();
  return (
    <Select
      {...field}
      error={error ?? trouble}
      options={optionsWith(value === 0 ? "" : `${value}`, articles, { gone: "такой статьи нет", none: "Не выбрана" })}
      value={value === 0 ? "" : `${value}`}
      onChange={({ target }) => onChange(Number(target.value))}
    />
  );
}

/** All articles in the order of their list; null while they are loaded. */
function useArticles(): { articles: readonly Article[] | null; trouble: string | undefined } {
  const [articles, setArticles] = useState<readonly Article[] | null>(null);
  const [trouble, setTrouble] = useState<string>();
  useEffect(() => {
    const stop = new AbortController();
    void readArticles(stop.signal).then((read) => {
      if (stop.signal.aborted) return;
      if (typeof read === "string") setTrouble(read);
      else setArticles(read);
    });
    return () => stop.abort();
  }, []);
  return { articles, trouble };
}

/** The articles from this place of their list on, or why they cannot be read, in words. */
async function readArticles(signal: AbortSignal, from = 0): Promise<Article[] | string> {
  const answer = await callStaff(contract.readTexts, { query: { kind: "training", from: `${from}` }, signal });
  if (!answer.ok) return answer.error?.message ?? "";
  const { items, next } = answer.value;
  const articles = items.map(({ id, title, state }) => [`${id}`, state === "draft" ? `${title} (черновик)` : title] as const);
  if (next === null) return articles;
  const rest = await readArticles(signal, next);
  return typeof rest === "string" ? rest : [...articles, ...rest];
}
