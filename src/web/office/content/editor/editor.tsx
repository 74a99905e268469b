import { useState, type ReactNode } from "react";
import { useNavigate } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import type { StaffRefusal } from "../../client.ts";
import { useKeys } from "../../shell/keys.ts";
import { when } from "../../staff/words.ts";
import { confirm } from "../../ui/form/confirm.tsx";
import { Field } from "../../ui/form/field.tsx";
import { Notice } from "../../ui/marks.tsx";
import { PageHead, Section } from "../../ui/page-head.tsx";
import { StaleDialog } from "../../ui/form/stale-dialog.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { UnsavedMark } from "../../ui/form/unsaved-mark.tsx";
import { useSend } from "../../ui/send/use-send.ts";
import { differences } from "./diff.ts";
import { Fields } from "./form.tsx";
import { Preview } from "./preview.tsx";
import { sentAct, shownTime, type SavingAct } from "./saving.ts";
import type { FieldSpec, Value } from "../specs.ts";
import { Versions, type EditableView } from "./versions.tsx";
import { fromField, stateWords, textOf, toField } from "../words.ts";
import "../../styles/screens/content.css";

const doneWords: Readonly<Record<SavingAct, string>> = {
  draft: "Черновик сохранён",
  publish: "Опубликовано",
  schedule: "Поставлено в расписание",
};

/**
 * The editor of a text or of a part of the site. `onCreate` stores a new text first and returns it; null: it was refused.
 * What is typed stays on the screen through every refusal.
 */
export function Editor({
  name,
  specs,
  stored,
  initial,
  createRefusal,
  createFields = {},
  onCreate,
  onSaved,
  tabs,
}: {
  name: string;
  specs: readonly FieldSpec[];
  stored: EditableView | null;
  initial: Value;
  createRefusal?: StaffRefusal | null;
  createFields?: Readonly<Record<string, string>>;
  onCreate?: (value: Value) => Promise<EditableView | null>;
  onSaved: (now: EditableView) => void;
  tabs?: ReactNode;
}) {
  const [value, setValue] = useState<Value>(initial);
  const [publishAt, setPublishAt] = useState(toField(stored?.publishAt ?? null));
  const [unpublishAt, setUnpublishAt] = useState(toField(stored?.unpublishAt ?? null));
  const [showsVersions, setShowsVersions] = useState(false);
  const [stale, setStale] = useState<{ current: EditableView; act: SavingAct } | null>(null);
  const { send, isBusy, refusal, fields } = useSend(contract.saveContent, { stores: "screen" });
  const { send: takeDown, refusal: downRefusal } = useSend(contract.takeContentDown, { stores: "screen" });
  const { send: unschedule, isBusy: isUnscheduling, refusal: unscheduleRefusal } = useSend(contract.unscheduleContent);
  const { send: remove, refusal: removeRefusal } = useSend(contract.removeText, { stores: "screen" });
  const navigate = useNavigate();
  const errors = { ...createFields, ...fields };
  const isDirty = stored === null || JSON.stringify(value) !== JSON.stringify(stored.data);

  const taken = (now: EditableView, sent: SavingAct = "publish") => {
    setValue(now.data as Value);
    setPublishAt(shownTime({ sent, typed: publishAt, before: toField(stored?.publishAt ?? null), after: toField(now.publishAt) }));
    setUnpublishAt(toField(now.unpublishAt));
    onSaved(now);
  };
  const save = async (act: SavingAct, over?: EditableView): Promise<EditableView | null> => {
    const made = over ?? stored ?? (await onCreate?.(value)) ?? null;
    if (!made) return null;
    if (!stored && !over && act === "draft") {
      showToast(doneWords.draft);
      onSaved(made);
      return made;
    }
    const { kind, id, revision } = made;
    const sent = sentAct(act, { typed: fromField(publishAt), scheduled: made.publishAt });
    const body = { revision, data: value as never, ...sent, unpublishAt: fromField(unpublishAt) };
    const answer = await send({ params: { kind, id }, body });
    if (answer?.ok) {
      const keepsTime = act === "draft" && answer.value.publishAt !== null;
      showToast(keepsTime ? `Сохранено, выйдет ${when(answer.value.publishAt as string)}` : doneWords[act]);
      taken(answer.value, act);
      return answer.value;
    }
    if (answer?.error?.code === "staff.stale") setStale({ current: answer.error.data.current, act });
    else if (!stored) onSaved(made); // it exists by now: the next press saves it
    return null;
  };
  const show = async () => {
    // Opened at once, because a browser refuses windows that open later than the press.
    const tab = window.open("about:blank", "_blank");
    const now = isDirty ? await save("draft") : stored;
    if (tab && now) tab.location.href = now.previewUrl;
    else tab?.close();
  };
  const down = async () => {
    if (!stored) return;
    if (!(await confirm({ title: "Снять с сайта?", text: "Текст останется черновиком.", action: "Снять" }))) return;
    const answer = await takeDown({ params: { kind: stored.kind, id: stored.id }, body: { revision: stored.revision } });
    if (answer?.ok) {
      showToast("Снято");
      taken(answer.value);
    } else if (answer?.error?.code === "staff.stale") setStale({ current: answer.error.data.current, act: "draft" });
  };
  /** What was typed meanwhile stays on the screen. */
  const cancelSchedule = async () => {
    if (!stored) return;
    const text = stored.isPublished ? "На сайте останется то, что там сейчас; правки будут черновиком." : "Текст останется черновиком.";
    if (!(await confirm({ title: "Снять с расписания?", text, action: "Снять" }))) return;
    const answer = await unschedule({ params: { kind: stored.kind, id: stored.id }, body: { revision: stored.revision } });
    if (answer?.ok) {
      showToast("Снято с расписания");
      setPublishAt("");
      onSaved(answer.value);
    } else if (answer?.error?.code === "staff.stale") setStale({ current: answer.error.data.current, act: "draft" });
  };
  const removeDraft = async () => {
    if (!stored || !(await confirm({ title: "Удалить черновик?", text: "Его не видел никто, кроме сотрудников.", action: "Удалить" })))
      return;
    const answer = await remove({ params: { kind: stored.kind, id: stored.id }, body: { revision: stored.revision } });
    if (!answer?.ok) return;
    showToast("Черновик удалён");
    void navigate(`/content?view=${stored.kind}`);
  };
  useKeys([{ code: "Ctrl+Enter", label: "Опубликовать", run: () => void save("publish") }]);

  const problem = refusal ?? createRefusal ?? downRefusal ?? unscheduleRefusal ?? removeRefusal;
  const markdown = specs.find(({ type }) => type === "markdown");
  return (
    <>
      <PageHead
        title={name}
        facts={stored ? <Facts stored={stored} isDirty={isDirty} /> : "Ещё не сохранено"}
        actions={
          <>
            <button className="button button--gold" type="button" disabled={isBusy} onClick={() => void save("publish")}>
              Опубликовать
            </button>
            <button className="button" type="button" disabled={isBusy} onClick={() => void save("draft")}>
              {stored?.publishAt ? "Сохранить" : "Сохранить черновик"}
            </button>
            <button className="button" type="button" disabled={isBusy} onClick={() => void show()}>
              Посмотреть на сайте
            </button>
            {stored?.publishAt ? (
              <button className="button" type="button" disabled={isUnscheduling} onClick={() => void cancelSchedule()}>
                Снять с расписания
              </button>
            ) : null}
            {stored?.isPublished && !stored.isFixed ? (
              <button className="button" type="button" onClick={() => void down()}>
                Снять с сайта
              </button>
            ) : null}
            {stored?.state === "draft" && !stored.isFixed ? (
              <button className="button" type="button" onClick={() => void removeDraft()}>
                Удалить
              </button>
            ) : null}
            {stored ? (
              <button className="button" type="button" aria-expanded={showsVersions} onClick={() => setShowsVersions(!showsVersions)}>
                Версии
              </button>
            ) : null}
          </>
        }
      />
      {tabs}
      {problem && problem.code !== "staff.stale" ? (
        <Notice tone="warn">
          <p>{problem.message}</p>
        </Notice>
      ) : null}
      <div className={markdown ? "editor editor--pair" : "editor"}>
        <div className="editor__fields">
          <UnsavedMark value={value} stored={stored?.data ?? initial} />
          <Fields specs={specs} value={value} errors={errors} onChange={setValue} />
          <Section title="Расписание">
            <div className="form-pair">
              <Field
                label="Опубликовать"
                type="datetime-local"
                value={publishAt}
                error={errors["publishAt"]}
                hint="Время московское"
                onChange={({ target }) => setPublishAt(target.value)}
              />
              {stored?.isFixed ? null : (
                <Field
                  label="Снять с сайта"
                  type="datetime-local"
                  value={unpublishAt}
                  error={errors["unpublishAt"]}
                  hint="Пусто — не снимать"
                  onChange={({ target }) => setUnpublishAt(target.value)}
                />
              )}
            </div>
            <button className="button" type="button" disabled={isBusy} onClick={() => void save("schedule")}>
              Поставить в расписание
            </button>
          </Section>
        </div>
        {markdown ? <Preview markdown={textOf(value[markdown.name])} /> : null}
      </div>
      {showsVersions && stored ? <Versions key={stored.revision} stored={stored} value={value} onRestored={taken} /> : null}
      <StaleDialog
        fields={stale && staleFields(stale.current.data, value, specs)}
        onKeepYours={() => {
          const { current, act } = stale as NonNullable<typeof stale>;
          setStale(null);
          void save(act, current);
        }}
        onTakeCurrent={() => {
          if (stale) taken(stale.current);
          setStale(null);
        }}
        onClose={() => setStale(null)}
      />
    </>
  );
}

const staleFields = (current: unknown, yours: unknown, specs: readonly FieldSpec[]) =>
  differences(current, yours).map(({ path, before, after }) => ({
    label: specs.find(({ name }) => name === path)?.label ?? path,
    current: before || "пусто",
    yours: after || "пусто",
  }));

function Facts({ stored, isDirty }: { stored: EditableView; isDirty: boolean }) {
  const { state, publishAt, unpublishAt, address, isPublished } = stored;
  return (
    <>
      {stateWords[state]}
      {publishAt ? `, выйдет ${when(publishAt)}` : null}
      {unpublishAt ? `, снимется ${when(unpublishAt)}` : null}
      {address && isPublished ? ` · ${address}` : null}
      {isDirty ? " · есть несохранённое" : null}
    </>
  );
}
