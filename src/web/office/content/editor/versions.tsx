import { useState } from "react";
import type * as z from "zod";
import * as contract from "#contract/staff/calls.ts";
import type { readContent, readVersions } from "#contract/staff/site/content.ts";
import { callStaff } from "../../client.ts";
import { actorText, when } from "../../staff/words.ts";
import { Notice } from "../../ui/marks.tsx";
import { Section } from "../../ui/page-head.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { useRead } from "../../ui/send/use-read.ts";
import { useSend } from "../../ui/send/use-send.ts";
import { differences, type FieldDiff } from "./diff.ts";
import { eventWords } from "../words.ts";

export type EditableView = z.output<(typeof readContent)["answer"]>;
type Version = z.output<(typeof readVersions)["answer"]>["items"][number];

/** Every saved version: compared with what is being edited, and restored as the draft. */
export function Versions({ stored, value, onRestored }: { stored: EditableView; value: unknown; onRestored: (now: EditableView) => void }) {
  const params = { kind: stored.kind, id: stored.id };
  const { data, refusal } = useRead(contract.readVersions, { params });
  const { send, isBusy, refusal: restoreRefusal } = useSend(contract.restoreContent, { stores: "screen" });
  const [compared, setCompared] = useState<{ version: Version; diff: FieldDiff[] } | null>(null);
  const problem = refusal ?? restoreRefusal;
  const compare = async (version: Version) => {
    const answer = await callStaff(contract.readVersion, { params: { ...params, version: version.revision } });
    if (answer.ok) setCompared({ version, diff: differences(answer.value.data, value) });
    else showToast(answer.error?.message ?? "", { isTrouble: true });
  };
  const restore = async ({ revision }: Version) => {
    const answer = await send({ params, body: { revision: stored.revision, version: revision } });
    if (!answer?.ok) return;
    showToast(stored.publishAt ? "Прежняя версия стала черновиком, с расписания снято" : "Прежняя версия стала черновиком");
    onRestored(answer.value);
  };
  return (
    <Section title="Версии">
      {problem ? (
        <Notice tone="warn">
          <p>{problem.message}</p>
        </Notice>
      ) : null}
      <div className="table-scroll" role="region" aria-label="Список версий" tabIndex={0}>
        <table className="table">
          <caption className="visually-hidden">Версии</caption>
          <thead>
            <tr>
              <th scope="col">Когда</th>
              <th scope="col">Кто</th>
              <th scope="col">Что</th>
              <th scope="col">
                <span className="visually-hidden">Действия</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data?.items.map((version) => (
              <tr key={version.revision}>
                <th scope="row" className="nowrap">
                  {when(version.at)}
                </th>
                <td>
                  {version.actor === "job:seed"
                    ? "первое заполнение"
                    : version.actor.startsWith("job:")
                      ? "по расписанию"
                      : actorText(version.actor)}
                </td>
                <td>{eventWords[version.event]}</td>
                <td className="nowrap">
                  <button className="button button--small" type="button" onClick={() => void compare(version)}>
                    Сравнить
                  </button>{" "}
                  {version.revision === stored.revision ? null : (
                    <button className="button button--small" type="button" disabled={isBusy} onClick={() => void restore(version)}>
                      Вернуть
                    </button>
                  )}
                </td>
              </tr>
            ))}
            {data?.items.length === 0 ? (
              <tr>
                <td className="table__state" colSpan={4}>
                  Правок ещё не было
                </td>
              </tr>
            ) : null}
          </tbody>
        </table>
      </div>
      {compared ? <Compared version={compared.version} diff={compared.diff} /> : null}
    </Section>
  );
}

function Compared({ version, diff }: { version: Version; diff: FieldDiff[] }) {
  return (
    <div className="compared" role="region" aria-label="Сравнение" tabIndex={0}>
      <h3>Версия {when(version.at)} и то, что сейчас</h3>
      {diff.length === 0 ? <p>Отличий нет</p> : null}
      {diff.map(({ path, before, after, lines }) => (
        <div key={path}>
          <p className="soft">{path}</p>
          {lines ? (
            <pre className="line-diff">
              {lines.map(({ kind, text }, index) =>
                kind === "same" ? (
                  <span key={index}>{text}</span>
                ) : kind === "gone" ? (
                  <del key={index}>{text}</del>
                ) : (
                  <ins key={index}>{text}</ins>
                ),
              )}
            </pre>
          ) : (
            <p>
              <del>{before || "пусто"}</del> <ins>{after || "пусто"}</ins>
            </p>
          )}
        </div>
      ))}
    </div>
  );
}
