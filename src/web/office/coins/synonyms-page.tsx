import { useState } from "react";
import { useSearchParams } from "react-router";
import type { StaffEntryOf } from "#contract/staff/calls.ts";
import * as contract from "#contract/staff/calls.ts";
import { callStaff, type AnswerOf } from "../client.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { Field } from "../ui/form/field.tsx";
import { Filters } from "../ui/table/filters.tsx";
import { Notice } from "../ui/marks.tsx";
import { PageHead, Section } from "../ui/page-head.tsx";
import { StaleDialog } from "../ui/form/stale-dialog.tsx";
import { showToast } from "../ui/toasts.tsx";
import { useRead } from "../ui/send/use-read.ts";
import { useSend } from "../ui/send/use-send.ts";
import { CoinTabs } from "./coin-tabs.tsx";
import "./coins.css";

type Synonym = AnswerOf<StaffEntryOf<typeof contract.readSynonyms>>[number];

/** What buyers type, and what is searched for then. */
export function Component() {
  const [params] = useSearchParams();
  const { data, refusal, reload } = useRead(contract.readSynonyms);
  const [phrase, setPhrase] = useState("");
  const [meaning, setMeaning] = useState("");
  const [before, setBefore] = useState<Synonym | null>(null);
  const [stale, setStale] = useState<{ current: Synonym | null } | null>(null);
  const { send, isBusy, fields, refusal: saveRefusal } = useSend(contract.saveSynonym);
  const wanted = (params.get("q") ?? "").toLowerCase();

  const clear = () => {
    setPhrase("");
    setMeaning("");
    setBefore(null);
  };
  async function save(seen = before): Promise<void> {
    const result = await send({ body: { phrase, meaning, before: seen } });
    if (result?.ok) {
      clear();
      showToast("Сохранено: поиск подхватит за секунду");
      await reload();
    } else if (result?.error?.code === "staff.stale") setStale(result.error.data);
  }
  async function remove(gone: Synonym): Promise<void> {
    const answer = await callStaff(contract.deleteSynonym, { body: gone });
    if (answer.ok)
      showToast("Синоним удалён", {
        undo: () => void callStaff(contract.saveSynonym, { body: { ...gone, before: null } }).then(() => reload()),
      });
    else showToast(answer.error?.message ?? "", { isTrouble: true });
    await reload();
  }

  return (
    <>
      <PageHead title="Синонимы поиска" facts="Запрос с фразой находит и то, что стоит напротив" />
      <CoinTabs />
      <Section title={before === null ? "Новый синоним" : `Изменить «${before.phrase}»`}>
        <form
          className="fields"
          onSubmit={(event) => {
            event.preventDefault();
            void save();
          }}
        >
          <div className="span-2">
            <Field label="Что набирают" error={fields.phrase} value={phrase} onChange={(event) => setPhrase(event.target.value)} />
          </div>
          <div className="span-2">
            <Field label="Что искать" error={fields.meaning} value={meaning} onChange={(event) => setMeaning(event.target.value)} />
          </div>
          <div className="span-2 synonym-actions">
            <button className="button button--gold" type="submit" disabled={isBusy}>
              Сохранить
            </button>
            {before === null ? null : (
              <button className="button" type="button" onClick={clear}>
                Не менять
              </button>
            )}
          </div>
        </form>
        {saveRefusal && saveRefusal.code !== "staff.stale" && Object.keys(fields).length === 0 ? (
          <Notice tone="warn">
            <p>{saveRefusal.message}</p>
          </Notice>
        ) : null}
      </Section>
      <DataTable<Synonym>
        caption="Синонимы по алфавиту"
        bar={<Filters label="Отбор синонимов" find={{ name: "q", label: "Слово" }} />}
        columns={[
          { key: "phrase", head: "Что набирают", isRowHead: true, cell: (row) => row.phrase },
          { key: "meaning", head: "Что искать", isCut: true, cell: (row) => row.meaning },
          {
            key: "actions",
            head: "Действия",
            isHeadHidden: true,
            isRight: true,
            cell: (row) => (
              <span className="section-tree__actions">
                <button
                  className="text-button"
                  type="button"
                  onClick={() => {
                    setPhrase(row.phrase);
                    setMeaning(row.meaning);
                    setBefore(row);
                  }}
                >
                  Изменить
                </button>
                <button className="text-button" type="button" onClick={() => void remove(row)}>
                  Удалить
                </button>
              </span>
            ),
          },
        ]}
        rows={data?.filter((row) => wanted === "" || row.phrase.includes(wanted) || row.meaning.includes(wanted))}
        keyOf={(row) => row.phrase}
        nameOf={(row) => row.phrase}
        error={refusal?.message ?? null}
        onRetry={() => void reload()}
        empty="Синонимов с таким словом нет"
      />
      <StaleDialog
        fields={
          stale && [
            { label: "Что набирают", yours: phrase, current: stale.current?.phrase ?? "удалён" },
            { label: "Что искать", yours: meaning, current: stale.current?.meaning ?? "" },
          ]
        }
        onKeepYours={() => {
          const current = stale?.current ?? null;
          setStale(null);
          setBefore(current);
          void save(current);
        }}
        onTakeCurrent={() => {
          setStale(null);
          clear();
          void reload();
        }}
        onClose={() => setStale(null)}
      />
    </>
  );
}
