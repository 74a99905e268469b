import { useState } from "react";
import type { StaffEntryOf } from "#contract/staff/calls.ts";
import * as contract from "#contract/staff/calls.ts";
import { callStaff, type AnswerOf } from "../../client.ts";
import { Field, TextArea } from "../../ui/form/field.tsx";
import { useRead } from "../../ui/send/use-read.ts";
import { useSend } from "../../ui/send/use-send.ts";
import { movedBy } from "./moved.ts";
import { SectionForm } from "./section-form.tsx";
import { SectionPage, SectionRow, useSectionList } from "./section-list.tsx";
import "../coins.css";

type Series = AnswerOf<StaffEntryOf<typeof contract.readSeries>>[number];

/** Series in the order of the filter, with the text over their listing. */
export function Component() {
  const { data, refusal, reload } = useRead(contract.readSeries);
  const { edited, setEdited, trouble, change, remove, close, finish } = useSectionList<Series>(reload);
  const all = data ?? [];
  const order = (index: number, step: 1 | -1) =>
    change(callStaff(contract.orderSeries, { body: { names: movedBy(all, index, step).map(({ name }) => name) } }));
  const removeSeries = (name: string) =>
    remove({ title: `Удалить серию «${name}»?`, doneText: "Серия удалена" }, () => callStaff(contract.deleteSeries, { body: { name } }));
  return (
    <SectionPage
      title="Серии монет"
      facts="Порядок здесь — порядок в фильтре; число справа — монеты серии"
      addText="Новая серия"
      onAdd={() => setEdited("new")}
      trouble={trouble ?? refusal?.message}
      isLoaded={data !== null && data !== undefined}
      form={
        edited ? (
          <SeriesForm
            key={edited === "new" ? "" : edited.name}
            series={edited === "new" ? null : edited}
            onClose={close}
            onSaved={finish}
          />
        ) : null
      }
    >
      {all.map((series, index) => (
        <SectionRow
          key={series.name}
          title={series.name}
          note={series.body}
          coinCount={series.coinCount}
          isFirst={index === 0}
          isLast={index === all.length - 1}
          onOpen={() => setEdited(series)}
          onMove={(step) => void order(index, step)}
          onRemove={series.coinCount === 0 ? () => void removeSeries(series.name) : null}
        />
      ))}
    </SectionPage>
  );
}

function SeriesForm({ series, onSaved, onClose }: { series: Series | null; onSaved: () => void; onClose: () => void }) {
  const [name, setName] = useState(series?.name ?? "");
  const [body, setBody] = useState(series?.body ?? "");
  const add = useSend(contract.addSeries);
  const save = useSend(contract.saveSeries);
  const sending = series ? save : add;
  async function send(revision: number) {
    const result = series
      ? await save.send({ body: { name: series.name, revision, newName: name, body } })
      : await add.send({ body: { name, body } });
    const stale = result && !result.ok && result.error?.code === "staff.stale" ? (result.error.data.current ?? null) : null;
    return { isSaved: result?.ok === true, stale };
  }
  return (
    <SectionForm<Series>
      title={series ? `Серия «${series.name}»` : "Новая серия"}
      revision={series?.revision ?? 0}
      send={send}
      sending={sending}
      compare={(current) => [
        { label: "Название", current: current.name, yours: name },
        { label: "Текст", current: current.body, yours: body },
      ]}
      onTakeCurrent={(current) => {
        setName(current.name);
        setBody(current.body);
      }}
      onSaved={onSaved}
      onClose={onClose}
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
    </SectionForm>
  );
}
