import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { orders as orderRows } from "#shop/orders/tables.ts";
import { coins, openHttpBench, placeOrder, pointId, type HttpBench } from "./testing.ts";

let bench: HttpBench;
beforeAll(async () => {
  bench = await openHttpBench({ demo: true });
});
afterAll(() => bench.close());
afterEach(() => expect(bench.faults).toEqual([]));

const moscow = "0000073738";

describe("the cart", () => {
  test("a new visitor's first call sets the browser's id, and the coins stay in that cart", async () => {
    const visitor = bench.visitor();
    const first = await visitor.request("GET", "/api/cart");
    expect(first.json()).toEqual({ data: { order: { coins: [], totalPrice: 0 }, totalCoins: 0 } });
    expect(first.headers["set-cookie"]).toEqual([
      expect.stringMatching(/^uid=[A-Za-z0-9_-]{54}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    expect(first.headers["cache-control"]).toBe("private, no-store");
    const added = await visitor.request("PATCH", `/api/cart/${coins.memorable}`, { quantity: 2 });
    expect(added.json()).toEqual({
      data: {
        order: { coins: [{ id: 2, count: 2, price: 12_500, sum: 25_000, available: 3, inStock: true }], totalPrice: 25_000 },
        totalCoins: 2,
      },
    });
    expect(added.headers["set-cookie"]).toBeUndefined();
    expect((await visitor.request("DELETE", "/api/cart", { productIds: [coins.memorable, 999] })).json()).toMatchObject({
      data: { totalCoins: 0 },
    });
  });

  test("each visit of a guest, not of a customer, lets the browser's id and with it the cart live for another year", async () => {
    const visitor = bench.visitor();
    const first = await visitor.request("GET", "/api/state");
    const uid = visitor.jar.get("uid");
    const visit = await visitor.request("GET", "/api/state");
    expect([first, visit].map(({ headers }) => headers["set-cookie"])).toEqual(
      [first, visit].map(() => [expect.stringMatching(`^uid=${uid}; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax$`)]),
    );
    visitor.jar.set("sid", "s".repeat(32));
    expect((await visitor.request("GET", "/api/state")).headers["set-cookie"]).toBeUndefined();
  });

  test("a quantity above the stock leaves the cart unchanged and returns the available number", async () => {
    const visitor = bench.visitor();
    await visitor.request("PATCH", `/api/cart/${coins.memorable}`, { quantity: 1 });
    const refused = await visitor.request("PATCH", `/api/cart/${coins.memorable}`, { quantity: 4 });
    expect([refused.statusCode, refused.json()]).toMatchObject([
      409,
      { statusCode: 409, statusMessage: "Conflict", code: "cart.stock_short", data: { available: 3 } },
    ]);
    expect((await visitor.request("GET", "/api/cart")).json()).toMatchObject({ data: { totalCoins: 1 } });
  });

  test("only whole numbers from 0 to 999 are quantities", async () => {
    const visitor = bench.visitor();
    for (const quantity of [-1, 1.5, "2", null, 1000, 1e21, true, [1], {}]) {
      const refused = await visitor.request("PATCH", "/api/cart/1", { quantity });
      expect([refused.statusCode, refused.json()]).toMatchObject([
        422,
        { code: "request.invalid", fields: { quantity: expect.any(String) } },
      ]);
    }
  });

  test("a malformed id is an unknown coin", async () => {
    for (const id of ["abc", "0", "-1", "1.5", "99999999999999999999", "1%00", "999"]) {
      const refused = await bench.visitor().request("PATCH", `/api/cart/${id}`, { quantity: 1 });
      expect([id, refused.statusCode, refused.json<{ code: string }>().code]).toEqual([id, 404, "product.not_found"]);
    }
  });
});

describe("wishlist and comparison", () => {
  test("are idempotent and newest first; the comparison answers cards", async () => {
    const visitor = bench.visitor();
    await visitor.request("POST", "/api/wishlist/1");
    await visitor.request("POST", "/api/wishlist/2");
    expect((await visitor.request("POST", "/api/wishlist/2")).json()).toEqual({ data: [2, 1] });
    expect((await visitor.request("DELETE", "/api/wishlist/2")).json()).toEqual({ data: [1] });
    expect((await visitor.request("POST", "/api/wishlist/clear")).json()).toEqual({ data: [] });
    expect((await visitor.request("POST", "/api/compare/2")).json()).toMatchObject({ data: [{ id: 2, slug: "seyatel", price: 12_500 }] });
    expect((await visitor.request("POST", "/api/compare/777")).statusCode).toBe(404);
  });
});

describe("reading the catalogue", () => {
  test("a listing has cards, pages and counts", async () => {
    const { data } = (await bench.visitor().request("GET", "/api/catalog?sort=price&kind=memorable")).json<{
      data: { items: { id: number }[]; total: number; facets: object };
    }>();
    expect([data.total, data.items.map((item) => item.id)]).toEqual([1, [2]]);
    expect(data.facets).toMatchObject({ price: { min: expect.any(Number), max: expect.any(Number) }, metal: expect.any(Array) });
  });

  test.each([
    "sort=cheap",
    "metal=platinum",
    "kind=toy",
    "country=Нарния",
    "category=none",
    "page=0",
    "page=x",
    "priceFrom=-1",
    "inStock=perhaps",
    "year=x",
    "spreadTo=small",
    "group=all",
  ])("an unknown value is named: %s", async (query) => {
    const refused = await bench.visitor().request("GET", `/api/catalog?${encodeURI(query)}`);
    expect([refused.statusCode, refused.json()]).toMatchObject([
      422,
      { code: "request.invalid", fields: { [query.split("=")[0] ?? ""]: expect.any(String) } },
    ]);
  });

  test("past the last page there are no items, and unknown parameters change nothing", async () => {
    for (const page of [99, 100_000, 999_999_999])
      expect((await bench.visitor().request("GET", `/api/catalog?page=${page}&utm_source=x`)).json()).toMatchObject({
        data: { items: [], page },
      });
    expect((await bench.visitor().request("GET", "/api/search?q=coin&page=100000")).json()).toMatchObject({
      data: { items: [], page: 100_000 },
    });
  });

  test("one coin by its slug, several by their ids in the requested order", async () => {
    expect((await bench.visitor().request("GET", "/api/products/seyatel")).json()).toMatchObject({
      data: { id: 2, images: { obverse: expect.any(Array) }, country: "Россия" },
    });
    for (const slug of ["nothing-here", "__proto__", "constructor", "a%2fb", "%2e%2e", "A".repeat(180)])
      expect((await bench.visitor().request("GET", `/api/products/${slug}`)).statusCode).toBe(404);
    expect(
      (await bench.visitor().request("GET", "/api/products?ids=3,77,1")).json<{ data: { id: number }[] }>().data.map((card) => card.id),
    ).toEqual([3, 1]);
    expect((await bench.visitor().request("GET", "/api/products")).statusCode).toBe(422);
  });

  test("cards have the spread, a maximum spread filters, and `group=product` puts the issues of a product on one card", async () => {
    const request = async (query: string) =>
      (await bench.visitor().request("GET", `/api/catalog?${query}`)).json<{
        data: { items: { id: number; spread?: number; issues?: object }[]; total: number; facets: Record<string, object[]> };
      }>().data;
    const all = await request("sort=spread");
    const spreads = all.items.flatMap(({ spread }) => spread ?? []);
    expect(spreads).toEqual(spreads.toSorted((a, b) => a - b));
    expect(spreads.length).toBeGreaterThan(0);
    expect((await request(`spreadTo=${spreads[0]}`)).items.every(({ spread }) => spread !== undefined && spread <= (spreads[0] ?? 0))).toBe(
      true,
    );
    expect(all.items.every(({ issues }) => issues === undefined)).toBe(true);
    expect((await request("group=product")).total).toBeLessThanOrEqual(all.total);
  });

  test("search results are filtered and sorted like a listing, with the same parameters", async () => {
    const found = (await bench.visitor().request("GET", "/api/search?q=coin&metal=gold&sort=price")).json<{
      data: { items: { metal: string }[] };
    }>();
    expect(found.data.items.every(({ metal }) => metal === "gold")).toBe(true);
    expect((await bench.visitor().request("GET", "/api/search?q=coin&metal=lead")).json()).toMatchObject({
      code: "request.invalid",
      fields: { metal: expect.any(String) },
    });
    expect((await bench.visitor().request("GET", "/api/search?q=coin&sort=cheap")).statusCode).toBe(422);
  });

  test("searching answers like the catalogue", async () => {
    expect((await bench.visitor().request("GET", "/api/search?q=coin")).json()).toMatchObject({
      data: { items: expect.any(Array), total: expect.any(Number) },
    });
    expect((await bench.visitor().request("GET", "/api/search/suggest?q=c")).json()).toMatchObject({
      data: { products: expect.any(Array), categories: expect.any(Array), articles: expect.any(Array) },
    });
  });
});

describe("rates", () => {
  test("five rates and whether the market is open, as a bare body", async () => {
    expect((await bench.visitor().request("GET", "/api/courses")).json()).toMatchObject({
      time: expect.stringMatching(/\+03:00$/),
      courses: { XAU_RUB: { course: 11_042.6, diff: 0, direction: "up" } },
    });
    expect((await bench.visitor().request("GET", "/api/work")).json()).toEqual({ work: true, until: "2026-11-20T19:00:00+03:00" });
  });
});

describe("signing in", () => {
  test("joins the cart, opens the profile, and signing out leaves a browser without data", async () => {
    const visitor = bench.visitor();
    await visitor.request("PATCH", "/api/cart/2", { quantity: 2 });
    const before = visitor.jar.get("uid");
    await visitor.signIn(bench, "+79160000001");
    expect((await visitor.request("GET", "/api/me")).json()).toEqual({
      data: { name: "", last_name: "", second_name: "", email: "", phone: "+79160000001" },
    });
    expect((await visitor.request("POST", "/api/me", { name: "Иванов Иван Иванович", email: "ivan@example.ru" })).json()).toMatchObject({
      data: { name: "Иван", last_name: "Иванов", second_name: "Иванович" },
    });
    expect((await visitor.request("GET", "/api/state")).json()).toEqual({
      data: { me: { name: "Иван" }, totalCoins: 2, wishlist: [], compare: [], work: true },
    });
    const stolen = visitor.jar.get("sid") ?? "";
    const out = await visitor.request("POST", "/api/auth/logout");
    expect([out.json(), out.headers["clear-site-data"]]).toEqual([{ data: true }, '"cache"']);
    expect(visitor.jar.get("uid")).not.toBe(before);
    expect((await visitor.request("GET", "/api/cart")).json()).toMatchObject({ data: { totalCoins: 0 } });
    expect((await bench.visitor().request("GET", "/api/me", undefined, { cookie: `sid=${stolen}` })).json()).toEqual({ data: null });
  });

  test("starts a new session, whatever session cookie was planted before", async () => {
    const visitor = bench.visitor();
    visitor.jar.set("sid", "attackers-session-id-0123456789");
    await visitor.signIn(bench, "+79160000002");
    expect(visitor.jar.get("sid")).not.toContain("attacker");
    expect(visitor.jar.has("device")).toBe(true);
    expect(visitor.jar.has("otp")).toBe(false);
  });

  test("returns true for an existing customer and false for a new one; phones are accepted in all usual spellings", async () => {
    const visitor = bench.visitor();
    const signIn = async (phone: string) => {
      await visitor.request("POST", "/api/auth/get-code", { phone });
      const code = /\b\d{4}\b/.exec(bench.sms.at(-1)?.text ?? "")?.[0] ?? "";
      return (await visitor.request("POST", "/api/auth/check-code", { phone, code: ` ${code.slice(0, 2)} ${code.slice(2)}` })).json();
    };
    expect(await signIn("8 (916) 000-00-03")).toEqual({ data: false });
    bench.clock.advance(130_000);
    expect(await signIn("+79160000003")).toEqual({ data: true });
  });

  test("a wrong code and a malformed phone have different codes", async () => {
    const visitor = bench.visitor();
    expect((await visitor.request("POST", "/api/auth/get-code", { phone: "123" })).json()).toMatchObject({
      statusCode: 422,
      code: "auth.bad_phone",
      fields: { phone: "Телефон указан неверно" },
    });
    await visitor.request("POST", "/api/auth/get-code", { phone: "+79160000004" });
    const right = /\b\d{4}\b/.exec(bench.sms.at(-1)?.text ?? "")?.[0];
    expect(
      (await visitor.request("POST", "/api/auth/check-code", { phone: "+79160000004", code: right === "0000" ? "0001" : "0000" })).json(),
    ).toMatchObject({ statusCode: 422, code: "auth.wrong_code", message: "Неверный смс код" });
    const again = await visitor.request("POST", "/api/auth/get-code", { phone: "+79160000004" });
    expect([again.statusCode, Number(again.headers["retry-after"])]).toEqual([429, 120]);
  });

  test("a part of a full name longer than its field is refused beside the name, and the longest that fits is stored", async () => {
    const visitor = bench.visitor();
    await visitor.signIn(bench, "+79160000006");
    const email = "ivan@example.ru";
    const [long, longer] = ["я".repeat(100), "я".repeat(101)];
    for (const name of [longer, `Иванов ${longer}`, `Иванов Иван ${"я".repeat(50)} ${"я".repeat(50)}`])
      expect((await visitor.request("POST", "/api/me", { name, email })).json()).toMatchObject({
        statusCode: 422,
        fields: { name: "Слишком длинный текст" },
      });
    expect((await visitor.request("GET", "/api/me")).json()).toMatchObject({ data: { name: "", last_name: "", email: "" } });
    expect((await visitor.request("POST", "/api/me", { name: `${long} ${long} ${long}`, email })).json()).toMatchObject({
      data: { last_name: long, name: long, second_name: long },
    });
  });

  test("only a customer changes a profile; the phone never changes here", async () => {
    const visitor = bench.visitor();
    expect((await visitor.request("POST", "/api/me", { name: "Иван", email: "i@e.ru" })).json()).toMatchObject({
      statusCode: 401,
      code: "auth.required",
    });
    await visitor.signIn(bench, "+79160000005");
    expect((await visitor.request("PATCH", "/api/me", { phone: "+79169999999" })).json()).toMatchObject({
      statusCode: 422,
      fields: { phone: "Неизвестное поле" },
    });
    expect((await visitor.request("PATCH", "/api/me", { email: "nonsense" })).json()).toMatchObject({
      statusCode: 422,
      fields: { email: "Email указан неверно" },
    });
    expect(
      (
        await visitor.request("PATCH", "/api/me", {
          last_name: "Петров",
          buyprofile: { userinfo: { street: "Тверская" }, locinfo: { city: { code: moscow, name: "Москва" } } },
        })
      ).json(),
    ).toMatchObject({ data: { last_name: "Петров", phone: "+79160000005", buyprofile: { userinfo: { street: "Тверская" } } } });
  });

  test("the newsletter needs its own consent: given and withdrawn in the profile, or given with an order", async () => {
    const visitor = bench.visitor();
    await visitor.signIn(bench, "+79160000035");
    const letters = async () => (await visitor.request("GET", "/api/me")).json<{ data: { newsletter?: boolean } }>().data.newsletter;
    expect(await letters()).toBeUndefined();
    expect((await visitor.request("PATCH", "/api/me", { newsletter: true })).json()).toMatchObject({ data: { newsletter: true } });
    expect(await letters()).toBe(true);
    expect((await visitor.request("PATCH", "/api/me", { newsletter: false })).json<{ data: object }>().data).not.toHaveProperty(
      "newsletter",
    );
    expect((await visitor.request("PATCH", "/api/me", { newsletter: "yes" })).statusCode).toBe(422);

    expect((await placeOrder(visitor, coins.bullion, "letters-1")).statusCode).toBe(201);
    expect(await letters()).toBeUndefined();
    expect((await placeOrder(visitor, coins.bullion, "letters-2", { newsletter: true })).statusCode).toBe(201);
    expect(await letters()).toBe(true);
  });
});

describe("checkout", () => {
  test("cities, pickup points and ways of delivery are found; unknown cities and ids are refused", async () => {
    const visitor = bench.visitor();
    expect((await visitor.request("GET", `/api/locations/cities?q=${encodeURIComponent("моск")}`)).json()).toEqual({
      data: [{ code: moscow, name: "Москва", lastName: "Москва", fullName: "Москва", coords: [55.754047, 37.620405] }],
    });
    expect((await visitor.request("POST", "/api/locations/get-pvz", { city: moscow, deliveryId: 76 })).json()).toMatchObject({
      data: { [pointId]: { id: pointId, dlvId: 76, type: "", coords: [55.75, 37.62] } },
    });
    expect((await visitor.request("POST", "/api/locations/get-pvz", { city: moscow, deliveryId: 45 })).json()).toEqual({ data: {} });
    expect((await visitor.request("POST", "/api/locations/get-pvz", { city: "1000000009", deliveryId: 76 })).statusCode).toBe(404);
    expect((await visitor.request("POST", "/api/locations/get-pvz", { city: moscow, deliveryId: 1 })).statusCode).toBe(422);
    await visitor.request("PATCH", "/api/cart/2", { quantity: 1 });
    expect((await visitor.request("POST", "/api/checkout/deliveries", { code: moscow })).json()).toMatchObject({
      data: [
        {
          name: "СДЭК, бесплатная доставка",
          type: "sdek",
          items: expect.arrayContaining([expect.objectContaining({ id: 76, pvz: true, price: 0 })]),
        },
        { type: "pickup" },
        { type: "specialcontact", items: [{ id: 43, price: 0, note: "Стоимость уточнит менеджер" }] },
      ],
    });
    expect(visitor.jar.get("city")).toBe(moscow);
  });

  test("an order is made once, read by its key with masked personal data, and cancelled by it", async () => {
    const visitor = bench.visitor();
    await visitor.request("POST", "/api/checkout/deliveries", { code: moscow });
    const placed = await placeOrder(visitor);
    expect(visitor.jar.get("city") ?? "").toBe(""); // checkout is reset with the order
    const { data: order } = placed.json<{ data: { id: string; number: number; key: string; user: { phone: string }; payment: object } }>();
    expect(order.number).toBeGreaterThan(10_000); // four digits in an SMS are a sign-in code
    expect([placed.statusCode, order]).toMatchObject([
      201,
      {
        status: "awaiting_payment",
        statusText: "Ждёт оплаты",
        total: 12_500,
        payment: { id: 4, status: "pending", confirmationUrl: expect.stringMatching(/^https:\/\/pay\.example/) },
      },
    ]);
    const link = `/api/orders/${order.id}?key=${order.key}`;
    const anonymous = bench.visitor();
    expect((await anonymous.request("GET", link)).json()).toMatchObject({
      data: { id: order.id, user: { phone: "+7 ••• •••-45-67", email: "i•••@example.ru" } },
    });
    expect((await anonymous.request("GET", `/api/orders/${order.id}`)).json()).toEqual(
      (await anonymous.request("GET", "/api/orders/aaaaaaaaaaaaaaaaaaaaaa")).json(),
    );
    expect((await anonymous.request("POST", `/api/orders/${order.id}/pay?key=${order.key}`, {})).json()).toMatchObject({
      data: { confirmationUrl: expect.any(String) },
    });
    expect((await anonymous.request("POST", `/api/orders/${order.id}/cancel?key=${order.key}`)).json()).toMatchObject({
      data: { status: "cancelled" },
    });
    expect((await anonymous.request("POST", `/api/orders/${order.id}/pay?key=${order.key}`)).json()).toMatchObject({
      statusCode: 409,
      code: "order.not_payable",
      data: { status: "cancelled" },
    });
  });

  test("the same key and body answer the same order; another body is refused; a used quote names its order", async () => {
    const visitor = bench.visitor();
    await visitor.request("PATCH", "/api/cart/1", { quantity: 1 });
    const quote = await visitor.request("POST", "/api/checkout/quote", { deliveryId: 35, city: moscow, paymentId: 7 });
    const { quoteId } = quote.json<{ data: { quoteId: string } }>().data;
    const form = {
      quoteId,
      user: { name: "Анна", lastName: "Ким", email: "a@e.ru", phone: "89160000009" },
      delivery: { id: 35 },
      paymentId: 7,
      consent: true,
    };
    const post = (body: object, key: string) => visitor.request("POST", "/api/orders", body, { "idempotency-key": key });
    const [first, second] = [await post(form, "k"), await post(form, "k")];
    expect([first.statusCode, second.statusCode]).toEqual([201, 200]);
    expect(second.json()).toEqual(first.json());
    const source = { referrer: "www.google.com", utmSource: "", utmMedium: "", utmCampaign: "", isPaidClick: false };
    expect((await post({ ...form, source }, "k")).json()).toEqual(first.json());
    expect((await post({ ...form, user: { ...form.user, name: "Яна" } }, "k")).json()).toMatchObject({
      statusCode: 422,
      code: "order.key_reused",
    });
    const { id } = first.json<{ data: { id: string } }>().data;
    expect((await post(form, "another")).json()).toMatchObject({ statusCode: 409, code: "quote.used", data: { orderId: id } });
    expect((await visitor.request("POST", "/api/orders", form)).json()).toMatchObject({ statusCode: 400, code: "order.key_missing" });
    expect((await post(form, "k".repeat(65))).statusCode).toBe(400);
  });

  test("an order stores the channel by which its buyer came, and no address of a page", async () => {
    const visitor = bench.visitor();
    await visitor.request("PATCH", "/api/cart/1", { quantity: 1 });
    const quote = await visitor.request("POST", "/api/checkout/quote", { deliveryId: 35, city: moscow, paymentId: 7 });
    const form = {
      quoteId: quote.json<{ data: { quoteId: string } }>().data.quoteId,
      user: { name: "Анна", lastName: "Ким", email: "a@e.ru", phone: "89160000019" },
      delivery: { id: 35 },
      paymentId: 7,
      consent: true,
      source: { referrer: "yandex.ru", utmSource: "yandex", utmMedium: "cpc", utmCampaign: "ivan@example.ru", isPaidClick: true },
    };
    const post = (body: object) => visitor.request("POST", "/api/orders", body, { "idempotency-key": "source" });
    expect((await post({ ...form, source: { ...form.source, click: "1" } })).statusCode).toBe(422);
    const placed = await post(form);
    expect(placed.statusCode).toBe(201);
    expect(placed.body).not.toContain("yandex");
    const { id } = placed.json<{ data: { id: string } }>().data;
    const [row] = await bench.ctx.db.select().from(orderRows).where(eq(orderRows.id, id));
    expect(row).toMatchObject({ sourceChannel: "advertising", sourceName: "yandex", sourceCampaign: null });
  });

  test("a form with gaps names them; courier delivery needs a street and a house", async () => {
    const visitor = bench.visitor();
    const post = (body: object) => visitor.request("POST", "/api/orders", body, { "idempotency-key": "x" });
    expect(
      (
        await post({ quoteId: "q", user: { name: " ", phone: "12", email: "x" }, delivery: { id: 45 }, paymentId: 4, consent: false })
      ).json(),
    ).toMatchObject({
      statusCode: 422,
      code: "request.invalid",
      fields: {
        name: "Обязательное поле",
        lastName: "Обязательное поле",
        email: "Email указан неверно",
        phone: "Телефон указан неверно",
        consent: expect.any(String),
      },
    });
    const user = { name: "А", lastName: "Б", email: "a@e.ru", phone: "+79160000009" };
    expect((await post({ quoteId: "q", user, delivery: { id: 45 }, paymentId: 4, consent: true })).json()).toMatchObject({
      statusCode: 422,
      fields: { street: "Обязательное поле", house: "Обязательное поле" },
    });
    expect(
      (
        await post({ quoteId: "q", user, delivery: { id: 45 }, address: { street: "Тверская", house: "1" }, paymentId: 4, consent: true })
      ).json(),
    ).toMatchObject({ statusCode: 404, code: "quote.not_found" });
    expect(
      (await post({ quoteId: "q", user, delivery: { id: 45 }, total: 1, price: 1, paymentId: 4, consent: true })).json(),
    ).toMatchObject({ statusCode: 422, fields: { total: "Неизвестное поле" } });
  });

  test("a missing point, a point of another city, a wrong payment and a closed market are refused by name", async () => {
    const visitor = bench.visitor();
    const quote = (body: object) =>
      visitor.request("POST", "/api/checkout/quote", { deliveryId: 76, pvzId: pointId, city: moscow, paymentId: 4, ...body });
    expect((await quote({})).json()).toMatchObject({ statusCode: 409, code: "cart.empty" });
    await visitor.request("PATCH", "/api/cart/1", { quantity: 1 });
    for (const pvzId of [undefined, null, "", "SPB9"])
      expect((await quote({ pvzId })).json()).toMatchObject({ statusCode: 422, fields: { pvzId: expect.any(String) } });
    expect((await quote({ paymentId: 7 })).json()).toMatchObject({
      statusCode: 409,
      code: "payment.not_allowed",
      data: { allowed: [4, 5, 6] },
    });
    expect((await quote({ paymentId: 9 })).json()).toMatchObject({ statusCode: 422, fields: { paymentId: expect.any(String) } });
    expect((await quote({})).json()).toMatchObject({
      data: { quoteId: expect.any(String), expiresAt: expect.any(String), items: [{ id: 1, count: 1 }], delivery: { id: 76, price: 0 } },
    });
  });

  test("while the payment provider is down an order is made without a payment address", async () => {
    bench.provider.isOut = true;
    const visitor = bench.visitor();
    const placed = await placeOrder(visitor, coins.bullion);
    bench.provider.isOut = false;
    const { data: order } = placed.json<{ data: { id: string; key: string; payment: object } }>();
    expect([placed.statusCode, order.payment]).toEqual([201, { id: 4, status: "pending", payUntil: expect.any(String) }]);
    expect((await visitor.request("POST", `/api/orders/${order.id}/pay?key=${order.key}`)).json()).toMatchObject({
      data: { confirmationUrl: expect.any(String) },
    });
  });

  test("a customer's orders are listed newest first and without masks", async () => {
    const visitor = bench.visitor();
    await visitor.signIn(bench, "+79160000010");
    const { data: order } = (await placeOrder(visitor, coins.bullion)).json<{ data: { id: string } }>();
    expect((await visitor.request("GET", "/api/orders")).json()).toMatchObject({
      data: [{ id: order.id, user: { phone: "+79161234567" } }],
    });
    const [city] = (await visitor.request("GET", "/api/locations/cities?q=")).json<{ data: object[] }>().data;
    expect((await visitor.request("GET", "/api/me")).json()).toMatchObject({ data: { buyprofile: { locinfo: { city } } } });
    expect((await bench.visitor().request("GET", "/api/orders")).statusCode).toBe(401);
    const other = bench.visitor();
    await other.signIn(bench, "+79160000011");
    for (const [method, path] of [
      ["GET", ""],
      ["POST", "/pay"],
      ["POST", "/cancel"],
    ] as const)
      expect((await other.request(method, `/api/orders/${order.id}${path}`)).statusCode).toBe(404);
  });
});

describe("webhooks", () => {
  test("are answered 200 for every sender, and trusted from none", async () => {
    const send = (payload: string, headers = {}) =>
      bench.app.inject({ method: "POST", url: "/api/payments/yookassa/webhook", headers: { host: "localhost:3000", ...headers }, payload });
    expect(
      (await send('{"id":"p-1","status":"succeeded"}', { "content-type": "application/json", origin: "https://evil.example" })).statusCode,
    ).toBe(200);
    expect((await send("garbage", { "content-type": "text/plain" })).statusCode).toBe(200);
    expect((await send("x".repeat(300 * 1024), { "content-type": "application/json" })).statusCode).toBe(413);
    expect((await send('{"id":"p-1","status":"succeeded"}', { "content-type": "application/json" })).headers["set-cookie"]).toBeUndefined();
  });
});
