import { useState, type SyntheticEvent } from "react";
import * as contract from "#contract/staff/calls.ts";
import { grantsOf, type Role } from "#shop/staff/role.ts";
import { callStaff } from "../client.ts";
import { signedIn } from "../session.ts";
import { startSection } from "../shell/sections.ts";
import { capitalized, roleNames } from "../staff/words.ts";
import { Field } from "../ui/form/field.tsx";
import { Icon } from "../ui/icon.tsx";
import { Notice } from "../ui/marks.tsx";
import { useRead } from "../ui/send/use-read.ts";
import { useSend } from "../ui/send/use-send.ts";
import { canUsePasskeys, signWithPasskey } from "./passkey.ts";

/** Ways to sign in: a passkey first, then password with a code, roles in the demonstration. Used by the page and by the overlay. */
export function SignInWays({ email = "" }: { email?: string }) {
  return (
    <>
      <PasskeyWay />
      <PasswordWay knownEmail={email} />
      <DemoRoles />
    </>
  );
}

/** The answer to a passkey that was removed: there is no mailbox, password or code to check. */
const unknownKey = "Этот ключ здесь больше не действует. Войдите паролем или попросите коллегу настроить вход заново";

function PasskeyWay() {
  const { send, isBusy } = useSend(contract.signInByPasskey);
  const [problem, setProblem] = useState("");
  const signIn = async () => {
    setProblem("");
    const options = await callStaff(contract.readSignInOptions);
    if (!options.ok) return setProblem(options.error.message);
    const signed = await signWithPasskey(options.value);
    if (!signed.ok) return setProblem(signed.error.message);
    const answer = await send({ body: { credential: signed.value } });
    if (answer?.ok) signedIn(answer.value);
    else if (answer?.error) setProblem(answer.error.code === "staff.sign_in_refused" ? unknownKey : answer.error.message);
  };
  return (
    <section className="sign-in-frame__key">
      <h2>Ключ входа</h2>
      <p>Отпечаток, лицо или ключ, который вы добавили на этом компьютере. Пароль и код не нужны.</p>
      <button
        className="button button--gold button--wide"
        type="button"
        disabled={isBusy || !canUsePasskeys()}
        onClick={() => void signIn()}
      >
        <Icon name="key" /> Войти ключом
      </button>
      {problem ? (
        <Notice tone="warn">
          <p>{problem}</p>
        </Notice>
      ) : null}
      {canUsePasskeys() ? null : <p className="hint">Этот браузер не умеет хранить ключи. Войдите паролем.</p>}
      <p className="hint">Ключа здесь ещё нет? Войдите паролем, потом добавьте его в «Моих устройствах»: это быстрее и надёжнее.</p>
      <p className="hint">Ключ потерян, а пароля нет? Вход настроит заново коллега: «Сотрудники», «Сбросить вход».</p>
    </section>
  );
}

function PasswordWay({ knownEmail }: { knownEmail: string }) {
  const { send, isBusy, refusal, fields, forget } = useSend(contract.signInByPassword);
  const [email, setEmail] = useState(knownEmail);
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const [isRecovery, setRecovery] = useState(false);
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    const answer = await send({ body: { email, password, ...(isRecovery ? { recoveryCode: code } : { code }) } });
    if (answer?.ok) signedIn(answer.value);
  };
  const message = refusal && Object.keys(fields).length === 0 ? refusal.message : null;
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <h2>Пароль и код</h2>
      <Field
        label="Рабочая почта"
        type="email"
        autoComplete="username"
        value={email}
        error={fields["email"]}
        onChange={(event) => setEmail(event.target.value)}
      />
      <Field
        label="Пароль"
        type="password"
        autoComplete="current-password"
        value={password}
        error={fields["password"]}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Field
        label={isRecovery ? "Запасной код, 12 знаков" : "Код из приложения, 6 цифр"}
        inputMode={isRecovery ? "text" : "numeric"}
        autoComplete="one-time-code"
        value={code}
        error={fields["code"] ?? fields["recoveryCode"] ?? message}
        onChange={(event) => setCode(event.target.value)}
      />
      <button className="button" type="submit" disabled={isBusy}>
        {isBusy ? "Входим…" : "Войти"}
      </button>
      <p className="hint">
        <button
          className="text-button"
          type="button"
          onClick={() => {
            setRecovery(!isRecovery);
            setCode("");
            forget();
          }}
        >
          {isRecovery ? "Телефон со мной: код из приложения" : "Нет телефона: запасной код"}
        </button>
      </p>
    </form>
  );
}

function DemoRoles() {
  const { data } = useRead(contract.readSignIn);
  const { send, isBusy, refusal } = useSend(contract.demoSignIn);
  if (!data || data.demoRoles.length === 0) return null;
  const signIn = async (role: Role) => {
    const answer = await send({ body: { role } });
    if (answer?.ok) signedIn(answer.value);
  };
  return (
    <section className="demo-roles">
      <h2>Демонстрация</h2>
      <p className="soft">Этот адрес открыт только с этой машины, данные выдуманы. Нажмите роль и войдите без пароля.</p>
      {refusal ? (
        <Notice tone="warn">
          <p>{refusal.message}</p>
        </Notice>
      ) : null}
      <ul>
        {data.demoRoles.map((role) => (
          <li key={role}>
            <button type="button" disabled={isBusy} onClick={() => void signIn(role)}>
              {capitalized(roleNames[role])}
              <span>{startSection([role], grantsOf([role]))?.label}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
