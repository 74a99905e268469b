import { useEffect, useState } from "react";
import { NavLink, useParams } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { formOf, settingKeys, settingSections, type SettingKey } from "#shop/settings/forms.ts";
import { shownLogin, useStaff } from "../session.ts";
import { WaitingApprovals } from "../staff/waiting-approvals.tsx";
import { when } from "../staff/words.ts";
import { Notice } from "../ui/marks.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { useRead } from "../ui/send/use-read.ts";
import { GroupForm } from "./group-form.tsx";
import { GroupHistory } from "./group-history.tsx";
import { draftsOf, hasDrafts, isTyped, storeDraft } from "./draft-store.ts";
import { isSettingKey, type SettingsDraft, type Group } from "./values.ts";
import "../styles/screens/settings.css";

addEventListener("beforeunload", (event) => hasDrafts(shownLogin()) && event.preventDefault());

const sections = Object.keys(settingSections) as (keyof typeof settingSections)[];

export function Component() {
  const { key: asked } = useParams();
  const key = isSettingKey(asked) ? asked : null;
  const { login } = useStaff();
  // Drafts survive leaving the screen, so no confirmation is needed.
  const [drafts, setDrafts] = useState(() => draftsOf(login));
  const { data: groups, refusal, reload } = useRead(contract.listSettings);
  const change = (of: SettingKey, draft: SettingsDraft | undefined) => setDrafts(storeDraft(login, of, draft));
  return (
    <div className={key ? "settings settings--group" : "settings"}>
      <nav className="settings__groups" aria-label="Группы настроек">
        {sections.map((section) => (
          <div key={section}>
            <h2>{settingSections[section]}</h2>
            <ul>
              {settingKeys
                .filter((each) => formOf(each).section === section)
                .map((each) => {
                  const stored = groups?.find((group) => group.key === each);
                  const draft = drafts[each];
                  const hasDraft = isTyped(draft);
                  return (
                    <li key={each}>
                      <NavLink to={`/settings/${each}`}>
                        {formOf(each).title}
                        {hasDraft ? <span className="soft">не сохранено</span> : null}
                        {!hasDraft && stored?.isIgnored ? <span className="warn">проверьте</span> : null}
                      </NavLink>
                    </li>
                  );
                })}
            </ul>
          </div>
        ))}
      </nav>
      <div className="settings__form" data-passing>
        {refusal ? (
          <Notice tone="warn">
            <p>{refusal.message}</p>
          </Notice>
        ) : null}
        {key ? (
          <OpenedGroup key={key} id={key} draft={drafts[key]} onDraft={(draft) => change(key, draft)} onChanged={reload} />
        ) : (
          <>
            <PageHead title="Настройки" />
            <p className="soft">Выберите группу. Изменение действует через две секунды, без перезапуска, и его можно вернуть.</p>
          </>
        )}
      </div>
    </div>
  );
}

function OpenedGroup({
  id,
  draft,
  onDraft,
  onChanged,
}: {
  id: SettingKey;
  draft: SettingsDraft | undefined;
  onDraft: (draft: SettingsDraft | undefined) => void;
  onChanged: () => Promise<void>;
}) {
  const { data, refusal, reload } = useRead(contract.readSettings, { params: { key: id } });
  const [saved, setSaved] = useState<Group | null>(null);
  useEffect(() => setSaved(null), [data]);
  const group = saved ?? data;
  const done = (next: Group | null) => {
    onDraft(undefined);
    if (next) setSaved(next);
    else void reload();
    void onChanged();
  };
  const facts = group?.changedAt ? `${group.changedBy?.name ?? ""}, ${when(group.changedAt)}` : "обычные значения";
  return (
    <>
      <p className="settings__back">
        <NavLink to="/settings" end>
          Все настройки
        </NavLink>
      </p>
      <PageHead title={formOf(id).title} facts={group ? facts : undefined} />
      {refusal ? (
        <Notice tone="warn">
          <p>{refusal.message}</p>
        </Notice>
      ) : null}
      <WaitingApprovals area="settings" record={id} />
      {group ? (
        <>
          <GroupForm draft={draft ?? { base: group, values: group.values }} onChange={onDraft} onSaved={done} />
          <GroupHistory key={group.revision} group={group} onRestored={done} />
        </>
      ) : null}
    </>
  );
}
