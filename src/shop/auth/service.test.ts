import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { days, hours, minutes, seconds } from "#kit/time.ts";
import * as cart from "#shop/cart/service.ts";
import { aGuest, onShelf } from "#shop/cart/testing.ts";
import type { Ctx } from "#shop/context.ts";
import * as customers from "#shop/customers/service.ts";
import * as lists from "#shop/lists/service.ts";
import { AccountRefused, MessageOutcomeUnknown } from "#shop/notifications/gateway.ts";
import { defaultLimits, type Limits } from "#shop/settings.ts";
import { rounds } from "#tests/rounds.ts";
import { testShop, type TestShop } from "#tests/shop.ts";
import { sweeps } from "./jobs.ts";
import { solve } from "./proof.ts";
import * as auth from "./service.ts";
import { anSmsInbox } from "./testing.ts";

let shop: TestShop;
let ctx: Ctx;
let phones: ReturnType<typeof anSmsInbox>;
/** Tests share a shop, so each has its own phone, network address and hour. */
let phone: string;
let address: string;
let serial = 0;

const shared = { phones: anSmsInbox(), shop: undefined as TestShop | undefined };
const opened: TestShop[] = [];

/** A separate shop for tests with other limits, or that read whole tables. */
async function open(options: { limits?: Partial<Limits>; isDemo?: boolean } = {}): Promise<void> {
  phones = anSmsInbox();
  shop = await testShop({ gateways: { sms: phones }, ...options });
  opened.push(shop);
  ctx = shop.ctx;
}
beforeAll(async () => {
  shared.shop = await testShop({ gateways: { sms: shared.phones } });
});
beforeEach(() => {
  if (!shared.shop) throw new Error("the shared shop did not open");
  serial += 1;
  ({ shop, phones } = { shop: shared.shop, phones: shared.phones });
  phones.fault = null;
  shop.clock.advance(hours(1));
  ctx = shop.ctx;
  phone = `+79161${String(serial).padStart(6, "0")}`;
  address = `10.0.${serial}.1`;
});
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});
afterAll(() => shared.shop?.close());

type Jar = { deviceHash: string; address: string; challenge: string | null };
const aBrowser = (name: string, from = address): Jar => ({ deviceHash: `device-${name}-${serial}`, address: from, challenge: null });

async function askForCode(jar: Jar, to = phone) {
  const result = await auth.requestCode(ctx, { phone: to, address: jar.address, deviceHash: jar.deviceHash });
  if (result.ok) jar.challenge = result.value.challenge;
  return result;
}
const tryCode = (jar: Jar, code: string, overrides: Partial<auth.CodeTry> = {}) =>
  auth.checkCode(ctx, {
    phone,
    code,
    challenge: jar.challenge,
    address: jar.address,
    deviceHash: jar.deviceHash,
    visitor: null,
    userAgent: "a browser",
    ...overrides,
  });

const wrong = (nth = 1, to = phone): string => String((Number(phones.codeOf(to)) + nth) % 10_000).padStart(4, "0");
const refusal = (result: Awaited<ReturnType<typeof tryCode>>): string | null => (result.ok ? null : result.error.code);
async function signedIn(jar: Jar, overrides: Partial<auth.CodeTry> = {}) {
  await askForCode(jar, overrides.phone);
  const result = await tryCode(jar, phones.codeOf(overrides.phone ?? phone), overrides);
  if (!result.ok) throw new Error(result.error.code);
  return result.value;
}
async function rowsOf<T>(query: ReturnType<typeof sql>): Promise<T[]> {
  return ((await ctx.db.execute(query)) as unknown as { rows: T[] }).rows;
}

// One code

test("the right code signs a new customer in, and the same customer the second time", async () => {
  const jar = aBrowser("x");
  const first = await signedIn(jar);
  expect(first.isNew).toBe(true);
  shop.clock.advance(minutes(2));
  const second = await signedIn(jar);
  expect(second).toMatchObject({ isNew: false, customerId: first.customerId });
  expect(await auth.session(ctx, first.sid)).toMatchObject({ customerId: first.customerId });
});

test("a consent is stored once with its text and the time of the code request, even if the last step of sign-up is skipped", async () => {
  const jar = aBrowser("x");
  await askForCode(jar);
  const askedAt = ctx.now();
  shop.clock.advance(seconds(40));
  const first = await tryCode(jar, phones.codeOf(phone));
  if (!first.ok) throw new Error(first.error.code);
  shop.clock.advance(minutes(3));
  await signedIn(jar);
  expect(await customers.consentsOf(ctx, first.value.customerId)).toEqual([
    { purpose: "registration", textVersion: "registration-2026-11-22", at: askedAt, withdrawnAt: null },
  ]);
});

test("after five wrong tries the right code is refused, and a new code works", async () => {
  const jar = aBrowser("x");
  await askForCode(jar);
  for (let nth = 1; nth <= 5; nth += 1) expect(refusal(await tryCode(jar, wrong(nth)))).toBe("auth.wrong_code");
  expect(refusal(await tryCode(jar, phones.codeOf(phone)))).toBe("auth.too_many_attempts");
  expect(refusal(await tryCode(jar, wrong(6)))).toBe("auth.too_many_attempts");
  shop.clock.advance(minutes(2));
  await askForCode(jar);
  expect(refusal(await tryCode(jar, phones.codeOf(phone)))).toBeNull();
});

test("a code without tries that has also expired is reported as expired", async () => {
  const jar = aBrowser("x");
  await askForCode(jar);
  for (let nth = 1; nth <= 5; nth += 1) await tryCode(jar, wrong(nth));
  shop.clock.advance(seconds(301));
  expect(refusal(await tryCode(jar, phones.codeOf(phone)))).toBe("auth.code_expired");
});

test("of hundreds of parallel guesses five are compared, and no later guess is accepted", async () => {
  // In full: every wrong code, for twenty codes.
  const { codes, waves } = rounds({ test: { codes: 3, waves: 1 }, gate: { codes: 3, waves: 3 }, long: { codes: 20, waves: 50 } });
  await open({
    limits: {
      wrongCodesPerAddressHour: 1_000_000,
      codeResendSeconds: 1,
      codesPerPhoneHour: 100,
      codesPerPhoneDay: 100,
      wrongCodesPerPhoneDay: 10_000,
      wrongCodesPerPhoneEver: 10_000,
      codesPerAddressHour: 100,
    },
  });
  const jar = aBrowser("x");
  for (let code = 0; code < codes; code += 1) {
    shop.clock.advance(minutes(1));
    await askForCode(jar);
    const answers: (string | null)[] = [];
    for (let wave = 0; wave < waves; wave += 1) {
      const guesses = Array.from({ length: 200 }, (_, nth) => wrong(((wave * 200 + nth) % 9_999) + 1));
      answers.push(...(await Promise.all(guesses.map((guess) => tryCode(jar, guess).then(refusal)))));
    }
    expect(answers.filter((each) => each === "auth.wrong_code")).toHaveLength(5);
    expect(answers.filter((each) => each === "auth.too_many_attempts")).toHaveLength(200 * waves - 5);
    expect(refusal(await tryCode(jar, phones.codeOf(phone)))).toBe("auth.too_many_attempts");
  }
  expect(await rowsOf(sql`select attempts from sign_in_codes`)).toEqual(Array.from({ length: codes }, () => ({ attempts: 5 })));
  expect(await rowsOf(sql`select 1 from sessions`)).toEqual([]);
});

test("the right code among parallel guesses signs in at most once", async () => {
  await open({ limits: { wrongCodesPerAddressHour: 100_000 } });
  const jar = aBrowser("x");
  await askForCode(jar);
  const results = await Promise.all(Array.from({ length: 20 }, () => tryCode(jar, phones.codeOf(phone))));
  expect(results.filter((result) => result.ok)).toHaveLength(1);
  expect(await rowsOf(sql`select 1 from sessions`)).toHaveLength(1);
  expect(await rowsOf(sql`select 1 from customers`)).toHaveLength(1);
});

test("a code works once, for five minutes, and only until the next one is sent", async () => {
  const jar = aBrowser("x");
  await askForCode(jar);
  const code = phones.codeOf(phone);
  expect(refusal(await tryCode(jar, code))).toBeNull();
  expect(refusal(await tryCode(jar, code))).toBe("auth.code_expired");

  shop.clock.advance(minutes(10));
  await askForCode(jar);
  shop.clock.advance(seconds(299));
  expect(refusal(await tryCode(jar, wrong()))).toBe("auth.wrong_code");
  shop.clock.advance(seconds(2));
  expect(refusal(await tryCode(jar, phones.codeOf(phone)))).toBe("auth.code_expired");

  await askForCode(jar);
  const older = { code: phones.codeOf(phone), challenge: jar.challenge };
  shop.clock.advance(minutes(2));
  do {
    await askForCode(jar);
    shop.clock.advance(minutes(2));
  } while (phones.codeOf(phone) === older.code); // one in ten thousand
  expect(refusal(await tryCode(jar, older.code, { challenge: older.challenge }))).toBe("auth.wrong_code");
});

test("a code that was never requested is refused", async () => {
  expect(refusal(await tryCode(aBrowser("x"), "0000"))).toBe("auth.code_expired");
  expect(await rowsOf(sql`select 1 from phone_guards where phone = ${phone}`)).toEqual([]);
});

test("a code works only in the browser that requested it, and a try elsewhere counts", async () => {
  const [mine, strangers] = [aBrowser("mine"), aBrowser("strangers")];
  await askForCode(mine);
  expect(refusal(await tryCode(strangers, phones.codeOf(phone)))).toBe("auth.wrong_code");
  expect(refusal(await tryCode(strangers, phones.codeOf(phone), { challenge: "made-up" }))).toBe("auth.wrong_code");
  expect(await rowsOf(sql`select attempts from sign_in_codes where phone = ${phone}`)).toEqual([{ attempts: 2 }]);
  expect(refusal(await tryCode(mine, phones.codeOf(phone)))).toBeNull();
});

test("the code is not stored in the database", async () => {
  await open();
  const jar = aBrowser("x");
  await askForCode(jar);
  const code = phones.codeOf(phone);
  const tables = await rowsOf<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  for (const { name } of tables) {
    const rows = await rowsOf<Record<string, unknown>>(sql`select * from ${sql.identifier(name)}`);
    const texts = rows.flatMap((row) => Object.values(row).filter((value) => typeof value === "string" && value !== phone));
    expect(texts.filter((value) => new RegExp(`(?<![0-9a-f])${code}(?![0-9a-f])`).test(String(value)))).toEqual([]);
  }
});

// Many codes

test("fifteen wrong tries block the phone for a day, but not for a known device of the account", async () => {
  const [stranger, customers] = [aBrowser("stranger", "192.0.2.7"), aBrowser("customer")];
  await signedIn(customers);
  for (let round = 0; round < 3; round += 1) {
    shop.clock.advance(minutes(25));
    expect(await askForCode(stranger)).toMatchObject({ ok: true });
    for (let nth = 1; nth <= 5; nth += 1) expect(refusal(await tryCode(stranger, wrong(nth)))).toBe("auth.wrong_code");
  }
  shop.clock.advance(minutes(25));
  expect(await askForCode(stranger)).toMatchObject({ ok: false, error: { code: "auth.too_many_codes" } });
  expect(await askForCode(customers)).toMatchObject({ ok: true });
  expect(refusal(await tryCode(stranger, phones.codeOf(phone), { challenge: customers.challenge }))).toBe("auth.too_many_attempts");
  expect(refusal(await tryCode(customers, phones.codeOf(phone)))).toBeNull();

  shop.clock.advance(minutes(25));
  expect(await askForCode(stranger)).toMatchObject({ ok: true }); // the customer signed in, so the guard is reset
});

test("the block lasts a whole day from the last of the fifteen tries", async () => {
  const stranger = aBrowser("stranger");
  for (let round = 0; round < 3; round += 1) {
    shop.clock.advance(minutes(2));
    await askForCode(stranger);
    for (let nth = 1; nth <= 5; nth += 1) expect(refusal(await tryCode(stranger, wrong(nth)))).toBe("auth.wrong_code");
  }
  shop.clock.advance(hours(24) - seconds(1));
  expect(await askForCode(stranger)).toEqual({ ok: false, error: { code: "auth.too_many_codes", retryAfterSeconds: 1 } });
  shop.clock.advance(seconds(1));
  expect(await askForCode(stranger)).toMatchObject({ ok: true });
  expect(refusal(await tryCode(stranger, wrong()))).toBe("auth.wrong_code");
  expect(refusal(await tryCode(stranger, phones.codeOf(phone)))).toBeNull();
});

/** Other browsers use up the phone's tries, so that only a known device may sign in. */
async function barred(stranger: Jar): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    shop.clock.advance(minutes(25));
    await askForCode(stranger);
    for (let nth = 1; nth <= 5; nth += 1) await tryCode(stranger, wrong(nth));
  }
  shop.clock.advance(minutes(25));
  expect(await askForCode(stranger)).toMatchObject({ ok: false, error: { code: "auth.too_many_codes" } });
}

test("a known device of one account is unknown to every other", async () => {
  const [mine, attackers] = [aBrowser("customer"), aBrowser("attacker", "192.0.2.7")];
  await signedIn(mine);
  await signedIn(attackers, { phone: `+79162${String(serial).padStart(6, "0")}` });
  await barred(aBrowser("stranger", "192.0.2.8"));
  expect(await askForCode(attackers)).toMatchObject({ ok: false, error: { code: "auth.too_many_codes" } });
  expect(await askForCode(mine)).toMatchObject({ ok: true });
});

test("a known device last used half a year ago is blocked like any other browser", async () => {
  const [fresh, old] = [aBrowser("fresh"), aBrowser("old")];
  await signedIn(old);
  shop.clock.advance(days(180));
  await signedIn(fresh);
  await barred(aBrowser("stranger", "192.0.2.8"));
  expect(await askForCode(old)).toMatchObject({ ok: false, error: { code: "auth.too_many_codes" } });
  expect(await askForCode(fresh)).toMatchObject({ ok: true });
});

test("a known device has a limited number of wrong tries, then it is blocked like any other browser until it signs in", async () => {
  await open({ limits: { wrongCodesPerPhoneDay: 1, wrongCodesPerDevice: 6, codesPerPhoneHour: 100, codesPerPhoneDay: 100 } });
  const mine = aBrowser("customer");
  await signedIn(mine);
  shop.clock.advance(minutes(3));
  const tries: (string | null)[] = [];
  for (let round = 0; round < 3; round += 1) {
    if (!(await askForCode(mine)).ok) break;
    for (let nth = 1; nth <= 3; nth += 1) tries.push(refusal(await tryCode(mine, wrong(nth))));
    shop.clock.advance(minutes(3));
  }
  expect(tries).toEqual(Array<string>(6).fill("auth.wrong_code"));
  expect(await askForCode(mine)).toMatchObject({ ok: false, error: { code: "auth.too_many_codes" } });
  shop.clock.advance(days(1)); // the block is over
  await signedIn(mine);
  await barredByOthers();
  expect(await askForCode(mine)).toMatchObject({ ok: true });

  async function barredByOthers() {
    const stranger = aBrowser("stranger", "192.0.2.9");
    shop.clock.advance(minutes(3));
    await askForCode(stranger);
    for (let nth = 1; nth <= 2; nth += 1) await tryCode(stranger, wrong(nth));
    shop.clock.advance(minutes(3));
    expect(await askForCode(stranger)).toMatchObject({ ok: false });
  }
});

test("signing out everywhere makes all devices unknown, signing out one device that one; a sign-in makes it known again", async () => {
  const [mine, lost, third] = [aBrowser("mine"), aBrowser("lost"), aBrowser("third")];
  for (const jar of [lost, third]) {
    await signedIn(jar);
    shop.clock.advance(minutes(3));
  }
  const { customerId } = await signedIn(mine);
  const [, , oldest] = await auth.devices(ctx, customerId);
  await auth.signOutDevice(ctx, customerId, oldest?.sidHash ?? "");
  await barred(aBrowser("stranger", "192.0.2.10"));
  expect(await askForCode(lost)).toMatchObject({ ok: false });
  expect(await askForCode(third)).toMatchObject({ ok: true });
  await auth.signOutEverywhere(ctx, customerId);
  shop.clock.advance(minutes(3));
  for (const jar of [mine, lost, third]) expect(await askForCode(jar)).toMatchObject({ ok: false, error: { code: "auth.too_many_codes" } });
  shop.clock.advance(days(1));
  await signedIn(mine);
  await barred(aBrowser("stranger", "192.0.2.11"));
  expect(await askForCode(mine)).toMatchObject({ ok: true });
});

test("a hundred wrong tries since the last sign-in block other browsers until the customer signs in", async () => {
  await open({ limits: { wrongCodesPerPhoneEver: 10 } });
  const [stranger, customers] = [aBrowser("stranger"), aBrowser("customer")];
  await signedIn(customers);
  for (let round = 0; round < 2; round += 1) {
    shop.clock.advance(days(2));
    await askForCode(stranger);
    for (let nth = 1; nth <= 5; nth += 1) expect(refusal(await tryCode(stranger, wrong(nth)))).toBe("auth.wrong_code");
  }
  shop.clock.advance(days(30));
  expect(await askForCode(stranger)).toMatchObject({ ok: false, error: { code: "auth.too_many_codes" } });
  await signedIn(customers);
  shop.clock.advance(days(1));
  expect(await askForCode(stranger)).toMatchObject({ ok: true });
});

test("thirty wrong tries an hour from one address are enough, right ones are not counted", async () => {
  await open({ limits: { wrongCodesPerAddressHour: 6, codesPerAddressHour: 100 } });
  const jar = aBrowser("office");
  for (let nth = 0; nth < 8; nth += 1) await signedIn(jar, { phone: `+7916000000${nth}` });
  for (let nth = 0; nth < 6; nth += 1) {
    const to = `+7916111111${nth}`;
    await askForCode(jar, to);
    expect(refusal(await tryCode(jar, wrong(1, to), { phone: to }))).toBe("auth.wrong_code");
  }
  const last = "+79162222222";
  await askForCode(jar, last);
  const refused = await tryCode(jar, phones.codeOf(last), { phone: last });
  expect(refused).toEqual({ ok: false, error: { code: "auth.too_many_attempts", retryAfterSeconds: 3600 } });
  shop.clock.advance(hours(1));
  await askForCode(jar, last);
  expect(refusal(await tryCode(jar, phones.codeOf(last), { phone: last }))).toBeNull();
});

test("one address may request ten codes an hour, for any phones", async () => {
  const answers = [];
  for (let nth = 0; nth < 15; nth += 1) answers.push((await askForCode(aBrowser("bot"), `+791600000${String(nth).padStart(2, "0")}`)).ok);
  expect(answers).toEqual([...Array<boolean>(10).fill(true), ...Array<boolean>(5).fill(false)]);
});

test("one network may request two hundred codes an hour", async () => {
  await open({ limits: { codesPerNetworkHour: 4 } });
  const answers = [];
  for (let nth = 0; nth < 6; nth += 1) answers.push((await askForCode(aBrowser("bot", `203.0.113.${nth}`), `+7916000000${nth}`)).ok);
  expect(answers).toEqual([true, true, true, true, false, false]);
  expect(await askForCode(aBrowser("other", "203.0.114.1"), "+79160000009")).toMatchObject({ ok: true });
});

// Sending

test("fifty calls for one phone at once send one message", async () => {
  await open({ limits: { codesPerAddressHour: 1000 } });
  const results = await Promise.all(Array.from({ length: 50 }, () => askForCode(aBrowser("x"))));
  expect(results.filter((result) => result.ok)).toHaveLength(1);
  expect(phones.sent).toHaveLength(1);
  expect(await askForCode(aBrowser("x"))).toEqual({ ok: false, error: { code: "auth.too_many_codes", retryAfterSeconds: 120 } });
});

test("a phone is sent one code in two minutes, five in any hour and eight in any day", async () => {
  const jar = aBrowser("x");
  const sentAfter = async (wait: number): Promise<boolean> => {
    shop.clock.advance(wait);
    return (await askForCode(jar)).ok;
  };
  expect(await sentAfter(0)).toBe(true);
  expect(await sentAfter(seconds(119))).toBe(false);
  for (const wait of [seconds(1), minutes(2), minutes(2), minutes(2)]) expect(await sentAfter(wait)).toBe(true);
  expect(await sentAfter(minutes(2))).toBe(false); // the fifth was the last of this hour
  expect(await sentAfter(minutes(49))).toBe(false);
  expect(await sentAfter(minutes(1))).toBe(true); // an hour after the first
  for (const wait of [minutes(2), minutes(2)]) expect(await sentAfter(wait)).toBe(true);
  expect(await sentAfter(hours(2))).toBe(false); // eight in this day
  expect(await sentAfter(hours(20))).toBe(false);
  expect(await sentAfter(hours(1))).toBe(true);
});

test("production sends to Russian mobile numbers only, demo mode to +7 and any ten digits", async () => {
  await open({ isDemo: false });
  for (const to of ["+77771234567", "+76001234567", "+74951234567", "+7916123456", "89161234567"]) {
    expect(await askForCode(aBrowser("x"), to)).toEqual({ ok: false, error: { code: "auth.bad_phone" } });
  }
  expect(phones.sent).toEqual([]);
  expect(await askForCode(aBrowser("x"), "+79161234567")).toMatchObject({ ok: true, value: { resendIn: 120, expiresIn: 300 } });
  await open({ isDemo: true });
  expect(await askForCode(aBrowser("x"), "+74951234567")).toMatchObject({ ok: true });
});

test("the shop's budget of messages raises alarms at a half and at four fifths and then stops", async () => {
  await open({ limits: { smsBudgetDay: 20, smsBudgetMinute: 1000, codesPerAddressHour: 1000 } });
  for (let nth = 0; nth < 20; nth += 1)
    expect(await askForCode(aBrowser("x"), `+791600000${String(nth).padStart(2, "0")}`)).toMatchObject({ ok: true });
  expect(shop.alarms.map(({ name, fields }) => [name, fields?.sent])).toEqual([
    ["sms.budget_half", 10],
    ["sms.budget_most", 16],
  ]);
  expect(await askForCode(aBrowser("x"), "+79160000099")).toMatchObject({ ok: false, error: { code: "auth.too_many_codes" } });
  expect(shop.alarms.at(-1)?.name).toBe("sms.budget_spent");
  expect(phones.sent).toHaveLength(20);
});

test("when hardly any code is used an alarm is raised once an hour", async () => {
  await open({ limits: { codesPerAddressHour: 1000, smsBudgetMinute: 1000 } });
  for (let nth = 0; nth < 55; nth += 1) await askForCode(aBrowser("x"), `+791600000${String(nth).padStart(2, "0")}`);
  expect(shop.alarms.map(({ name }) => name)).toEqual(["sms.low_use"]);
});

test("while hardly any code is used production requires a proof of work of each browser, once per message", async () => {
  await open({ isDemo: false, limits: { codesPerAddressHour: 1000, smsBudgetMinute: 1000 } });
  for (let nth = 0; nth < 50; nth += 1)
    expect(await askForCode(aBrowser("x"), `+791600000${String(nth).padStart(2, "0")}`)).toMatchObject({ ok: true });
  const request = (to: string, proof: string | null) => auth.requestCode(ctx, { phone: to, address, deviceHash: null, proof });
  const [one, two] = ["+79165550001", "+79165550002"];
  const refused = await request(one, null);
  if (refused.ok || refused.error.code !== "auth.proof_needed") throw new Error("no proof was required");
  const { puzzle, bits } = refused.error;
  const proof = await solve(puzzle, bits);
  expect(phones.sent).toHaveLength(50);
  for (const wrongProof of ["", "a.b.c.d", `${puzzle}.no`, `${puzzle}9.${proof.split(".").at(-1)}`])
    expect(await request(one, wrongProof)).toMatchObject({ error: { code: "auth.proof_needed" } });
  expect(await request(two, proof)).toMatchObject({ ok: false, error: { code: "auth.proof_needed" } });
  expect(await request(one, proof)).toMatchObject({ ok: true });
  shop.clock.advance(minutes(2));
  expect(await request(one, proof)).toMatchObject({ ok: false, error: { code: "auth.proof_needed" } });

  const late = await request(two, null);
  if (late.ok || late.error.code !== "auth.proof_needed") throw new Error("no proof was required");
  const lateProof = await solve(late.error.puzzle, late.error.bits);
  shop.clock.advance(minutes(5));
  expect(await request(two, lateProof)).toMatchObject({ ok: false, error: { code: "auth.proof_needed" } });
});

test("when the gateway fails nothing is counted, and a retry works at once", async () => {
  await open({ limits: { codesPerAddressHour: 2 } });
  const jar = aBrowser("x");
  for (const fault of [new Error("sms: refused with 220"), new MessageOutcomeUnknown("sms: timeout"), new Error("unreachable")]) {
    phones.fault = fault;
    expect(await askForCode(jar)).toEqual({ ok: false, error: { code: "auth.sms_unavailable" } });
  }
  expect(refusal(await tryCode(jar, "0000"))).toBe("auth.code_expired");
  phones.fault = null;
  expect(await askForCode(jar)).toMatchObject({ ok: true });
  shop.clock.advance(minutes(2));
  expect(await askForCode(jar)).toMatchObject({ ok: true });
});

test("a gateway that refuses the shop's account raises one alarm in ten minutes, any other failure none", async () => {
  await open();
  const account = () => shop.alarms.filter(({ name }) => name === "mail.account_refused").map(({ fields }) => fields);
  phones.fault = new Error("sms: refused with 220");
  await askForCode(aBrowser("x"));
  phones.fault = new AccountRefused("sms: refused with 201");
  for (const name of ["x", "y"]) expect(await askForCode(aBrowser(name))).toMatchObject({ error: { code: "auth.sms_unavailable" } });
  expect(account()).toEqual([{ channel: "sms", reason: "sms: refused with 201" }]);
  shop.clock.advance(minutes(10));
  await askForCode(aBrowser("x"));
  expect(account()).toHaveLength(2);
});

test("a failed resend leaves the previous code valid", async () => {
  const jar = aBrowser("x");
  await askForCode(jar);
  shop.clock.advance(minutes(2));
  phones.fault = new Error("sms: refused with 500");
  expect(await askForCode(jar)).toMatchObject({ ok: false });
  expect(refusal(await tryCode(jar, phones.codeOf(phone)))).toBeNull();
});

test("the answer to a code request does not reveal whether the phone has an account", async () => {
  await signedIn(aBrowser("customer"));
  shop.clock.advance(hours(1));
  const [known, unknown] = [await askForCode(aBrowser("spy")), await askForCode(aBrowser("spy"), "+79169999999")];
  const shapeOf = (result: typeof known) => result.ok && { ...result.value, challenge: result.value.challenge.length };
  expect(shapeOf(known)).toEqual(shapeOf(unknown));
});

// Sessions

test("signing in merges this browser's cart and lists into the account and empties them", async () => {
  await onShelf(ctx, [
    { id: 1, pieces: 10 },
    { id: 2, pieces: 1 },
  ]);
  const guest = aGuest("joins");
  await cart.setQuantity(ctx, guest, 1, 3);
  await lists.add(ctx, guest, "wishlist", 2);
  const { customerId, capped } = await signedIn(aBrowser("x"), { visitor: guest });
  expect(capped).toEqual([]);
  expect((await cart.read(ctx, `customer:${customerId}`)).lines).toMatchObject([{ coinId: 1, quantity: 3 }]);
  expect(await lists.ids(ctx, `customer:${customerId}`, "wishlist")).toEqual([2]);
  expect((await cart.read(ctx, guest)).lines).toEqual([]);
  expect(await lists.ids(ctx, guest, "wishlist")).toEqual([]);
});

test("another account's cart is never merged, even if its key is passed as the visitor's", async () => {
  await onShelf(ctx, [{ id: 3, pieces: 10 }]);
  await cart.setQuantity(ctx, "customer:victim", 3, 3);
  const { customerId } = await signedIn(aBrowser("x"), { visitor: "customer:victim" });
  expect((await cart.read(ctx, `customer:${customerId}`)).lines).toEqual([]);
  expect((await cart.read(ctx, "customer:victim")).lines).toHaveLength(1);
});

test("the previous session of a browser ends at sign-in, and a planted session id is not accepted", async () => {
  const first = await signedIn(aBrowser("x"));
  shop.clock.advance(minutes(2));
  const second = await signedIn(aBrowser("x"), { previousSid: first.sid });
  expect(second.sid).not.toBe(first.sid);
  expect(await auth.session(ctx, first.sid)).toBeNull();
  expect(await auth.session(ctx, "planted")).toBeNull();
  expect(await auth.session(ctx, "x".repeat(10_000))).toBeNull();
});

test("session ids are long, random and not stored in the database", async () => {
  await open();
  const { sid, customerId } = await signedIn(aBrowser("x"));
  expect(Buffer.from(sid, "base64url").length).toBeGreaterThanOrEqual(16);
  const [row] = await rowsOf<{ sid_hash: string }>(sql`select sid_hash from sessions`);
  expect(row?.sid_hash).not.toContain(sid);
  expect(await auth.session(ctx, row?.sid_hash ?? "")).toBeNull();
  expect(await auth.session(ctx, sid)).toEqual({ customerId, sidHash: row?.sid_hash, signedInAt: ctx.now() });
});

test("a session ends thirty days after it was last used and a hundred and eighty after it began", async () => {
  const { sid } = await signedIn(aBrowser("x"));
  for (let month = 0; month < 6; month += 1) {
    shop.clock.advance(days(29));
    expect(await auth.session(ctx, sid)).not.toBeNull();
  }
  shop.clock.advance(days(7));
  expect(await auth.session(ctx, sid)).toBeNull(); // day 181

  const { sid: idle } = await signedIn(aBrowser("x"));
  shop.clock.advance(days(30) + 1);
  expect(await auth.session(ctx, idle)).toBeNull();
});

test("a visit is recorded at most once a minute", async () => {
  const { sid, customerId } = await signedIn(aBrowser("x"));
  const seen = async () => (await auth.devices(ctx, customerId))[0]?.lastSeenAt.getTime();
  const began = await seen();
  shop.clock.advance(seconds(59));
  await auth.session(ctx, sid);
  expect(await seen()).toBe(began);
  shop.clock.advance(seconds(1));
  await auth.session(ctx, sid);
  expect(await seen()).toBe(ctx.now().getTime());
});

test("signing out ends this session on the server, signing out everywhere ends all", async () => {
  const phoneBrowser = await signedIn(aBrowser("a"));
  shop.clock.advance(minutes(2));
  const second = await signedIn(aBrowser("b"), { userAgent: "u".repeat(1000) });
  shop.clock.advance(minutes(2));
  const other = await signedIn(aBrowser("c"));
  const devices = await auth.devices(ctx, second.customerId);
  expect(devices).toHaveLength(3);
  expect(devices[1]?.userAgent).toHaveLength(300);

  await auth.signOut(ctx, phoneBrowser.sid);
  await auth.signOut(ctx, phoneBrowser.sid);
  expect(await auth.session(ctx, phoneBrowser.sid)).toBeNull();
  await auth.signOutDevice(ctx, "somebody-else", devices[0]?.sidHash ?? "");
  expect(await auth.session(ctx, other.sid)).not.toBeNull();
  await auth.signOutDevice(ctx, second.customerId, devices[0]?.sidHash ?? "");
  expect(await auth.session(ctx, other.sid)).toBeNull();
  await auth.signOutEverywhere(ctx, second.customerId);
  expect(await auth.session(ctx, second.sid)).toBeNull();
  expect(await auth.devices(ctx, second.customerId)).toEqual([]);
});

test("the sweep deletes expired rows and keeps the others", async () => {
  await open();
  await signedIn(aBrowser("old"));
  shop.clock.advance(days(31));
  const { sid } = await signedIn(aBrowser("new"));
  await askForCode(aBrowser("new"), "+79160000001");
  await sweeps["auth.forget"].run(ctx);
  expect(await rowsOf(sql`select 1 from sessions`)).toHaveLength(1);
  expect(await rowsOf(sql`select 1 from sign_in_codes`)).toHaveLength(2);
  expect(await auth.session(ctx, sid)).not.toBeNull();
  expect(await rowsOf(sql`select 1 from rate_counters where window_ends <= ${ctx.now().toISOString()}::timestamptz`)).toEqual([]);
});

test("the default limits of sign-in change only on purpose", () => {
  expect(defaultLimits).toMatchObject({
    codeTriesPerCode: 5,
    codeLifeSeconds: 300,
    codeResendSeconds: 120,
    codesPerPhoneHour: 5,
    codesPerPhoneDay: 8,
    wrongCodesPerPhoneDay: 15,
    wrongCodesPerPhoneEver: 100,
    codesPerAddressHour: 10,
    wrongCodesPerAddressHour: 30,
    codesPerNetworkHour: 200,
    smsBudgetMinute: 60,
    smsBudgetDay: 3000,
    wrongCodesPerDevice: 20,
    knownDeviceDays: 180,
  });
});
