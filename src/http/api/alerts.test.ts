import { sql } from "drizzle-orm";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTransaction } from "#kit/db.ts";
import { days, seconds } from "#kit/time.ts";
import * as alerts from "#shop/alerts/service.ts";
import { alerts as alertRows } from "#shop/alerts/tables.ts";
import { aCoin, putCoins } from "#shop/catalog/testing.ts";
import { outbox } from "#shop/notifications/tables.ts";
import * as notifications from "#shop/notifications/service.ts";
import * as stock from "#shop/stock/service.ts";
import { coins, openHttpBench, type HttpBench } from "../testing.ts";

let bench: HttpBench;
const letters: { to: string; subject: string; text: string; unsubscribe?: string }[] = [];
beforeAll(async () => {
  bench = await openHttpBench({ limits: { inquiriesPerAddressHour: 100, inquiryLettersPerMailboxDay: 100, alertsPerMailbox: 4 } });
  bench.ctx.gateways.email.send = async (letter) => {
    letters.push(letter);
  };
});
afterAll(() => bench.close());

/** Runs the sweep and sends the outbox; returns the letters that were sent. */
async function runSweepAndSend(): Promise<typeof letters> {
  letters.length = 0;
  bench.clock.advance(seconds(2));
  await alerts.watch(bench.ctx);
  await notifications.sendDue(bench.ctx);
  return [...letters];
}
const tokenIn = (text: string): string => /\/alerts\/(\S+)/.exec(text)?.[1] ?? "";
const send = (body: object) => bench.visitor().request("POST", "/api/alerts", body);
async function confirmed(body: object): Promise<string> {
  expect((await send(body)).statusCode).toBe(201);
  const token = tokenIn((await runSweepAndSend())[0]?.text ?? "");
  expect((await alerts.confirm(bench.ctx, token)).ok).toBe(true);
  return token;
}

test("no letter is sent before the mailbox is confirmed, then one per crossing, and small fluctuations send none", async () => {
  const request = { productId: coins.soldOut, inStock: true, email: "anna@example.ru" };
  expect((await send(request)).statusCode).toBe(201);
  expect((await send(request)).statusCode).toBe(201); // an equal request is the same alert
  const confirmationLetters = await runSweepAndSend();
  expect(confirmationLetters).toHaveLength(1);
  expect(confirmationLetters[0]).toMatchObject({ to: "anna@example.ru", subject: expect.stringMatching(/^Подтвердите оповещение/) });

  const receive = (quantity: number) => inTransaction(bench.ctx.db, (tx) => stock.receive(tx, bench.ctx, coins.soldOut, quantity));
  await receive(2);
  expect(await runSweepAndSend()).toEqual([]);
  const token = tokenIn(confirmationLetters[0]?.text ?? "");
  await alerts.confirm(bench.ctx, token);
  await alerts.confirm(bench.ctx, token);
  const { rows } = (await bench.ctx.db.execute(
    sql`select text_version from consents where about = ${`alert:${token.split(".")[0]}`}`,
  )) as unknown as { rows: unknown[] };
  expect(rows).toEqual([{ text_version: "newsletter-2026-11" }]);
  const sent = await runSweepAndSend();
  expect(sent).toHaveLength(1);
  expect(sent[0]?.text).toContain("снова в продаже");
  expect(await runSweepAndSend()).toEqual([]);
  const other = await bench.another();
  await Promise.all([alerts.watch(bench.ctx), alerts.watch(other)]);
  expect(await runSweepAndSend()).toEqual([]);
  await bench.visitor().request("DELETE", "/api/alerts", { token });
});

test("a rate below its threshold is reported with its current value; one click in the letter ends the alert", async () => {
  const token = await confirmed({ course: "XAU_RUB", below: 12_000, email: "boris@example.ru" });
  const [letter] = await runSweepAndSend();
  expect(letter?.text.replaceAll("\u00A0", " ")).toContain("Золото: сейчас 11 042,60 ₽ за грамм");
  expect((await bench.visitor().request("DELETE", "/api/alerts", { token })).json()).toEqual({ data: true });
  expect((await bench.visitor().request("DELETE", "/api/alerts", { token })).json()).toEqual({ data: true });
  expect((await alerts.read(bench.ctx, token)).ok).toBe(false);
});

test("a mail program ends an alert with one POST from anywhere, and only with the letter's own token", async () => {
  const token = await confirmed({ course: "XAU_RUB", below: 12_500, email: "zoya@example.ru" });
  const [letter] = await runSweepAndSend();
  const path = new URL(letter?.unsubscribe ?? "").pathname;
  const post = (url: string) =>
    bench.app.inject({
      method: "POST",
      url,
      headers: { host: "localhost:3000", "content-type": "application/x-www-form-urlencoded" },
      payload: "List-Unsubscribe=One-Click",
    });
  expect((await post(`${path.slice(0, -1)}x`)).statusCode).toBe(404);
  expect((await alerts.read(bench.ctx, token)).ok).toBe(true);
  expect([(await post(path)).statusCode, (await post(path)).statusCode]).toEqual([200, 200]);
  expect((await alerts.read(bench.ctx, token)).ok).toBe(false);
});

test("a customer's alerts are listed in the account, newest first, and no other customer's", async () => {
  const [me, other] = [bench.visitor(), bench.visitor()];
  await me.signIn(bench, "+79160001122");
  await other.signIn(bench, "+79160001133");
  for (const [who, below, email] of [
    [me, 7, "ivan@example.ru"],
    [other, 8, "petr@example.ru"],
    [me, 9, "ivan@example.ru"],
  ] as const) {
    expect((await who.request("POST", "/api/alerts", { course: "XAG_RUB", below, email })).statusCode).toBe(201);
    bench.clock.advance(seconds(1));
  }
  const [row] = await bench.ctx.db.select().from(alertRows).where(eq(alertRows.email, "ivan@example.ru"));
  expect((await alerts.listOf(bench.ctx, row?.customerId ?? "")).map(({ value, email, state }) => [value, email, state])).toEqual([
    [90_000, "ivan@example.ru", "unconfirmed"],
    [70_000, "ivan@example.ru", "unconfirmed"],
  ]);
  await runSweepAndSend(); // the letters of deleted alerts are deleted too
});

test("a stale price triggers no alert", async () => {
  await confirmed({ productId: coins.bullion, above: 1, email: "clara@example.ru" });
  bench.clock.advance(seconds(400));
  expect(await runSweepAndSend()).toEqual([]);
  await bench.fetchRates();
  expect(await runSweepAndSend()).toHaveLength(1);
});

test("an alert without a mailbox, with two conditions, without a subject or for an unknown coin is refused", async () => {
  expect((await send({ course: "XAU_RUB", below: 1 })).json()).toMatchObject({ statusCode: 422, fields: { email: expect.any(String) } });
  expect((await send({ course: "XAU_RUB", below: 1, above: 2, email: "d@example.ru" })).statusCode).toBe(422);
  expect((await send({ below: 1, email: "d@example.ru" })).statusCode).toBe(422);
  expect((await send({ course: "XAU_RUB", inStock: true, email: "d@example.ru" })).statusCode).toBe(422);
  expect((await send({ productId: 999_999, below: 1, email: "d@example.ru" })).json()).toMatchObject({
    statusCode: 404,
    code: "product.not_found",
  });
  expect((await bench.visitor().request("DELETE", "/api/alerts", { token: "abc.def" })).json()).toMatchObject({
    statusCode: 404,
    code: "alert.not_found",
  });
});

test("a threshold below one kopeck of a coin, or one unit of a rate, is refused beside its field", async () => {
  for (const [name, body] of [
    ["below", { productId: coins.bullion, below: 0.004 }],
    ["above", { productId: coins.bullion, above: 1e-9 }],
    ["below", { course: "XAU_RUB", below: 0.00004 }],
    ["above", { course: "USD_RUB", above: Number.MIN_VALUE }],
  ] as const)
    expect([body, (await send({ ...body, email: "nil@example.ru" })).json()]).toMatchObject([
      body,
      { statusCode: 422, code: "request.invalid", fields: { [name]: "Значение указано неверно" } },
    ]);
  expect((await send({ productId: coins.bullion, below: 0.01, email: "nil@example.ru" })).statusCode).toBe(201);
  expect((await send({ course: "XAU_RUB", below: 0.0001, email: "nil@example.ru" })).statusCode).toBe(201);
  expect(bench.faults).toEqual([]);
});

test("a coin off sale is unknown, so that no letter shows its name", async () => {
  const id = 41;
  await putCoins(bench.ctx.db, [aCoin({ id, slug: "draft", title: "Ещё не объявлена", isPublished: false })]);
  expect((await send({ productId: id, inStock: true, email: "curious@example.ru" })).json()).toMatchObject({
    statusCode: 404,
    code: "product.not_found",
  });
  expect((await runSweepAndSend()).filter(({ to }) => to === "curious@example.ru")).toEqual([]);
});

test("a confirmed mailbox may have as many alerts as its limit, however few unconfirmed letters a day it may get", async () => {
  const strict = await openHttpBench({ limits: { inquiriesPerAddressHour: 100, inquiryLettersPerMailboxDay: 2, alertsPerMailbox: 4 } });
  const requestAlert = async (below: number) =>
    (await strict.visitor().request("POST", "/api/alerts", { course: "XAU_RUB", below, email: "fedor@example.ru" })).statusCode;
  const confirmAll = async () => {
    const links = await strict.ctx.db.select({ text: outbox.text }).from(outbox);
    for (const { text } of links) await alerts.confirm(strict.ctx, tokenIn(text));
  };
  // a refusal does not count against the limit
  expect([await requestAlert(1), await requestAlert(2), await requestAlert(3), await requestAlert(3)]).toEqual([201, 201, 409, 409]);
  await confirmAll();
  expect([await requestAlert(3), await requestAlert(4)]).toEqual([201, 201]);
  await confirmAll();
  expect(await requestAlert(5)).toBe(409);
  await strict.close();
});

test("an alert for the opening of the exchange sends one letter with the link to the cart, and none the next morning", async () => {
  const night = await openHttpBench({ limits: { inquiriesPerAddressHour: 100, inquiryLettersPerMailboxDay: 100 } });
  const sent: string[] = [];
  night.ctx.gateways.email.send = async ({ subject, text }) => {
    sent.push(`${subject}\n${text}`);
  };
  const turn = async (isOpen: boolean): Promise<string[]> => {
    sent.length = 0;
    night.market.isOpen = isOpen;
    night.clock.advance(seconds(61));
    await night.fetchRates();
    await alerts.watch(night.ctx);
    await notifications.sendDue(night.ctx);
    return [...sent];
  };
  expect(
    (await night.visitor().request("POST", "/api/alerts", { productId: coins.soldOut, marketOpen: true, email: "noch@example.ru" }))
      .statusCode,
  ).toBe(422);
  expect(
    (await night.visitor().request("POST", "/api/alerts", { course: "XAU_RUB", marketOpen: true, email: "noch@example.ru" })).statusCode,
  ).toBe(201);
  const [confirmation = ""] = await turn(false);
  await alerts.confirm(night.ctx, tokenIn(confirmation));
  expect(await turn(false)).toEqual([]);
  const [opening = "", ...more] = await turn(true);
  expect(more).toEqual([]);
  expect(opening).toContain("Торги открыты");
  expect(opening).toMatch(/К корзине: \S+\/cart/);
  expect([await turn(false), await turn(true)]).toEqual([[], []]);
  await night.close();
});

test("letters to unconfirmed mailboxes are few a day", async () => {
  const strict = await openHttpBench({ limits: { inquiriesPerAddressHour: 100, inquiryLettersPerMailboxDay: 2, alertsPerMailbox: 20 } });
  const requestAlert = async (below: number) =>
    (await strict.visitor().request("POST", "/api/alerts", { course: "XAU_RUB", below, email: "gleb@example.ru" })).statusCode;
  expect([await requestAlert(1), await requestAlert(2), await requestAlert(3)]).toEqual([201, 201, 409]);
  strict.clock.advance(days(1) + seconds(1));
  expect([await requestAlert(3), await requestAlert(4), await requestAlert(5)]).toEqual([201, 201, 409]);
  await strict.close();
});

test("a mailbox has a limit, and unconfirmed alerts are deleted after two days", async () => {
  for (const below of [1, 2, 3, 4]) expect((await send({ course: "XAU_RUB", below, email: "eva@example.ru" })).statusCode).toBe(201);
  expect((await send({ course: "XAU_RUB", below: 5, email: "eva@example.ru" })).json()).toMatchObject({
    statusCode: 409,
    code: "alert.too_many",
  });
  bench.clock.advance(days(2) + seconds(1));
  await alerts.deleteUnconfirmed(bench.ctx);
  expect((await send({ course: "XAU_RUB", below: 5, email: "eva@example.ru" })).statusCode).toBe(201);
});
