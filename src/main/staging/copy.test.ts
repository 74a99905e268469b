import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { coins, openHttpBench, placeOrder, type HttpBench } from "#http/testing.ts";
import { readStatement } from "#integrations/bank-statement/client-bank-exchange.ts";
import { inTransaction } from "#kit/db.ts";
import { silentLog } from "#kit/log.ts";
import { checkLedger } from "#main/ledger/ledger.ts";
import { openPostgres } from "#main/database/postgres.ts";
import * as alerts from "#shop/alerts/service.ts";
import * as audit from "#shop/audit/service.ts";
import * as customerList from "#shop/customers/staff/customer-list.service.ts";
import * as privacy from "#shop/customers/staff/privacy-requests.service.ts";
import { moscowCode } from "#shop/delivery/delivery.ts";
import * as inquiries from "#shop/inquiries/service.ts";
import { deliveryIds, paymentIds } from "#shop/method-ids.ts";
import * as cards from "#shop/orders/staff/card.service.ts";
import * as orders from "#shop/orders/service.ts";
import * as invitations from "#shop/staff/people/invitations.service.ts";
import { aStatementFile, importFile } from "#shop/statements/testing.ts";
import { createDatabase } from "#tests/postgres.ts";
import { columns } from "./columns.ts";
import { copyForStaging, CopyError, tablesOf, unclassified } from "./copy.ts";
import { createFakes } from "./fakes.ts";

/** Each of these may appear nowhere in a copy. */
const marks = {
  phone: "+79031112233",
  email: "metka-buyer@primer.example",
  name: "Меткослав",
  lastName: "Меткоградский",
  secondName: "Меткович",
  street: "Меткострадательная",
  message: "Меткодомофон сломан",
  text: "Меткотекст: звоните вечером",
  company: "Меткоплательщик",
  account: "40702810599999000777",
  login: "metkina",
  browser: "MetkaBrowser/7",
  address: "203.0.113.77",
} as const;
/** Neither may these: what opens something, as it is stored. `fill` enters those that the shop makes. */
const tokens = {
  session: "",
  visitor: "",
  invitation: "",
  orderKey: "",
  idempotencyKey: "metka-idempotency-key",
  guestIdempotencyKey: "metka-guest-key",
  passwordHash: "scrypt$15$8$3$metka$metkametkametka",
  totpSecret: "metka-totp-secret",
  device: "metka-device",
  carrierId: "metka-carrier-id",
  trackingNumber: "metka-tracking-number",
};

let shop: HttpBench;
beforeAll(async () => {
  shop = await openHttpBench();
  shop.ctx.gateways.bankStatements = { read: readStatement };
  shop.ctx.actor = { kind: "staff", name: marks.login };
  await fill();
});
afterAll(() => shop.close());

async function client<T>(url: string, work: (connection: pg.Client) => Promise<T>): Promise<T> {
  const connection = new pg.Client({ connectionString: url });
  await connection.connect();
  try {
    return await work(connection);
  } finally {
    await connection.end();
  }
}

/** A customer and a guest buy and write, and staff writes about them. */
async function fill(): Promise<void> {
  const { ctx } = shop;
  const user = { name: marks.name, lastName: marks.lastName, secondName: marks.secondName, email: marks.email, phone: marks.phone };
  const customer = shop.visitor();
  await customer.signIn(shop, marks.phone);
  expect((await placeOrder(customer, coins.memorable, tokens.idempotencyKey, { user })).statusCode).toBe(201);
  const guest = shop.visitor();
  const bought = await guest.request("PATCH", `/api/cart/${coins.bullion}`, { quantity: 1 }, { "user-agent": marks.browser });
  expect(bought.statusCode).toBe(200);
  const courier = { deliveryId: deliveryIds.courier, city: moscowCode, paymentId: paymentIds.invoice };
  const quote = (await guest.request("POST", "/api/checkout/quote", courier)).json<{ data: { quoteId: string } }>().data;
  const placed = await guest.request(
    "POST",
    "/api/orders",
    {
      quoteId: quote.quoteId,
      user,
      delivery: { id: deliveryIds.courier },
      address: { city: "Москва", street: marks.street, house: "1", room: "2", entrance: "3", floor: "4", message: marks.message },
      paymentId: paymentIds.invoice,
      consent: true,
    },
    { "idempotency-key": tokens.guestIdempotencyKey },
  );
  expect([placed.statusCode, placed.body]).toEqual([201, expect.any(String)]);
  const [first, second] = await client(
    shop.url,
    async (c) => (await c.query<{ id: string }>("select id from orders order by number")).rows,
  );
  const orderId = second?.id ?? "";
  const order = await orders.byId(ctx, orderId);
  const [{ id: customerId } = { id: "" }] = await client(
    shop.url,
    async (c) => (await c.query<{ id: string }>("select id from customers")).rows,
  );
  await cards.comment(ctx, orderId, marks.text);
  await cards.seePresent(ctx, orderId, { login: marks.login, name: marks.name });
  await customerList.addNote(ctx, customerId, { author: marks.login, text: marks.text });
  await privacy.add(
    ctx,
    { kind: "access", applicant: marks.name, contact: marks.email, text: marks.text, customerId, receivedOn: "2026-11-19" as never },
    marks.login,
  );
  const written = { isSuspect: false, mayThank: true };
  await inquiries.writeReview(ctx, {
    name: marks.name,
    city: "Москва",
    email: marks.email,
    rating: 5,
    coinId: coins.bullion,
    body: marks.text,
    ...written,
  });
  await inquiries.submit(ctx, {
    kind: "callback",
    name: marks.name,
    phone: marks.phone,
    email: marks.email,
    convenientTime: marks.text,
    note: marks.text,
    ...written,
  });
  await inquiries.submit(ctx, {
    kind: "buyback",
    name: marks.name,
    phone: marks.phone,
    email: marks.email,
    coins: [{ title: `Червонец, ${marks.text}`, count: 2 }],
    condition: "good",
    note: "",
    ...written,
  });
  await alerts.create(ctx, {
    subject: { coinId: coins.bullion },
    condition: { rule: "below", value: 100 } as never,
    email: marks.email,
    customerId,
  });
  await importFile(ctx, {
    name: `${marks.company}.txt`,
    bytes: aStatementFile(ctx.settings.seller.account, [
      {
        number: "77",
        sum: ((order?.total ?? 0) / 100).toFixed(2),
        payer: marks.company,
        payerAccount: marks.account,
        purpose: `Оплата заказа № ${order?.number}, ${marks.lastName}`,
      },
      { number: "78", sum: "55.00", payer: marks.company, payerAccount: marks.account, purpose: marks.text },
    ]),
  });
  await inTransaction(ctx.db, (tx) =>
    audit.record(
      tx,
      ctx,
      "order.edit",
      { subject: `order:${first?.id}`, before: { phone: marks.phone }, after: { name: marks.name } },
      { origin: { address: marks.address, userAgent: marks.browser }, approvalId: null },
    ),
  );
  await fillSecrets(first?.id ?? "", orderId, customerId);
}

/** Rows that no service of this test makes, and the tokens that the shop has made. */
async function fillSecrets(orderId: string, guestOrderId: string, customerId: string): Promise<void> {
  const { ctx } = shop;
  const invited = await invitations.invite(ctx, { email: `new-${marks.email}`, roles: ["sales"] });
  expect(invited.ok).toBe(true);
  const request = {
    orderId,
    number: "10001",
    to: { cityCode: moscowCode, address: `${marks.street}, 1` },
    recipient: { name: `${marks.lastName} ${marks.name}`, phone: marks.phone, email: marks.email },
    lines: [{ title: "Сеятель", article: "2", quantity: 1, unitPriceKopecks: 1_250_000, weightGrams: 8 }],
  };
  await client(shop.url, async (c) => {
    await c.query(
      `insert into shipments (order_id, state, request, carrier_id, tracking_number, created_at) values ($1, 'invalid', $2, $3, $4, now())`,
      [orderId, JSON.stringify(request), tokens.carrierId, tokens.trackingNumber],
    );
    await c.query(
      `insert into staff (login, name, email, roles, password_hash, totp_secret, created_at) values ($1, $2, $3, '{sales}', $4, $5, now())`,
      [marks.login, marks.lastName, marks.email, tokens.passwordHash, tokens.totpSecret],
    );
    await c.query("insert into known_devices (device_hash, customer_id, last_seen_at) values ($1, $2, now())", [tokens.device, customerId]);
    const [stored] = (
      await c.query<{ session: string; invitation: string; visitor: string }>(
        `select (select sid_hash from sessions) as session, (select token_hash from staff_invitations) as invitation,
          (select substr(owner, 9) from orders where id = $1) as visitor`,
        [guestOrderId],
      )
    ).rows;
    Object.assign(tokens, stored);
  });
  tokens.orderKey = orders.keyOf(ctx, guestOrderId);
}

const all = (): [name: string, mark: string][] => Object.entries({ ...marks, shortPhone: marks.phone.slice(2), ...tokens });

/** `table.column` of every value in which a mark is found, and the names of the marks that are found. */
const found = (url: string): Promise<{ places: string[]; names: string[] }> =>
  client(url, async (c) => {
    const places: string[] = [];
    const names = new Set<string>();
    for (const { name, columns: list } of await tablesOf(c)) {
      for (const column of list) {
        const { rows } = await c.query<{ value: string }>(
          `select distinct "${column.name}"::text as value from "${name}" where "${column.name}" is not null`,
        );
        const hits = all().filter(([, mark]) => rows.some(({ value }) => value.toLowerCase().includes(mark.toLowerCase())));
        if (hits.length > 0) places.push(`${name}.${column.name}`);
        for (const [mark] of hits) names.add(mark);
      }
    }
    return { places, names: [...names] };
  });

test("a copy has no name, phone, mailbox, address, text, account, login or token of a person, and its ledger holds", async () => {
  const before = await found(shop.url);
  // The shop that is copied does have them, in many tables.
  expect(before.names.toSorted()).toEqual(
    all()
      .map(([name]) => name)
      .toSorted(),
  );
  for (const place of [
    "customers.phone",
    "orders.user",
    "orders.address",
    "outbox.recipient",
    "inquiries.phone",
    "inquiries.details",
    "reviews.body",
    "alerts.email",
    "order_comments.text",
    "customer_notes.text",
    "privacy_requests.contact",
    "bank_statement_entries.payer",
    "bank_transfers.payer_account",
    "audit_entries.after",
    "audit_entries.address",
    "sign_in_codes.phone",
    "payments.actor",
    "idempotency_keys.key",
    "idempotency_keys.owner",
    "sessions.sid_hash",
    "known_devices.device_hash",
    "outbox.text",
    "shipments.request",
    "shipments.tracking_number",
    "staff.password_hash",
    "staff.totp_secret",
    "staff_invitations.token_hash",
  ])
    expect(before.places).toContain(place);
  const to = await createDatabase(inject("postgresUrl"));
  const copied = await copyForStaging({ from: shop.url, to });
  expect(copied.get("orders")).toBe(2);
  expect(copied.get("audit_entries")).toBe(0);
  for (const table of ["shipments", "staff"]) expect([table, copied.get(table)]).toEqual([table, 1]);
  expect(await found(to)).toEqual({ places: [], names: [] });

  const copy = openPostgres(to, { log: silentLog, max: 2 });
  expect(await checkLedger(copy.db)).toEqual([]);
  await copy.close();
  await client(to, async (c) => {
    // Joins hold: the payer of the transfer is the one of the statement, the customer's order is the customer's.
    const { rows } =
      await c.query(`select o.customer_id = u.id as own, o."user"->>'phone' = u.phone as phone, o."user"->>'email' = u.email as email
      from orders o join customers u on u.id = o.customer_id`);
    expect(rows).toEqual([{ own: true, phone: true, email: true }]);
    expect(
      (
        await c.query(
          "select 1 from bank_statement_entries e join bank_transfers t on t.id = e.transfer_id and t.payer_account = e.payer_account",
        )
      ).rowCount,
    ).toBe(1);
    expect((await c.query("select 1 from outbox where next_try_at is not null")).rowCount).toBe(0);
    // The copy goes on where the shop is: sequences, constraints and triggers are there.
    expect(
      (await c.query("select 1 from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace")).rowCount,
    ).toBeGreaterThan(50);
    await expect(c.query("truncate settings_history")).rejects.toThrow("append-only");
    const numbers = async (url: string) =>
      client(
        url,
        async (d) => (await d.query("select sequencename, last_value from pg_sequences where schemaname = 'public' order by 1")).rows,
      );
    expect(
      (await numbers(to)).filter(
        ({ sequencename }) => !/^(audit|customer_notes|order_comments|privacy|sign_in|inquiry_notes)/.test(sequencename as string),
      ),
    ).toEqual(
      (await numbers(shop.url)).filter(
        ({ sequencename }) => !/^(audit|customer_notes|order_comments|privacy|sign_in|inquiry_notes)/.test(sequencename as string),
      ),
    );
  });
  await expect(copyForStaging({ from: shop.url, to })).rejects.toThrow(
    new CopyError("--to is not empty: create a new database for the copy"),
  );
});

test("every text, JSON, array and binary column of the schema has a rule in columns.ts", async () => {
  expect(await client(shop.url, async (c) => unclassified(await tablesOf(c)))).toEqual([]);
});

test("a value that is replaced never shows what it was, in a text, in JSON and in lists of JSON", () => {
  const fakes = createFakes();
  const secret = "Меткослав";
  for (const [table, rules] of Object.entries(columns))
    for (const [column, rule] of rules === "omit" ? [] : Object.entries(rules)) {
      if (rule === "keep") continue;
      for (const value of [
        secret,
        `visitor:${secret}`,
        `staff:${secret}`,
        { name: secret, phone: secret, deep: [{ note: secret }, secret] },
      ]) {
        const made = rule(value, fakes);
        expect([table, column, JSON.stringify(made)?.includes(secret) ?? false]).toEqual([table, column, false]);
      }
    }
});

test("equal values become equal, different ones stay different", () => {
  const fakes = createFakes();
  expect(fakes.phone("+79031112233")).toBe(fakes.phone("+79031112233"));
  const phones = Array.from({ length: 2_000 }, (_, n) => fakes.phone(`+7903${n}`));
  expect(new Set(phones).size).toBe(2_000);
  expect(fakes.actor("staff:ivanova")).toBe(`staff:${fakes.login("ivanova")}`);
  expect([fakes.email(""), fakes.phone(""), fakes.owner("customer:17")]).toEqual(["", "", "customer:17"]);
});
