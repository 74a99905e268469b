import { useState } from "react";
import * as contract from "#contract/staff/calls.ts";
import { formOf } from "#shop/settings/forms.ts";
import { when } from "../staff/words.ts";
import { confirm } from "../ui/form/confirm.tsx";
import { Notice } from "../ui/marks.tsx";
import { Section } from "../ui/page-head.tsx";
import { showToast } from "../ui/toasts.tsx";
import { useRead } from "../ui/send/use-read.ts";
import { useSend } from "../ui/send/use-send.ts";
import { changeInWords, type Group } from "./values.ts";

/** Who changed the group, when and what; each earlier version can be brought back as a new change. */
export function GroupHistory({ group, onRestored }: { group: Group; onRestored: (restored: Group | null) => void }) {
  const { key, revision } = group;
  const [before, setBefore] = useState<number | undefined>();
  const { data, refusal } = useRead(contract.readSettingsHistory, { params: { key }, query: { before } });
  const restore = useSend(contract.restoreSettings);
  const bringBack = async (to: number, title: string) => {
    const text = formOf(key).needsTwo ? "Изменение подтвердит второй сотрудник." : "Прежние значения станут новым изменением.";
    if (!(await confirm({ title, text, action: "Вернуть" }))) return;
    const answer = await restore.send({ params: { key }, body: { revision, to } });
    if (answer?.ok) showToast("Возвращено");
    if (answer?.ok) onRestored(answer.value);
    else if (answer?.error?.code === "staff.stale") onRestored(null);
  };
  const failure = refusal ?? restore.refusal;
  return (
    <Section
      title="История"
      aside={
        group.isStored ? (
          <button className="text-button" type="button" onClick={() => void bringBack(0, "Вернуть обычные значения?")}>
            Вернуть обычные значения
          </button>
        ) : null
      }
    >
      {failure ? (
        <Notice tone="warn">
          <p>{Object.values(failure.fields)[0] ?? failure.message}</p>
        </Notice>
      ) : null}
      {data?.items.length === 0 ? <p className="hint">Ещё не меняли: действуют обычные значения.</p> : null}
      <ol className="setting-history">
        {data?.items.map((item) => (
          <li key={item.revision}>
            <p>
              <span className="number">{when(item.changedAt)}</span>, {item.changedBy.name}
              {item.restored === null ? "" : item.restored === 0 ? ", вернул обычные значения" : `, вернул версию ${item.restored}`}{" "}
              {item.revision === revision ? (
                <span className="muted">действует</span>
              ) : (
                <button
                  className="text-button"
                  type="button"
                  aria-label={`Вернуть версию от ${when(item.changedAt)}`}
                  onClick={() => void bringBack(item.revision, `Вернуть версию от ${when(item.changedAt)}?`)}
                >
                  Вернуть
                </button>
              )}
            </p>
            <ul>
              {changeInWords(key, item.before, item.after).map((change) => (
                <li key={change.name}>
                  {change.label}: <span className="soft">{change.before}</span> → {change.after}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
      {data?.next ? (
        <button className="text-button" type="button" onClick={() => setBefore(data.next ?? undefined)}>
          Раньше
        </button>
      ) : null}
      {before === undefined ? null : (
        <button className="text-button" type="button" onClick={() => setBefore(undefined)}>
          К последним
        </button>
      )}
    </Section>
  );
}
