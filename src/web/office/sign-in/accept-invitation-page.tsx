import { useEffect, useState, type SyntheticEvent } from "react";
import { useNavigate } from "react-router";
import type * as z from "zod";
import * as contract from "#contract/staff/calls.ts";
import type { openInvitation } from "#contract/staff/access/session.ts";
import { QrCode } from "#web/ui/qr-code.tsx";
import { callStaff, newKey } from "../client.ts";
import { signedIn, type Me } from "../session.ts";
import { roleList, when } from "../staff/words.ts";
import { Field } from "../ui/form/field.tsx";
import { Icon } from "../ui/icon.tsx";
import { Notice } from "../ui/marks.tsx";
import { useSend } from "../ui/send/use-send.ts";
import { SignInFrame } from "./sign-in-frame.tsx";
import { canUsePasskeys, createPasskey, deviceName } from "./passkey.ts";
import { RecoveryCodes } from "./recovery-codes.tsx";

type Invitation = z.output<(typeof openInvitation)["answer"]>;

/**
 * Opened by the link of an invitation: its token is the fragment, which is not sent to the server and is taken out of the address at once.
 */
export function AcceptInvitationPage() {
  const [token] = useState(() => location.hash.slice(1));
  const [pageKey] = useState(newKey);
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  // A page that was loaded again has the address without the token.
  const [problem, setProblem] = useState(token ? "" : "Откройте ссылку из приглашения ещё раз: в этом адресе её ключа уже нет");
  const [accepted, setAccepted] = useState<{ me: Me; recoveryCodes: string[] } | null>(null);
  const navigate = useNavigate();
  useEffect(() => {
    document.title = "Приглашение — Чекан, служебная часть";
    if (!token) return;
    history.replaceState(history.state, "", location.pathname);
    let isGone = false;
    void callStaff(contract.openInvitation, { body: { token, pageKey } }).then((answer) => {
      if (isGone) return;
      if (answer.ok) setInvitation(answer.value);
      else if (answer.error) setProblem(answer.error.message);
    });
    return () => {
      isGone = true;
    };
  }, [token, pageKey]);
  if (accepted)
    return (
      <SignInFrame title="Запасные коды">
        <section className="sign-in-frame__wide">
          <RecoveryCodes
            codes={accepted.recoveryCodes}
            hasPassword={accepted.me.factors.includes("code")}
            onSaved={() => {
              signedIn(accepted.me);
              void navigate("/", { replace: true });
            }}
          />
        </section>
      </SignInFrame>
    );
  return (
    <SignInFrame title="Приглашение">
      {problem ? (
        <Notice tone="warn">
          <p>
            {problem}. <a href="/">Уже настроили вход? Войдите</a>
          </p>
        </Notice>
      ) : null}
      {invitation ? <Accept token={token} pageKey={pageKey} invitation={invitation} onAccepted={setAccepted} /> : null}
    </SignInFrame>
  );
}

function Accept({
  token,
  pageKey,
  invitation: { email, roles, expiresAt, account, suggestedLogin, totp },
  onAccepted,
}: {
  token: string;
  pageKey: string;
  invitation: Invitation;
  onAccepted: (answer: { me: Me; recoveryCodes: string[] }) => void;
}) {
  const [name, setName] = useState(account?.name ?? "");
  const [login, setLogin] = useState(account?.login ?? suggestedLogin);
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const [problem, setProblem] = useState("");
  const [isMaking, setMaking] = useState(false);
  const { send, isBusy, refusal, fields } = useSend(contract.acceptInvitation);
  type Factor = Parameters<typeof send>[0]["body"]["factor"];
  const accept = async (factor: Factor) => {
    const answer = await send({ body: { token, pageKey, login, name, factor } });
    if (answer?.ok) onAccepted(answer.value);
  };
  const makePasskey = async () => {
    // The challenge that came with the page ends after five minutes and is answered once.
    const fresh = await callStaff(contract.openInvitation, { body: { token } });
    if (!fresh.ok) return setProblem(fresh.error?.message ?? "");
    const made = await createPasskey(fresh.value.passkey);
    if (!made.ok) return setProblem(made.error.message);
    await accept({ by: "passkey", credential: made.value, label: deviceName() });
  };
  const byPasskey = async () => {
    setProblem("");
    setMaking(true);
    await makePasskey().finally(() => setMaking(false));
  };
  const byPassword = (event: SyntheticEvent) => {
    event.preventDefault();
    setProblem("");
    void accept({ by: "password", password, code });
  };
  const message = problem || (refusal && Object.keys(fields).length === 0 ? refusal.message : "");
  return (
    <>
      <section className="sign-in-frame__wide">
        <p>
          {account ? "Новый вход для " : "Вас приглашают: "}
          <b className="strong">{email}</b>, {roleList(roles)}. Ссылка действует до {when(expiresAt)}.
        </p>
        {message ? (
          <Notice tone="warn">
            <p>{message}</p>
          </Notice>
        ) : null}
        {account ? null : (
          <div className="sign-in-frame__names">
            <Field
              label="Имя и фамилия, их видят коллеги"
              autoComplete="name"
              value={name}
              error={fields["name"]}
              onChange={(event) => setName(event.target.value)}
            />
            <Field
              label="Логин, он стоит в журнале"
              autoComplete="off"
              value={login}
              error={fields["login"]}
              onChange={(event) => setLogin(event.target.value)}
            />
          </div>
        )}
      </section>
      <section className="sign-in-frame__key">
        <h2>Ключ входа</h2>
        <p>Отпечаток, лицо или ключ этого компьютера. Пароль и код не нужны.</p>
        <button
          className="button button--gold button--wide"
          type="button"
          disabled={isBusy || isMaking || !canUsePasskeys()}
          onClick={() => void byPasskey()}
        >
          <Icon name="key" /> Создать ключ
        </button>
      </section>
      <form onSubmit={byPassword} noValidate>
        <h2>Пароль и код</h2>
        <Field
          label="Пароль, не короче 12 символов"
          type="password"
          autoComplete="new-password"
          value={password}
          error={fields["password"]}
          onChange={(event) => setPassword(event.target.value)}
        />
        <div className="sign-in-frame__code">
          <QrCode qr={totp.qr} label="Код для приложения с одноразовыми кодами" />
          <p className="hint">
            Снимите код приложением для одноразовых кодов или введите в него ключ: <span className="number">{totp.secret}</span>
          </p>
        </div>
        <Field
          label="Код из приложения, 6 цифр"
          inputMode="numeric"
          autoComplete="one-time-code"
          value={code}
          error={fields["code"]}
          onChange={(event) => setCode(event.target.value)}
        />
        <button className="button" type="submit" disabled={isBusy || isMaking}>
          Создать вход с паролем
        </button>
      </form>
    </>
  );
}
