import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openHttpBench, placeOrder, type HttpBench } from "#http/testing.ts";
import * as notifications from "#shop/notifications/service.ts";
import { createLog } from "./log.ts";

let bench: HttpBench;
let log = "";
beforeAll(async () => {
  bench = await openHttpBench({ demo: true });
  bench.ctx.log = createLog("debug", {
    write: (line) => {
      log += line;
    },
  });
});
afterAll(() => bench.close());

test("no log line contains a name, address, code or key, for purchases, refusals, malformed input and faults alike", async () => {
  const who = bench.visitor();
  const phone = "+79265550117";
  const secrets = new Set([phone, "9265550117", "Скрытнов", "skrytnov", "Потайная", "звонить тихо", "sekret-link", "key-of-mine"]);
  const send: typeof who.request = async (...request) => {
    const response = await who.request(...request);
    for (const value of who.jar.values()) secrets.add(value);
    return response;
  };
  const user = { name: "Иван", lastName: "Скрытнов", secondName: "", email: "skrytnov@example.ru", phone };
  const address = { city: "Москва", street: "Потайная", house: "1", room: "", entrance: "", floor: "", message: "звонить тихо" };

  await send("POST", "/api/auth/get-code", { phone });
  secrets.add(/\b\d{4}\b/.exec(bench.sms.at(-1)?.text ?? "")?.[0] ?? "");
  await send("POST", "/api/auth/check-code", { phone, code: "none" });
  await send("POST", "/api/auth/get-code", { phone }); // before the repeat interval
  await send("POST", "/api/auth/check-code", { phone, code: [...secrets].at(-1) });
  await who.signIn(bench, phone).catch(() => {});
  await send("POST", "/api/me", { name: "Скрытнов Иван", email: user.email });
  const placed = (await placeOrder(who, 2, "key-of-mine", { user, address })).json<{ data: { id: string; key: string } }>().data;
  secrets.add(placed.key);
  await send("POST", `/api/orders/${placed.id}/pay?key=${placed.key}`);
  await send("GET", `/api/orders/${placed.id}?key=${placed.key}x`);
  await send("POST", "/api/reviews", { name: user.lastName, email: user.email, rating: 5, text: address.message, consent: true });
  await send("POST", "/api/callback", { phone, consent: false });
  await send("POST", "/api/me", `{"name":"${user.lastName}`); // truncated JSON
  await send("GET", `/api/${encodeURIComponent(user.lastName)}?phone=${encodeURIComponent(phone)}&key=sekret-link`);
  await send("GET", `/api/search?q=${encodeURIComponent(`Скрытнов ${phone} skrytnov@example.ru`)}`);
  await send("POST", "/api/payments/yookassa/webhook", JSON.stringify({ id: "p-1", status: "succeeded", description: user.email }));
  await send("POST", "/api/faults", { message: `no ${user.email} ${phone}`, path: `/order/1?key=${placed.key}` });

  bench.ctx.gateways.email.send = async ({ to }) => {
    throw new Error(`550 no mailbox of the recipient: ${to.slice(0, 0)}`);
  };
  await notifications.sendDue(bench.ctx);
  for (const table of ["customers", "orders", "sign_in_codes"])
    await bench.ctx.db.execute(sql.raw(`alter table ${table} rename to hidden_${table}`));
  expect((await send("PATCH", "/api/me", { name: "Иван", last_name: user.lastName, email: user.email })).statusCode).toBe(503);
  expect((await send("POST", "/api/auth/get-code", { phone: "+79265550118" })).statusCode).toBe(503);
  expect((await send("GET", `/api/orders/${placed.id}?key=${placed.key}`)).statusCode).toBe(503);

  expect(log.split("\n").length).toBeGreaterThan(20);
  expect(log).toContain("request failed");
  for (const secret of secrets) expect([secret, secret.length > 3 && log.includes(secret)]).toEqual([secret, false]);
});
