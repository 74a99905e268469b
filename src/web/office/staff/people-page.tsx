import { useState } from "react";
import { useSearchParams } from "react-router";
import type * as z from "zod";
import * as contract from "#contract/staff/calls.ts";
import type { readPeople } from "#contract/staff/access/people.ts";
import { roles as allRoles, type Role } from "#shop/staff/role.ts";
import { useKeys } from "../shell/keys.ts";
import { confirm } from "../ui/form/confirm.tsx";
import type { Column } from "../ui/table/column.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { Check, Field } from "../ui/form/field.tsx";
import { Notice, Trouble, WarnMark } from "../ui/marks.tsx";
import { PageHead, Section } from "../ui/page-head.tsx";
import { Panel, WithPanel } from "../ui/panel.tsx";
import { StaleDialog } from "../ui/form/stale-dialog.tsx";
import { showToast } from "../ui/toasts.tsx";
import { leavePanel } from "../ui/form/unsaved.ts";
import { useRead } from "../ui/send/use-read.ts";
import { useSend } from "../ui/send/use-send.ts";
import { HandOverLink, type InvitationLink } from "./hand-over-link.tsx";
import { WaitingApprovals } from "./waiting-approvals.tsx";
import { capitalized, roleList, roleNames, when } from "./words.ts";

type People = z.output<(typeof readPeople)["answer"]>;
type Person = People["people"][number];

export function Component() {
  const { data, refusal, reload } = useRead(contract.readPeople);
  const [params, setParams] = useSearchParams();
  const [openedId, setOpenedId] = useState<number | null>(null);
  const isInviting = params.has("invite");
  const invite = (isOpen: boolean) => {
    setOpenedId(null);
    setParams(isOpen ? { invite: "1" } : {});
  };
  const startInviting = () => {
    if (!isInviting) void leavePanel(() => invite(true));
  };
  useKeys([{ code: "KeyN", label: "Пригласить сотрудника", run: startInviting }]);
  const opened = data?.people.find(({ id }) => id === openedId);
  const open = ({ id }: Person) => {
    if (!isInviting && id === openedId) return;
    void leavePanel(() => {
      setParams({});
      setOpenedId(id);
    });
  };
  const columns: Column<Person>[] = [
    {
      key: "name",
      head: "Имя",
      isRowHead: true,
      cell: (person) => (
        <button className="text-button" type="button" onClick={() => open(person)}>
          {person.name}
        </button>
      ),
    },
    { key: "roles", head: "Роли", cell: ({ roles }) => roleList(roles) },
    { key: "email", head: "Почта", isCut: true, cell: ({ email }) => <span className="soft">{email}</span> },
    { key: "factors", head: "Вход", cell: (person) => <span className="soft">{factorWords(person)}</span> },
    { key: "sessions", head: "Сеансов", isRight: true, isWideOnly: true, cell: ({ sessions }) => sessions },
    {
      key: "used",
      head: "Был здесь",
      cell: ({ lastUsedAt, isDisabled }) =>
        isDisabled ? <Trouble>отключён</Trouble> : <span className="soft">{lastUsedAt ? when(lastUsedAt) : "ещё нет"}</span>,
    },
  ];
  const panel = isInviting ? (
    <InvitePanel onClose={() => invite(false)} onInvited={() => void reload()} />
  ) : opened ? (
    <PersonPanel key={`${opened.id}:${opened.revision}`} person={opened} onClose={() => setOpenedId(null)} onChanged={reload} />
  ) : null;
  return (
    <WithPanel panel={panel}>
      <PageHead
        title="Сотрудники"
        actions={
          <button className={isInviting ? "button" : "button button--gold"} type="button" onClick={startInviting}>
            Пригласить <kbd>N</kbd>
          </button>
        }
      />
      <WaitingApprovals area="staff" />
      <DataTable
        caption="Сотрудники"
        columns={columns}
        rows={data?.people}
        keyOf={({ id }) => `${id}`}
        nameOf={({ name }) => name}
        onOpen={open}
        error={refusal?.message}
        onRetry={() => void reload()}
        empty="Сотрудников ещё нет"
      />
      {data && data.invitations.length > 0 ? <Invitations invitations={data.invitations} onChanged={reload} /> : null}
    </WithPanel>
  );
}

function factorWords({ passkeys, hasPassword }: Person): string {
  const words = [passkeys > 0 ? `ключей: ${passkeys}` : "", hasPassword ? "пароль и код" : ""].filter(Boolean);
  return words.join(", ") || "не настроен";
}

function Invitations({ invitations, onChanged }: { invitations: People["invitations"]; onChanged: () => Promise<void> }) {
  const { send, refusal } = useSend(contract.withdrawInvitation);
  const withdraw = async (id: number) => {
    if (!(await send({ params: { id } }))?.ok) return;
    showToast("Приглашение отозвано");
    await onChanged();
  };
  return (
    <Section title="Приглашения" aside={<span className="muted">{invitations.length}</span>}>
      {refusal ? (
        <Notice tone="warn">
          <p>{refusal.message}</p>
        </Notice>
      ) : null}
      <dl className="rows">
        {invitations.map(({ id, email, roles, invitedBy, expiresAt, isReset }) => (
          <div key={id}>
            <dt>
              {email}, {isReset ? "новый вход" : roleList(roles)}, от {invitedBy}, до {when(expiresAt)}
            </dt>
            <dd>
              <button className="text-button" type="button" onClick={() => void withdraw(id)}>
                Отозвать
              </button>
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function RoleChoice({
  chosen,
  error,
  onChange,
}: {
  chosen: readonly Role[];
  error: string | undefined;
  onChange: (roles: Role[]) => void;
}) {
  return (
    <fieldset className="field">
      <legend className="field__label">Роли</legend>
      {allRoles.map((role) => (
        <Check
          key={role}
          checked={chosen.includes(role)}
          onChange={(event) => onChange(allRoles.filter((each) => (each === role ? event.target.checked : chosen.includes(each))))}
        >
          {capitalized(roleNames[role])}
        </Check>
      ))}
      {error ? (
        <p className="hint hint--bad with-mark" role="alert">
          <WarnMark />
          {error}
        </p>
      ) : null}
    </fieldset>
  );
}

function InvitePanel({ onClose, onInvited }: { onClose: () => void; onInvited: () => void }) {
  const { send, isBusy, refusal, fields } = useSend(contract.invitePerson);
  const [email, setEmail] = useState("");
  const [roles, setRoles] = useState<Role[]>([]);
  const [link, setLink] = useState<InvitationLink | null>(null);
  const invite = async () => {
    if (link) return;
    const answer = await send({ body: { email, roles } });
    if (!answer?.ok) return;
    setLink(answer.value);
    onInvited();
  };
  return (
    <Panel
      title="Пригласить"
      onClose={onClose}
      onSubmit={() => void invite()}
      foot={
        link ? null : (
          <button className="button button--gold button--wide" type="submit" disabled={isBusy}>
            Пригласить <kbd>Ctrl Enter</kbd>
          </button>
        )
      }
    >
      {link ? (
        <HandOverLink link={link} />
      ) : (
        <>
          {refusal && Object.keys(fields).length === 0 ? (
            <Notice tone="warn">
              <p>{refusal.message}</p>
            </Notice>
          ) : null}
          <Field
            label="Рабочая почта"
            type="email"
            autoComplete="off"
            value={email}
            error={fields["email"]}
            onChange={(event) => setEmail(event.target.value)}
          />
          <RoleChoice chosen={roles} error={fields["roles"]} onChange={setRoles} />
          <p className="hint">Новым ролям нужно согласие второго человека.</p>
        </>
      )}
    </Panel>
  );
}

function PersonPanel({ person, onClose, onChanged }: { person: Person; onClose: () => void; onChanged: () => Promise<void> }) {
  const { id, name, login, isSelf, isDisabled } = person;
  const [roles, setRoles] = useState<Role[]>(person.roles);
  const [link, setLink] = useState<InvitationLink | null>(null);
  const [stale, setStale] = useState<{ roles: readonly Role[]; revision: number } | null>(null);
  const change = useSend(contract.changeRoles);
  const disable = useSend(contract.setDisabled, { stores: "nothing" });
  const end = useSend(contract.endSessionsOf, { stores: "nothing" });
  const reset = useSend(contract.resetFactors, { stores: "nothing" });
  const failure = [change, disable, end, reset].map((each) => each.refusal).find((each) => each && each.code !== "staff.stale");
  const isBusy = [change, disable, end, reset].some((each) => each.isBusy);
  const isChanged = roles.length !== person.roles.length || roles.some((role) => !person.roles.includes(role));

  const save = async (revision = person.revision) => {
    if (isSelf || (!isChanged && revision === person.revision)) return;
    const answer = await change.send({ params: { id }, body: { roles, revision } });
    if (answer?.ok) {
      showToast(`Роли сохранены: ${name}`);
      await onChanged();
    } else if (answer?.error?.code === "staff.stale") {
      const { current, revision: newer } = answer.error.data;
      setStale({ roles: current.roles, revision: newer });
    }
  };
  const toggle = async () => {
    const disableText =
      "Все сеансы закончатся сразу, войти будет нельзя. Если приглашать сотрудников сможет только один человек, " +
      "нужно согласие второго.";
    const question = isDisabled
      ? { title: `Включить ${name}?`, action: "Включить" }
      : { title: `Отключить ${name}?`, text: disableText, action: "Отключить" };
    if (!(await confirm(question))) return;
    const answer = await disable.send({ params: { id }, body: { isDisabled: !isDisabled, revision: person.revision } });
    if (answer?.ok || answer?.error?.code === "staff.stale") await onChanged();
    if (answer?.ok) showToast(isDisabled ? "Включён" : "Отключён");
  };
  const endSessions = async () => {
    const answer = await end.send({ params: { id } });
    if (!answer?.ok) return;
    showToast(`Закончено сеансов: ${answer.value.ended}`);
    await onChanged();
  };
  const resetSignIn = async () => {
    const text =
      "Ключи, пароль и коды перестанут действовать, сеансы закончатся. Новый вход настраивают по ссылке. " +
      "Если у сотрудника доступ к деньгам или сотрудникам, нужно согласие второго человека.";
    if (!(await confirm({ title: `Сбросить вход: ${name}?`, text, action: "Сбросить" }))) return;
    const answer = await reset.send({ params: { id } });
    if (answer?.ok) setLink(answer.value);
  };
  return (
    <Panel
      title={name}
      onClose={onClose}
      onSubmit={() => void save()}
      foot={
        <button className="button button--gold button--wide" type="submit" disabled={isSelf || !isChanged || isBusy}>
          Сохранить роли <kbd>Ctrl Enter</kbd>
        </button>
      }
    >
      {failure && Object.keys(failure.fields).length === 0 ? (
        <Notice tone="warn">
          <p>{failure.message}</p>
        </Notice>
      ) : null}
      {link ? <HandOverLink link={link} /> : null}
      <dl className="rows">
        <div>
          <dt>Логин</dt>
          <dd>{login}</dd>
        </div>
        <div>
          <dt>Вход</dt>
          <dd>{factorWords(person)}</dd>
        </div>
        <div>
          <dt>Сеансов</dt>
          <dd>{person.sessions}</dd>
        </div>
      </dl>
      <RoleChoice chosen={roles} error={change.fields["roles"]} onChange={setRoles} />
      <p className="hint">
        {isSelf ? "Свои роли меняет другой сотрудник." : "Смена ролей заканчивает сеансы. Новым ролям нужно согласие второго человека."}
      </p>
      {isSelf ? null : (
        <div className="actions actions--after">
          <button className="button" type="button" disabled={isBusy} onClick={() => void endSessions()}>
            Закончить сеансы
          </button>
          <button className="button" type="button" disabled={isBusy} onClick={() => void resetSignIn()}>
            Сбросить вход
          </button>
          <button className="button" type="button" disabled={isBusy} onClick={() => void toggle()}>
            {isDisabled ? "Включить" : "Отключить"}
          </button>
        </div>
      )}
      <StaleDialog
        fields={stale ? [{ label: "Роли", current: roleList(stale.roles), yours: roleList(roles) }] : null}
        onKeepYours={() => {
          const newer = stale?.revision;
          setStale(null);
          void save(newer);
        }}
        onTakeCurrent={() => {
          setStale(null);
          void onChanged();
        }}
        onClose={() => setStale(null)}
      />
    </Panel>
  );
}
