import { useState } from "react";
import * as contract from "#contract/staff/calls.ts";
import { formOf, type SettingKey } from "#shop/settings/forms.ts";
import { useKeys } from "../shell/keys.ts";
import { Notice } from "../ui/marks.tsx";
import { StaleDialog, type StaleField } from "../ui/form/stale-dialog.tsx";
import { showToast } from "../ui/toasts.tsx";
import { useSend } from "../ui/send/use-send.ts";
import { SettingInput } from "./setting-input.tsx";
import { changedFields, inWords, type SettingsDraft, type Group } from "./values.ts";

/** The form of one group. What was typed is in `draft`, which stays while another group is open. */
export function GroupForm({
  draft,
  onChange,
  onSaved,
}: {
  draft: SettingsDraft;
  onChange: (draft: SettingsDraft) => void;
  onSaved: (saved: Group | null) => void;
}) {
  const { base, values } = draft;
  const key: SettingKey = base.key;
  const form = formOf(key);
  const { send, isBusy, refusal, fields, forget } = useSend(contract.saveSettings);
  const [newer, setNewer] = useState<Group | null>(null);
  const changed = changedFields(base.values, values);
  const isChanged = changed.length > 0;

  const save = async (from: SettingsDraft = draft) => {
    if (changedFields(from.base.values, from.values).length === 0) return;
    const answer = await send({ params: { key }, body: { revision: from.base.revision, values: from.values } });
    if (!answer) return;
    if (answer.ok) {
      showToast("Сохранено. Магазин работает по-новому через две секунды");
      onSaved(answer.value);
    } else if (answer.error === null) onSaved(null);
    else if (answer.error.code === "staff.stale") setNewer(answer.error.data.current);
  };
  useKeys([{ code: "Ctrl+Enter", label: "Сохранить настройки", run: () => void save() }], isChanged);

  const mine = Object.fromEntries(changed.map((name) => [name, values[name]]));
  const keepMine = () => {
    if (!newer) return;
    const next = { base: newer, values: { ...newer.values, ...mine } };
    setNewer(null);
    onChange(next);
    void save(next);
  };
  const takeNewer = () => {
    if (newer) onChange({ base: newer, values: newer.values });
    setNewer(null);
    forget();
  };
  const staleFields: StaleField[] | null =
    newer &&
    [...new Set([...changed, ...changedFields(base.values, newer.values)])].map((name) => {
      const field = form.fields[name];
      return { label: field?.label ?? name, yours: inWords(field, values[name]), current: inWords(field, newer.values[name]) };
    });

  return (
    <form
      className="setting-form"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {base.isIgnored ? (
        <Notice tone="warn">
          <p>Сохранённое записала другая версия программы, прочитать его нельзя. Действуют обычные значения: проверьте и сохраните их.</p>
        </Notice>
      ) : null}
      {refusal && refusal.code !== "staff.stale" ? (
        <Notice tone="warn">
          <p>{Object.keys(fields).length > 0 ? "Не сохранено: проверьте отмеченные поля" : refusal.message}</p>
        </Notice>
      ) : null}
      {form.hint ? <p className="soft">{form.hint}</p> : null}
      {form.needsTwo ? <p className="soft">{form.needsTwo}.</p> : null}
      <div className="setting-form__fields">
        {Object.entries(form.fields).map(([name, field]) => (
          <SettingInput
            key={name}
            field={field}
            value={values[name]}
            path={name}
            errors={fields}
            isFixed={base.fixed.includes(name)}
            usual={base.defaults[name]}
            onChange={(value) => onChange({ base, values: { ...values, [name]: value } })}
          />
        ))}
      </div>
      <div className="setting-form__foot">
        <button className="button button--gold" type="submit" disabled={!isChanged || isBusy}>
          {form.needsTwo ? "Отправить на согласование" : "Сохранить"} <kbd>Ctrl Enter</kbd>
        </button>
        {isChanged ? (
          <button
            className="button"
            type="button"
            disabled={isBusy}
            onClick={() => {
              forget();
              onChange({ base, values: base.values });
            }}
          >
            Отменить правки
          </button>
        ) : null}
      </div>
      <StaleDialog
        fields={staleFields}
        changedBy={newer?.changedBy?.name ?? null}
        onKeepYours={keepMine}
        onTakeCurrent={takeNewer}
        onClose={() => setNewer(null)}
      />
    </form>
  );
}
