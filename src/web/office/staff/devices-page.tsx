import { useState } from "react";
import * as contract from "#contract/staff/calls.ts";
import { callStaff } from "../client.ts";
import { createPasskey, canUsePasskeys, deviceName } from "../sign-in/passkey.ts";
import { RecoveryCodes } from "../sign-in/recovery-codes.tsx";
import { confirm } from "../ui/form/confirm.tsx";
import { Field } from "../ui/form/field.tsx";
import { Notice } from "../ui/marks.tsx";
import { PageHead, Section } from "../ui/page-head.tsx";
import { showToast } from "../ui/toasts.tsx";
import { useRead } from "../ui/send/use-read.ts";
import { useSend } from "../ui/send/use-send.ts";
import { signedOut } from "../session.ts";
import { when } from "./words.ts";

/** The signed-in member's own sessions, passkeys and recovery codes. */
export function Component() {
  const { data, refusal, reload } = useRead(contract.readDevices);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [problem, setProblem] = useState("");
  const end = useSend(contract.endSession);
  const endAll = useSend(contract.endAllSessions);
  const add = useSend(contract.addPasskey);
  const remove = useSend(contract.removePasskey);
  const renew = useSend(contract.renewRecoveryCodes);
  const failure = problem || refusal?.message || [end, endAll, add, remove, renew].map((each) => each.refusal?.message).find(Boolean);

  const addKey = async () => {
    setProblem("");
    const options = await callStaff(contract.readNewPasskeyOptions);
    if (!options.ok) return setProblem(options.error.message);
    const made = await createPasskey(options.value);
    if (!made.ok) return setProblem(made.error.message);
    const answer = await add.send({ body: { credential: made.value, label: deviceName() } });
    if (!answer?.ok) return;
    showToast("Ключ добавлен");
    await reload();
  };
  const removeKey = async (id: number, label: string) => {
    if (!(await confirm({ title: "Убрать ключ?", text: `Ключом «${label}» войти больше не получится.`, action: "Убрать" }))) return;
    if ((await remove.send({ params: { id } }))?.ok) await reload();
  };
  const endOthers = async () => {
    const answer = await endAll.send({ body: { exceptThis: true } });
    if (!answer?.ok) return;
    showToast(answer.value.ended > 0 ? `Закончено сеансов: ${answer.value.ended}` : "Других сеансов нет");
    await reload();
  };
  const newCodes = async () => {
    const question = { title: "Выпустить новые запасные коды?", text: "Прежние перестанут действовать.", action: "Выпустить" };
    if (!(await confirm(question))) return;
    const answer = await renew.send({});
    if (answer?.ok) setCodes(answer.value.recoveryCodes);
  };

  const endOne = async (id: number) => {
    if ((await end.send({ params: { id } }))?.ok) await reload();
  };
  const leaveEverywhere = async () => {
    if ((await endAll.send({ body: { exceptThis: false } }))?.ok) signedOut();
  };

  return (
    <>
      <PageHead
        title="Мои устройства"
        actions={
          <button className="button button--gold" type="button" disabled={add.isBusy || !canUsePasskeys()} onClick={() => void addKey()}>
            Добавить ключ этого устройства
          </button>
        }
      />
      {failure ? (
        <Notice tone="warn">
          <p>{failure}</p>
        </Notice>
      ) : null}
      <Section title="Ключи входа">
        {data?.passkeys.length === 0 ? <p className="hint">Ключей ещё нет. С ключом не нужны пароль и код.</p> : null}
        <dl className="rows">
          {data?.passkeys.map(({ id, label, createdAt, lastUsedAt }) => (
            <div key={id}>
              <dt>
                {label}, добавлен {when(createdAt)}
                {lastUsedAt ? `, вход ${when(lastUsedAt)}` : ""}
              </dt>
              <dd>
                <button className="text-button" type="button" onClick={() => void removeKey(id, label)}>
                  Убрать
                </button>
              </dd>
            </div>
          ))}
        </dl>
      </Section>
      <Section
        title="Сеансы"
        aside={
          <button className="text-button" type="button" onClick={() => void endOthers()}>
            Закончить все, кроме этого
          </button>
        }
      >
        <dl className="rows">
          {data?.sessions.map(({ id, isThis, device, address, lastUsedAt }) => (
            <div key={id}>
              <dt>
                {device}, {address}
              </dt>
              <dd>
                {isThis ? (
                  "этот сеанс"
                ) : (
                  <>
                    {when(lastUsedAt)}{" "}
                    <button className="text-button" type="button" onClick={() => void endOne(id)}>
                      Закончить
                    </button>
                  </>
                )}
              </dd>
            </div>
          ))}
        </dl>
        <div className="actions actions--after">
          <button className="button" type="button" onClick={() => void leaveEverywhere()}>
            Выйти везде
          </button>
        </div>
      </Section>
      {data?.hasPassword ? <PasswordSection onChanged={reload} /> : null}
      <Section title="Запасные коды" aside={<span className="muted">осталось {data?.recoveryCodesLeft ?? "…"}</span>}>
        {codes ? (
          <RecoveryCodes
            codes={codes}
            hasPassword={data?.hasPassword ?? false}
            onSaved={() => {
              setCodes(null);
              void reload();
            }}
          />
        ) : (
          <div className="actions actions--after">
            <button className="button" type="button" onClick={() => void newCodes()}>
              Выпустить новые
            </button>
          </div>
        )}
      </Section>
    </>
  );
}

/** Replaces the own password. What was typed stays until it went through. */
function PasswordSection({ onChanged }: { onChanged: () => Promise<void> }) {
  const { send, isBusy, refusal, fields } = useSend(contract.changePassword);
  const [oldPassword, setOldPassword] = useState("");
  const [newPassword, setNewPassword] = useState("");
  const [repeated, setRepeated] = useState("");
  const [isDifferent, setDifferent] = useState(false);
  const save = async () => {
    setDifferent(newPassword !== repeated);
    if (newPassword !== repeated) return;
    const answer = await send({ body: { oldPassword, newPassword } });
    if (!answer?.ok) return;
    for (const clear of [setOldPassword, setNewPassword, setRepeated]) clear("");
    showToast(answer.value.ended > 0 ? `Пароль изменён, закончено других сеансов: ${answer.value.ended}` : "Пароль изменён");
    await onChanged();
  };
  return (
    <Section title="Пароль">
      <form
        className="password-form"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {refusal && Object.keys(fields).length === 0 ? (
          <Notice tone="warn">
            <p>{refusal.message}</p>
          </Notice>
        ) : null}
        <Field
          label="Прежний пароль"
          type="password"
          autoComplete="current-password"
          error={fields["oldPassword"]}
          value={oldPassword}
          onChange={(event) => setOldPassword(event.target.value)}
        />
        <Field
          label="Новый пароль"
          type="password"
          autoComplete="new-password"
          hint="Не короче 12 символов. Другие сеансы закончатся"
          error={fields["newPassword"]}
          value={newPassword}
          onChange={(event) => setNewPassword(event.target.value)}
        />
        <Field
          label="Новый пароль ещё раз"
          type="password"
          autoComplete="new-password"
          error={isDifferent && newPassword !== repeated ? "Пароли не совпадают" : null}
          value={repeated}
          onChange={(event) => setRepeated(event.target.value)}
        />
        <div className="actions">
          <button className="button" type="submit" disabled={isBusy || oldPassword === "" || newPassword === ""}>
            Сменить пароль
          </button>
        </div>
      </form>
    </Section>
  );
}
