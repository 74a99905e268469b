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
  const [replaces, setReplaces] = useState<string | null>(null);
  const { send, isBusy, fields, refusal: saveRefusal } = useSend(contract.saveSynonym);
  const wanted = (params.get("q") ?? "").toLowerCase();

  const clear = () => {
    setPhrase("");
    setMeaning("");
    setReplaces(null);
  };
  async function save(): Promise<void> {
    const result = await send({ body: { phrase, meaning, replaces } });
    if (!result?.ok) return;
    clear();
    showToast("Сохранено: поиск подхватит за секунду");
    await reload();
  }
  async function remove(gone: Synonym): Promise<void> {
    const answer = await callStaff(contract.deleteSynonym, { body: { phrase: gone.phrase } });
    if (!answer.ok) return showToast(answer.error?.message ?? "", { isTrouble: true });
    showToast("Синоним удалён", {
      undo: () => void callStaff(contract.saveSynonym, { body: { ...gone, replaces: null } }).then(() => reload()),
    });
    await reload();
  }

  return (
    <>
      <PageHead title="Синонимы поиска" facts="Запрос с фразой находит и то, что стоит напротив" />
      <CoinTabs />
      <Section title={replaces === null ? "Новый синоним" : `Изменить «${replaces}»`}>
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
            {replaces === null ? null : (
              <button className="button" type="button" onClick={clear}>
                Не менять
              </button>
            )}
          </div>
        </form>
        {saveRefusal && Object.keys(fields).length === 0 ? (
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
                    setReplaces(row.phrase);
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
    </>
  );
}
