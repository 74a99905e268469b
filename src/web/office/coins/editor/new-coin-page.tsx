import { useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { callStaff } from "../../client.ts";
import { Notice } from "../../ui/marks.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { useRead } from "../../ui/send/use-read.ts";
import { CoinEditor } from "./coin-editor.tsx";
import { emptyDraft, nextIssue, type CoinView } from "./coin-draft.ts";

/** A new coin; with `?from=` a further issue of another one. */
export function Component() {
  const [params] = useSearchParams();
  const from = params.get("from");
  const { data: form, refusal } = useRead(contract.readCoinForm);
  const [model, setModel] = useState<CoinView | null>(null);
  const [year] = useState(() => new Date().getFullYear());
  const [missing, setMissing] = useState<string | null>(null);
  useEffect(() => {
    if (from === null) return;
    const stop = new AbortController();
    void callStaff(contract.readCoin, { params: { id: from }, signal: stop.signal }).then((answer) => {
      if (stop.signal.aborted) return;
      if (answer.ok) setModel(answer.value);
      else setMissing(answer.error?.message ?? "");
    });
    return () => stop.abort();
  }, [from]);
  const message = refusal?.message ?? missing;
  if (message !== null && message !== undefined)
    return (
      <>
        <PageHead title="Новая монета" />
        <Notice tone="warn">
          <p>{message}</p>
        </Notice>
      </>
    );
  if (!form || (from !== null && !model))
    return (
      <>
        <PageHead title="Новая монета" />
        <p role="status">Загружаем…</p>
      </>
    );
  return (
    <CoinEditor key={from ?? "new"} coin={null} start={model ? nextIssue(model, year) : emptyDraft(year, form.categories)} form={form} />
  );
}
