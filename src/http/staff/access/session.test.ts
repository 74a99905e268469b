import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as contract from "#contract/staff/access/session.ts";
import * as people from "#contract/staff/access/people.ts";
import { inTransaction, rowsOf } from "#kit/db.ts";
import { relyingParty } from "#kit/security/passkeys.ts";
import { randomId } from "#kit/ids.ts";
import { anAuthenticator } from "#kit/testing.ts";
import { minutes, seconds } from "#kit/time.ts";
import { totpCodeAt } from "#kit/security/totp.ts";
import * as factors from "#shop/staff/sign-in/factors.service.ts";
import * as accounts from "#shop/staff/people/people.service.ts";
import type { Role } from "#shop/staff/role.ts";
import { bodyHash } from "../../request/body-hash.ts";
import { openStaffBench, type StaffBench, type StaffClient } from "../testing.ts";

const party = relyingParty("http://localhost:3001");
const password = "длинный пароль лавки";

let bench: StaffBench;
beforeAll(async () => {
  bench = await openStaffBench({ limits: { staffFailures: 1_000 } });
});
afterAll(() => bench.close());

type Visitor = Omit<StaffClient, "member">;
let count = 0;

async function invited(roles: Role[] = ["sales"], given: string | null = null, at = bench): Promise<{ token: string; email: string }> {
  const admin = await at.as("admin");
  const email = given ?? `new-${(count += 1)}@chekan.ru`;
  const { data, problem } = await admin.call(people.invitePerson, { body: { email, roles } });
  if (problem) throw new Error(problem.code);
  return { token: data.link.split("#")[1] ?? "", email };
}

type Account = { email: string; login: string; secret: string; recoveryCodes: string[]; browser: Visitor };

async function withPassword(at = bench): Promise<Account> {
  const { token, email } = await invited(["sales"], null, at);
  const browser = at.visitor();
  const { data } = await browser.call(contract.openInvitation, { body: { token } });
  const secret = data.totp.secret.replaceAll(" ", "");
  const accepted = await browser.call(contract.acceptInvitation, {
    body: {
      token,
      login: data.suggestedLogin,
      name: "Мария Седова",
      factor: { by: "password", password, code: totpCodeAt(secret, at.clock.now()) },
    },
  });
  expect(accepted.status).toBe(200);
  return { email, login: data.suggestedLogin, secret, recoveryCodes: accepted.data.recoveryCodes, browser };
}

const signIn = (browser: Visitor, { email, secret }: Pick<Account, "email" | "secret">, given: object = {}, at = bench) =>
  browser.call(contract.signInByPassword, { body: { email, password, code: totpCodeAt(secret, at.clock.now()), ...given } });

test("an invitation sets an account up with a password and codes, once", async () => {
  const { browser, recoveryCodes, email } = await withPassword();
  expect(recoveryCodes).toHaveLength(10);
  const { data } = await browser.call(contract.readMe);
  expect(data).toMatchObject({ name: "Мария Седова", email, roles: ["sales"], factors: ["code", "recovery"] });
  expect(browser.cookie).not.toBe("");
});

test("an invitation works once, for an hour, and a newer one replaces it", async () => {
  const { token, email } = await invited();
  await invited(["sales"], email);
  expect((await bench.visitor().call(contract.openInvitation, { body: { token } })).problem?.code).toBe("staff.invitation_gone");

  const second = await invited();
  bench.clock.advance(minutes(60));
  expect((await bench.visitor().call(contract.openInvitation, { body: { token: second.token } })).problem?.code).toBe(
    "staff.invitation_gone",
  );
});

test("someone who opened an invitation before does not know the code secret of the invited person", async () => {
  const { token } = await invited();
  const [maker, browser] = [bench.visitor(), bench.visitor()];
  const keys = [randomId(), randomId()];
  const open = async (at: Visitor, pageKey?: string) =>
    (await at.call(contract.openInvitation, { body: { token, pageKey } })).data.totp.secret.replaceAll(" ", "");
  const secrets = [await open(maker, keys[0]), await open(browser, keys[1]), await open(maker)];
  expect(new Set(secrets).size).toBe(3);
  const accept = (secret = "") =>
    browser.call(contract.acceptInvitation, {
      body: {
        token,
        pageKey: keys[1],
        login: "own-secret",
        name: "Мария Седова",
        factor: { by: "password", password, code: totpCodeAt(secret, bench.clock.now()) },
      },
    });
  for (const other of [secrets[0], secrets[2]]) expect((await accept(other)).problem?.code).toBe("staff.factor_refused");
  expect((await accept(secrets[1])).status).toBe(200);
});

test("two browsers that accept one invitation at once make one account", async () => {
  const { token } = await invited();
  const browser = bench.visitor();
  const { data } = await browser.call(contract.openInvitation, { body: { token } });
  const factor = { by: "password" as const, password, code: totpCodeAt(data.totp.secret.replaceAll(" ", ""), bench.clock.now()) };
  const answers = await Promise.all(
    ["first-login", "second-login"].map((login) =>
      bench.visitor().call(contract.acceptInvitation, { body: { token, login, name: "Двойник", factor } }),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 410]);
});

test("an account signs in with password and code; the code works once, also in two requests at once", async () => {
  const account = await withPassword();
  bench.clock.advance(seconds(30));
  const answers = await Promise.all([1, 2].map(() => signIn(bench.visitor(), account)));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
  expect((await signIn(bench.visitor(), account)).problem?.code).toBe("staff.sign_in_refused");
  bench.clock.advance(seconds(30));
  const browser = bench.visitor();
  expect((await signIn(browser, account)).status).toBe(200);
  expect((await browser.call(contract.readMe)).data.login).toBe(account.login);
});

test("a refused sign-in does not tell which part was wrong", async () => {
  const account = await withPassword();
  bench.clock.advance(seconds(30));
  const wrong = await Promise.all([
    signIn(bench.visitor(), account, { password: "не тот пароль совсем" }),
    signIn(bench.visitor(), account, { code: "000000" }),
    signIn(bench.visitor(), { ...account, email: "nobody@chekan.ru" }),
  ]);
  expect(new Set(wrong.map(({ response }) => `${response.statusCode} ${response.body}`)).size).toBe(1);
  expect(wrong[0]?.problem?.code).toBe("staff.sign_in_refused");
});

test("a recovery code replaces the code of the application, once", async () => {
  const { email, recoveryCodes } = await withPassword();
  const [recoveryCode = ""] = recoveryCodes;
  const by = (given: string) => bench.visitor().call(contract.signInByPassword, { body: { email, password, recoveryCode: given } });
  expect((await by(recoveryCode.toLowerCase())).status).toBe(200);
  expect((await by(recoveryCode)).problem?.code).toBe("staff.sign_in_refused");
});

/** Until another transaction waits for a lock of the one that runs. */
const untilSomeoneWaits = () =>
  expect
    .poll(
      async () => {
        const waiting = sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        return (await rowsOf(bench.ctx.db, waiting)).length;
      },
      { timeout: 4_000 },
    )
    .toBeGreaterThan(0);

test("a sign-in that was right before the account's factors were reset opens no session after it", async () => {
  const { email, recoveryCodes, browser } = await withPassword();
  const { data: me } = await browser.call(contract.readMe);
  const admin = await bench.as("admin");
  const late = bench.visitor();
  const { answer } = await inTransaction(bench.ctx.db, async (tx) => {
    await tx.execute(sql`select from staff where id = ${me.id} for update`);
    const [recoveryCode = ""] = recoveryCodes;
    const sent = late.call(contract.signInByPassword, { body: { email, password, recoveryCode } });
    await untilSomeoneWaits();
    await accounts.resetFactors({ ...bench.ctx, db: tx }, { id: me.id, by: admin.member });
    return { answer: sent };
  });
  expect((await answer).problem?.code).toBe("staff.sign_in_refused");
  expect(late.cookie).toBe("");
});

test("of two renewals of the recovery codes at once only the codes of one work", async () => {
  const { browser } = await withPassword();
  const { data: me } = await browser.call(contract.readMe);
  const renew = (db: typeof bench.ctx.db) => factors.renewRecoveryCodes(db, bench.ctx, me.id);
  const { second } = await inTransaction(bench.ctx.db, async (tx) => {
    await renew(tx);
    const waits = inTransaction(bench.ctx.db, renew);
    await untilSomeoneWaits();
    return { second: waits };
  });
  await second;
  expect((await browser.call(contract.readDevices)).data.recoveryCodesLeft).toBe(10);
});

test("a sign-in ends the session that the browser had", async () => {
  const account = await withPassword();
  bench.clock.advance(seconds(30));
  const { browser } = account;
  const before = browser.cookie;
  expect((await signIn(browser, account)).status).toBe(200);
  expect(browser.cookie).not.toBe(before);
  const copied = bench.visitor();
  copied.cookie = before;
  expect((await copied.call(contract.readMe)).problem?.code).toBe("staff.sign_in_required");
  expect((await browser.call(contract.readMe)).status).toBe(200);
});

test("secrets are not stored in the clear", async () => {
  const { secret, recoveryCodes, browser } = await withPassword();
  const tables = ["staff", "staff_recovery_codes", "staff_sessions", "staff_invitations", "audit_entries", "staff_call_keys"];
  const stored = JSON.stringify(
    await Promise.all(tables.map((table) => bench.ctx.db.execute(sql.raw(`select to_jsonb(t) as row from ${table} t`)))),
  );
  const words = [
    secret,
    password,
    browser.cookie.replace("staff=", ""),
    ...recoveryCodes,
    ...recoveryCodes.map((code) => code.replaceAll("-", "")),
  ];
  expect(words.filter((word) => stored.includes(word))).toEqual([]);
});

test("a passkey signs in; its answer cannot be sent a second time, nor by another key or for another site", async () => {
  const { token } = await invited(["editor"]);
  const browser = bench.visitor();
  const { data } = await browser.call(contract.openInvitation, { body: { token } });
  const key = anAuthenticator(party);
  const accepted = await browser.call(contract.acceptInvitation, {
    body: {
      token,
      login: "key-owner",
      name: "Ключ",
      factor: { by: "passkey", credential: key.register(data.passkey.challenge), label: "Ноутбук" },
    },
  });
  expect(accepted.data.me.factors).toContain("passkey");

  const challenge = async () => (await bench.visitor().call(contract.readSignInOptions)).data.challenge;
  const credential = key.authenticate(await challenge());
  const signedIn = bench.visitor();
  expect((await signedIn.call(contract.signInByPasskey, { body: { credential } })).data?.login).toBe("key-owner");
  expect((await signedIn.call(contract.readMe)).status).toBe(200);

  const foreignSite = { ...relyingParty("http://localhost:3001"), origin: "http://evil.example" };
  const refused = [
    credential,
    anAuthenticator(party).authenticate(await challenge()),
    anAuthenticator(foreignSite).authenticate(await challenge()),
    key.authenticate(Buffer.from("invented").toString("base64url")),
    { ...key.authenticate(await challenge()), response: credential.response },
  ];
  for (const each of refused)
    expect((await bench.visitor().call(contract.signInByPasskey, { body: { credential: each } })).problem?.code).toBe(
      "staff.sign_in_refused",
    );

  const late = await challenge();
  bench.clock.advance(minutes(5));
  expect((await bench.visitor().call(contract.signInByPasskey, { body: { credential: key.authenticate(late) } })).status).toBe(422);
});

test("after a login that is taken the same new passkey goes on with another one", async () => {
  const { login: taken } = await withPassword();
  const { token } = await invited(["editor"]);
  const browser = bench.visitor();
  const { data } = await browser.call(contract.openInvitation, { body: { token } });
  const key = anAuthenticator(party);
  const accept = (login: string) =>
    browser.call(contract.acceptInvitation, {
      body: {
        token,
        login,
        name: "Второй ключ",
        factor: { by: "passkey", credential: key.register(data.passkey.challenge), label: "Ноутбук" },
      },
    });
  expect((await accept(taken)).problem?.code).toBe("staff.login_taken");
  expect((await accept("second-key-owner")).data?.me.login).toBe("second-key-owner");
});

test("a member adds and removes passkeys after the second factor; the last way to sign in stays", async () => {
  const { browser } = await withPassword();
  const options = await browser.call(contract.readNewPasskeyOptions);
  const key = anAuthenticator(party);
  const body = { credential: key.register(options.data.challenge), label: "Телефон" };
  const { data } = await browser.call(contract.addPasskey, { body });
  expect((await browser.call(contract.readDevices)).data).toMatchObject({
    hasPassword: true,
    recoveryCodesLeft: 10,
    passkeys: [{ label: "Телефон" }],
  });

  await bench.ctx.db.execute(
    sql`update staff set password_hash = null, totp_secret = null where id = (select staff_id from staff_passkeys where id = ${data.id})`,
  );
  expect((await browser.call(contract.removePasskey, { params: { id: data.id } })).problem?.code).toBe("staff.last_factor");
});

test("after five minutes the second factor is required, and a code, a passkey or a recovery code answers it", async () => {
  const account = await withPassword();
  const { browser } = account;
  const options = await browser.call(contract.readNewPasskeyOptions);
  const key = anAuthenticator(party);
  await browser.call(contract.addPasskey, { body: { credential: key.register(options.data.challenge), label: "Ноутбук" } });

  const late = async () => {
    bench.clock.advance(minutes(6));
    expect((await browser.call(contract.readMe)).data.verifiedUntil).toBeNull();
    expect((await browser.call(contract.renewRecoveryCodes)).problem?.code).toBe("staff.verify_again");
  };
  await late();
  expect((await browser.call(contract.stepUp, { body: { by: "code", code: "000000" } })).problem?.code).toBe("staff.factor_refused");
  expect((await browser.call(contract.stepUp, { body: { by: "code", code: totpCodeAt(account.secret, bench.clock.now()) } })).status).toBe(
    200,
  );
  expect((await browser.call(contract.renewRecoveryCodes)).status).toBe(200);
  await late();
  const { data } = await browser.call(contract.readStepUpOptions);
  expect((await browser.call(contract.stepUp, { body: { by: "passkey", credential: key.authenticate(data.challenge) } })).status).toBe(200);
  await late();
  expect((await browser.call(contract.stepUp, { body: { by: "demo" } })).problem?.code).toBe("staff.factor_refused");
});

test("a member sees its devices, ends one, and ends all", async () => {
  const account = await withPassword();
  bench.clock.advance(seconds(30));
  const phone = bench.visitor();
  await signIn(phone, account);
  const { sessions } = (await phone.call(contract.readDevices)).data;
  expect(sessions.filter(({ isThis }) => isThis)).toHaveLength(1);
  const other = sessions.find(({ isThis }) => !isThis);
  expect((await phone.call(contract.endSession, { params: { id: other?.id ?? 0 } })).status).toBe(200);
  expect((await account.browser.call(contract.readMe)).status).toBe(401);
  expect((await (await bench.as("sales")).call(contract.endSession, { params: { id: other?.id ?? 0 } })).problem?.code).toBe(
    "staff.not_found",
  );
  expect((await phone.call(contract.endAllSessions, { body: { exceptThis: false } })).data).toEqual({ ended: 1 });
  expect(phone.cookie).toBe("");
});

test("five failures close the account and the address for 15 minutes, across two processes, also for the right password", async () => {
  const strict = await openStaffBench();
  const account = await withPassword(strict);
  strict.clock.advance(seconds(30));
  const second = await strict.secondProcess();
  const browsers = [strict.visitor(), second({ cookie: "" })];
  const wrong = await Promise.all(
    [0, 1, 2, 3, 4, 5, 6].map((n) => signIn(browsers[n % 2] ?? strict.visitor(), account, { password: "не тот пароль совсем" }, strict)),
  );
  expect(wrong.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([422, 422, 422, 422, 422, 429, 429]);
  const closed = await signIn(strict.visitor(), account, {}, strict);
  expect(closed.problem?.code).toBe("staff.sign_in_closed");
  expect(closed.response.headers["retry-after"]).toBe("900");
  const stranger = await signIn(strict.visitor(), { ...account, email: "nobody@chekan.ru" }, {}, strict);
  expect(stranger.problem?.code).toBe("staff.sign_in_closed");
  strict.clock.advance(minutes(15));
  expect((await signIn(strict.visitor(), account, {}, strict)).status).toBe(200);
  await strict.close();
});

test("one press signs in with a role in the demonstration, and nowhere else", async () => {
  const browser = bench.visitor();
  expect((await browser.call(contract.readSignIn)).data.demoRoles).toContain("packing");
  expect((await browser.call(contract.demoSignIn, { body: { role: "packing" } })).data).toMatchObject({
    login: "demo-packing",
    isDemo: true,
    factors: ["demo"],
  });
  bench.clock.advance(minutes(6));
  expect((await browser.call(contract.stepUp, { body: { by: "demo" } })).status).toBe(200);
  const again = bench.visitor();
  expect((await again.call(contract.demoSignIn, { body: { role: "packing" } })).status).toBe(200);

  const admin = await bench.as("admin");
  const { people: everyone } = (await admin.call(people.readPeople)).data;
  const { id = 0, revision = 0 } = everyone.find(({ login }) => login === "demo-packing") ?? {};
  const set = (isDisabled: boolean, from: number) =>
    admin.call(people.setDisabled, { params: { id }, body: { isDisabled, revision: from } });
  expect((await set(true, revision)).status).toBe(200);
  expect((await bench.visitor().call(contract.demoSignIn, { body: { role: "packing" } })).problem?.code).toBe("staff.disabled");
  expect((await set(false, revision + 1)).status).toBe(200);
  expect((await bench.visitor().call(contract.demoSignIn, { body: { role: "packing" } })).status).toBe(200);

  const throughProxy = { headers: { "x-forwarded-for": "203.0.113.7" } };
  expect((await bench.visitor().call(contract.readSignIn, throughProxy)).data.demoRoles).toEqual([]);
  expect((await bench.visitor().call(contract.demoSignIn, { body: { role: "owner" }, ...throughProxy })).status).toBe(404);

  const real = await openStaffBench({ isDemo: false });
  expect((await real.visitor().call(contract.readSignIn)).data.demoRoles).toEqual([]);
  expect((await real.visitor().call(contract.demoSignIn, { body: { role: "owner" } })).status).toBe(404);
  const { rows } = (await real.ctx.db.execute(sql`select count(*)::int as n from staff`)) as unknown as { rows: { n: number }[] };
  expect(rows[0]?.n).toBe(0);
  await real.close();
});

test("a member changes the own password with the old one, soon after the second factor; its other sessions end", async () => {
  const account = await withPassword();
  bench.clock.advance(seconds(30));
  const other = bench.visitor();
  expect((await signIn(other, account)).status).toBe(200);
  const change = (oldPassword: string, newPassword = "новый длинный пароль") =>
    account.browser.call(contract.changePassword, { body: { oldPassword, newPassword } });
  expect((await change("не тот пароль")).problem?.fields).toEqual({ oldPassword: "Прежний пароль не подходит" });
  expect((await change(password, "короткий")).problem?.fields).toEqual({ newPassword: "Не короче 12 символов" });
  expect((await change(password, "qwerty1234567")).problem?.fields).toEqual({
    newPassword: "Такие пароли подбирают первыми: придумайте другой",
  });
  expect((await change(password, password)).problem?.fields).toHaveProperty("newPassword");
  bench.clock.advance(minutes(6));
  expect((await change(password)).problem?.code).toBe("staff.verify_again");
  const code = totpCodeAt(account.secret, bench.clock.now());
  expect((await account.browser.call(contract.stepUp, { body: { by: "code", code } })).status).toBe(200);
  const key = "a-new-password";
  const body = { oldPassword: password, newPassword: "новый длинный пароль" };
  expect((await account.browser.call(contract.changePassword, { body, key })).data).toEqual({ ended: 1 });
  const plain = bodyHash(["POST", contract.changePassword.path, body]);
  const stored = await rowsOf<{ hash: string }>(bench.ctx.db, sql`select hash from staff_call_keys where key = ${key}`);
  expect([stored.length, stored[0]?.hash === plain]).toEqual([1, false]);
  expect((await other.call(contract.readMe)).problem?.code).toBe("staff.sign_in_required");
  expect((await account.browser.call(contract.readMe)).status).toBe(200);
  bench.clock.advance(seconds(60));
  expect((await signIn(bench.visitor(), account)).problem?.code).toBe("staff.sign_in_refused");
  bench.clock.advance(seconds(60));
  expect((await signIn(bench.visitor(), account, { password: "новый длинный пароль" })).status).toBe(200);
});

test("wrong old passwords close the account like failed sign-ins, and an account without a password has none to change", async () => {
  const strict = await openStaffBench({ limits: { staffFailures: 3 } });
  const account = await withPassword(strict);
  const change = () =>
    account.browser.call(contract.changePassword, { body: { oldPassword: "не тот пароль", newPassword: "новый длинный пароль" } });
  for (let tries = 0; tries < 3; tries += 1) expect((await change()).problem?.code).toBe("request.invalid");
  expect((await change()).problem?.code).toBe("staff.sign_in_closed");
  await strict.close();
  const body = { oldPassword: "какой-то пароль", newPassword: "новый длинный пароль" };
  expect((await (await bench.as("sales")).call(contract.changePassword, { body })).problem?.code).toBe("staff.not_found");
});
