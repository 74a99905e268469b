import { useState } from "react";
import type { StaffEntryOf } from "#contract/staff/calls.ts";
import * as contract from "#contract/staff/calls.ts";
import { callStaff, type AnswerOf } from "../client.ts";
import { confirm } from "../ui/confirm.tsx";
import { Field, TextArea } from "../ui/field.tsx";
import { Notice } from "../ui/marks.tsx";
import { Modal } from "../ui/modal.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { StaleDialog } from "../ui/stale-dialog.tsx";
import { showToast } from "../ui/toasts.tsx";
import { useRead } from "../ui/use-read.ts";
import { useSend } from "../ui/use-send.ts";
import { CoinTabs } from "./coin-tabs.tsx";
import { movedBy } from "./moved.ts";
import "./coins.css";

type Series = AnswerOf<StaffEntryOf<typeof contract.readSeries>>[number];

/** Series in the order of the filter, with the text over their listing. */
export function Component() {
  const { data, refusal, reload } = useRead(contract.readSeries);
  const [edited, setEdited] = useState<Series | "new" | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const all = data ?? [];

  async function order(index: number, step: 1 | -1): Promise<void> {
    const names = movedBy(all, index, step).map(({ name }) => name);
    const answer = await callStaff(contract.orderSeries, { body: { names } });
    setTrouble(answer.ok ? null : (answer.error?.message ?? null));
    await reload();
  }
  async function remove(name: string): Promise<void> {
    if (!(await confirm({ title: `Удалить серию «${name}»?`, action: "Удалить" }))) return;
    const answer = await callStaff(contract.deleteSeries, { body: { name } });
    setTrouble(answer.ok ? null : (answer.error?.message ?? null));
    if (answer.ok) showToast("Серия удалена");
    await reload();
  }

  return (
    <>
      <PageHead
        title="Серии монет"
        facts="Порядок здесь — порядок в фильтре; число справа — монеты серии"
        actions={
          <button className="button button--gold" type="button" onClick={() => setEdited("new")}>
            Новая серия
          </button>
        }
      />
      <CoinTabs />
      {refusal || trouble ? (
        <Notice tone="warn">
          <p>{trouble ?? refusal?.message}</p>
        </Notice>
      ) : null}
      {data ? (
        <ul className="section-tree">
          {all.map((series, index) => (
            <li key={series.name}>
              <span className="cut">
                <button className="text-button" type="button" onClick={() => setEdited(series)}>
                  {series.name}
                </button>{" "}
                <span className="muted">{series.body}</span>
              </span>
              <span className="muted number">{series.coinCount}</span>
              <span className="section-tree__actions">
                <button
                  className="button button--quiet button--small"
                  type="button"
                  disabled={index === 0}
                  aria-label={`Выше: ${series.name}`}
                  onClick={() => void order(index, -1)}
                >
                  ↑
                </button>
                <button
                  className="button button--quiet button--small"
                  type="button"
                  disabled={index === all.length - 1}
                  aria-label={`Ниже: ${series.name}`}
                  onClick={() => void order(index, 1)}
                >
                  ↓
                </button>
                {series.coinCount === 0 ? (
                  <button className="button button--quiet button--small" type="button" onClick={() => void remove(series.name)}>
                    Удалить
                  </button>
                ) : null}
              </span>
            </li>
          ))}
        </ul>
      ) : (
        <p role="status">Загружаем…</p>
      )}
      {edited ? (
        <SeriesForm
          key={edited === "new" ? "" : edited.name}
          series={edited === "new" ? null : edited}
          onClose={() => setEdited(null)}
          onSaved={() => {
            setEdited(null);
            showToast("Сохранено");
            void reload();
          }}
        />
      ) : null}
    </>
  );
}

function SeriesForm({ series, onSaved, onClose }: { series: Series | null; onSaved: () => void; onClose: () => void }) {
  const [name, setName] = useState(series?.name ?? "");
  const [body, setBody] = useState(series?.body ?? "");
  const [revision, setRevision] = useState(series?.revision ?? 0);
  const [stale, setStale] = useState<Series | null>(null);
  const add = useSend(contract.addSeries);
  const save = useSend(contract.saveSeries);
  const sending = series ? save : add;

  async function submit(at = revision): Promise<void> {
    const result = series
      ? await save.send({ body: { name: series.name, revision: at, newName: name, body } })
      : await add.send({ body: { name, body } });
    if (result?.ok) onSaved();
    else if (result?.error?.code === "staff.stale" && result.error.data.current) setStale(result.error.data.current);
  }
  return (
    <Modal title={series ? `Серия «${series.name}»` : "Новая серия"} isOpen onClose={onClose} isWide>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Field
          label="Название"
          error={sending.fields.name ?? sending.fields.newName}
          hint={series && series.coinCount > 0 ? `Название сменится у всех монет серии: ${series.coinCount}` : undefined}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <TextArea
          label="Текст над списком монет"
          error={sending.fields.body}
          value={body}
          onChange={(event) => setBody(event.target.value)}
        />
        {sending.refusal && Object.keys(sending.fields).length === 0 && !stale ? (
          <Notice tone="warn">
            <p>{sending.refusal.message}</p>
          </Notice>
        ) : null}
        <div className="modal__foot">
          <button className="button button--gold" type="submit" disabled={sending.isBusy}>
            Сохранить
          </button>
        </div>
      </form>
      <StaleDialog
        fields={
          stale && [
            { label: "Название", current: stale.name, yours: name },
            { label: "Текст", current: stale.body, yours: body },
          ]
        }
        onClose={() => setStale(null)}
        onTakeCurrent={() => {
          if (stale) {
            setName(stale.name);
            setBody(stale.body);
            setRevision(stale.revision);
          }
          setStale(null);
        }}
        onKeepYours={() => {
          const at = stale?.revision ?? revision;
          setStale(null);
          setRevision(at);
          void submit(at);
        }}
      />
    </Modal>
  );
}
