import { describe, expect, test } from "vitest";
import type { DeliveryGroupView, QuoteView } from "#contract/public/checkout.ts";
import type { ApiRefusal } from "#contract/client.ts";
import type { PointView } from "#contract/public/locations.ts";
import type { OrderView } from "#contract/public/orders.ts";
import { deliveryGroupTexts } from "#contract/texts.ru.ts";
import { fromRoubles, kopecks, zero } from "#kit/money.ts";
import type { CheckoutEffect, CheckoutEvent, LockRefusal, OrderRefusal } from "./checkout-events.ts";
import { reduce } from "./checkout-reducer.ts";
import { factsOf, initialState, type CheckoutState } from "./checkout-state.ts";
import type { CheckoutView } from "./checkout-view.ts";
import { moscow, emptyAddress, recipientOf, type CheckoutDraft } from "./draft.ts";

const kazan = { ...moscow, code: "1000000424", name: "Казань", fullName: "Казань" };
const item = (id: number, price = 0) => ({ id, pvz: id !== 45 && id !== 35, name: "", price, minDays: 1, maxDays: 2, note: "" });
const groups: DeliveryGroupView[] = [
  { name: deliveryGroupTexts.free_carrier, type: "sdek", items: [item(76), item(77), item(75)] },
  { name: "", type: "pickup", items: [item(35)] },
];
const paidGroups: DeliveryGroupView[] = [{ name: "", type: "sdek", items: [item(79, 300), item(80, 250), item(45, 500)] }];
const tverskaya = { id: "MSK101", name: "СДЭК", address: "Тверская ул., 12" };
const aPoint = { ...tverskaya, coords: [55, 37], workTime: "", nearestMetro: "", note: "", phone: "", card: true } as unknown as PointView;
const minute = 60_000;

/** A cart of `{ coin: [pieces, price in roubles] }`. */
function aView(coins: Record<number, [number, number]> = { 1: [1, 1000] }, change: Partial<CheckoutView> = {}): CheckoutView {
  const lines = Object.entries(coins).map(([id, [quantity, price]]) => ({
    id: Number(id),
    title: `Монета ${id}`,
    quantity,
    price: fromRoubles(price),
  }));
  return {
    cart: {
      lines,
      total: kopecks(lines.reduce((sum, line) => sum + line.price * line.quantity, 0)),
      pricedAt: "2026-11-22T09:00:00Z",
      isDead: false,
      market: { isOpen: true, note: null, until: null },
    } as unknown as CheckoutView["cart"],
    city: moscow,
    groups,
    bigCities: [],
    buyer: null,
    limits: { 4: fromRoubles(300_000), 5: fromRoubles(600_000), 6: null, 7: fromRoubles(100_000) },
    isValuable: false,
    receiptLinesMax: 100,
    office: { address: "Ордынка, 1", hours: [] },
    mapScriptUrl: null,
    quoteLifeSeconds: 600,
    now: "2026-11-22T09:00:00Z",
    ...change,
  };
}
const anna: NonNullable<CheckoutView["buyer"]> = {
  id: "a",
  user: { name: "Анна", lastName: "Воронцова", secondName: "", email: "anna@example.ru", phone: "+7 (916) 000-00-11" },
  city: null,
  deliveryId: null,
  point: null,
  address: emptyAddress,
  isSubscribed: false,
};
const aRefusal = (code: ApiRefusal["code"], change: Partial<ApiRefusal> = {}): ApiRefusal => ({
  code,
  status: 409,
  message: "Так нельзя",
  fields: {},
  data: undefined,
  retryAfter: null,
  ...change,
});
const anOrder = (change: Partial<OrderView["payment"]> = {}, status: OrderView["status"] = "awaiting_payment"): OrderView =>
  ({ id: "o1", number: 17, status, key: "k", payment: { id: 4, status: "pending", ...change } }) as unknown as OrderView;

/** Plays events one after the other; `effects` are those of the last one. */
function play(view: CheckoutView = aView(), stored: CheckoutDraft | null = null) {
  let state = initialState(view);
  let effects: CheckoutEffect[] = [];
  let now = 1_000_000;
  const walk = {
    send(...events: CheckoutEvent[]) {
      for (const event of events) ({ state, effects } = reduce(state, event));
      return walk;
    },
    get state(): CheckoutState {
      return state;
    },
    get facts() {
      return factsOf(state);
    },
    get effects() {
      return effects;
    },
    get now() {
      return now;
    },
    /** The only effect of this type that the last event listed. */
    effect<T extends CheckoutEffect["type"]>(type: T): Extract<CheckoutEffect, { type: T }> | undefined {
      const found = effects.filter((each) => each.type === type);
      expect(found.length).toBeLessThanOrEqual(1);
      return found[0] as Extract<CheckoutEffect, { type: T }> | undefined;
    },
    wait(milliseconds: number) {
      now += milliseconds;
      return walk;
    },
    /** The pause is over: the lock is requested. */
    pause: () => walk.send({ type: "pause.ended", now }),
    /** The server locks the cart of the page at its prices, or at others. */
    lock(change: { coins?: Record<number, [number, number]>; deliveryPrice?: number; quoteId?: string } = {}) {
      const id = state.lock.running?.id ?? -1;
      return walk.send({ type: "lock.received", id, quote: aQuote(state, change), now });
    },
    submit: () => walk.send({ type: "order.submitted", now }),
    accept: () => walk.send({ type: "prices.accepted", questionId: state.lock.question?.id ?? -1 }),
    refuse: (refusal: ApiRefusal) => walk.send({ type: "order.refused", refusal: refusal as OrderRefusal, now }),
  };
  return walk.send({ type: "page.opened", stored });
}
type Walk = ReturnType<typeof play>;

function aQuote(
  state: CheckoutState,
  { coins, deliveryPrice = 0, quoteId = "q1" }: { coins?: Record<number, [number, number]>; deliveryPrice?: number; quoteId?: string },
): QuoteView {
  const pieces = coins ?? Object.fromEntries(state.view.cart.lines.map((line) => [line.id, [line.quantity, (line.price ?? zero) / 100]]));
  const items = Object.entries(pieces).map(([id, [count, price]]) => ({
    id: Number(id),
    title: `Монета ${id}`,
    count,
    price,
    sum: price * count,
  }));
  return {
    quoteId,
    expiresAt: "2026-11-22T09:10:00Z",
    items,
    delivery: { id: state.draft.choice.deliveryId, price: deliveryPrice },
    total: items.reduce((sum, each) => sum + each.sum, deliveryPrice),
  };
}

const filledIn: CheckoutEvent[] = [
  { type: "contacts.changed", patch: { name: "Пётр", lastName: "Ильин", email: "p@example.ru", phone: "+7 (916) 101-74-71" } },
  { type: "contacts.confirmed" },
  { type: "delivery.chosen", deliveryId: 35 },
  { type: "delivery.confirmed" },
  { type: "agreement.changed", patch: { terms: true, privacy: true } },
];
/** Everything is filled in, the coins are fetched at the office, paid by card. */
const ready = (view?: CheckoutView): Walk => play(view).send(...filledIn);
const locked = (view?: CheckoutView): Walk => ready(view).pause().lock();
/** The call for the order is on its way. */
const sent = (view?: CheckoutView): Walk => locked(view).submit().send({ type: "key.created", key: "key-1" });

describe("the page opens", () => {
  test("before the draft is restored the state equals the server's, and nothing is requested", () => {
    expect(initialState(aView())).toMatchObject({ isRestored: false, draft: { choice: { deliveryId: 77 }, quote: null } });
  });
  test("the draft of this tab is restored and stored again, and its lists are loaded", () => {
    const stored = ready().state.draft;
    const walk = play(aView(), { ...stored, choice: { ...stored.choice, deliveryId: 76, type: "carrier" }, point: tverskaya });
    expect(walk.state.draft).toMatchObject({ user: { name: "Пётр" }, point: tverskaya });
    expect(walk.effect("storeDraft")?.draft).toBe(walk.state.draft);
    expect(walk.effect("loadPoints")).toMatchObject({ cityCode: moscow.code, deliveryId: 76 });
  });
  test("a restored lock that is still valid is used: no other one is requested", () => {
    const walk = play(aView(), locked().state.draft);
    expect(walk.facts.locked?.id).toBe("q1");
    expect(walk.pause().effect("requestLock")).toBeUndefined();
  });
  test("values from the profile of an account are not shown after signing out", () => {
    const stored = play(aView({ 1: [1, 1000] }, { buyer: anna })).state.draft;
    expect(stored.account).toBe(anna.user.phone);
    expect(play(aView(), stored).state.draft.user.name).toBe("");
    expect(play(aView({ 1: [1, 1000] }, { buyer: anna }), stored).state.draft.user.name).toBe("Анна");
  });
  test("after a reload the page repeats the calls that were running", () => {
    const walk = play().send({ type: "delivery.chosen", deliveryId: 35 }).pause();
    expect(walk.state.lock.running).not.toBeNull();
    walk.send({ type: "page.opened", stored: walk.state.draft });
    expect(walk.state.lock.running).toBeNull();
    expect(walk.effect("startPause")).toBeDefined();
  });
});

describe("the buyer fills in the form", () => {
  test("a changed contact is stored, and only its own error is removed", () => {
    const walk = play().submit();
    expect(Object.keys(walk.state.errors)).toEqual(expect.arrayContaining(["name", "phone", "terms"]));
    walk.send({ type: "contacts.changed", patch: { name: "Пётр" } });
    expect(walk.state.draft.user.name).toBe("Пётр");
    expect(walk.state.errors).not.toHaveProperty("name");
    expect(walk.state.errors).toHaveProperty("phone");
    expect(walk.effect("storeDraft")?.draft.user.name).toBe("Пётр");
  });
  test("a confirmed step is collapsed and can be opened again", () => {
    const walk = play().send({ type: "contacts.confirmed" });
    expect(walk.state.draft.closed.contacts).toBe(true);
    expect(walk.send({ type: "contacts.reopened" }).state.draft.closed.contacts).toBe(false);
  });
  test("a chosen point is stored and its error removed; it is kept only with the same kind of points", () => {
    const walk = play().send({ type: "delivery.chosen", deliveryId: 76 }).submit();
    expect(walk.state.errors).toHaveProperty("pvzId");
    walk.send({ type: "point.chosen", point: tverskaya });
    expect(walk.state.draft.point).toEqual(tverskaya);
    expect(walk.state.errors).not.toHaveProperty("pvzId");
    expect(walk.send({ type: "delivery.chosen", deliveryId: 77 }).state.draft.point).toBeNull();
  });
  test("another city removes the point and loads the ways of delivery; the same city removes nothing", () => {
    const walk = play().send({ type: "delivery.chosen", deliveryId: 76 }, { type: "point.chosen", point: tverskaya });
    expect(walk.send({ type: "city.chosen", city: moscow }).state.draft.point).toEqual(tverskaya);
    walk.send({ type: "city.chosen", city: kazan });
    expect(walk.state.draft.point).toBeNull();
    expect(walk.facts.deliveries.state).toBe("loading");
    expect(walk.effect("loadDeliveries")).toMatchObject({ slot: "deliveries", cityCode: kazan.code });
  });
  test("an address stays in its city: another city has an empty one, and the first shows it again", () => {
    const walk = play().send(
      { type: "delivery.chosen", deliveryId: 75 },
      { type: "address.changed", patch: { street: "Арбат", house: "1" } },
    );
    walk.send({ type: "city.chosen", city: kazan });
    expect(walk.state.draft.address).toEqual(emptyAddress);
    walk.send({ type: "address.changed", patch: { street: "Баумана" } }, { type: "city.chosen", city: moscow });
    expect(walk.state.draft.address).toMatchObject({ street: "Арбат", house: "1" });
    expect(walk.send({ type: "city.chosen", city: kazan }).state.draft.address.street).toBe("Баумана");
  });
  test("the choice follows what the new city offers", () => {
    const walk = play().send({ type: "delivery.chosen", deliveryId: 75 }, { type: "city.chosen", city: kazan });
    const { key = "" } = walk.effect("loadDeliveries") ?? {};
    walk.send({ type: "deliveries.received", slot: "deliveries", key, groups: paidGroups });
    expect(walk.state.draft.choice).toMatchObject({ deliveryId: 45, isCourier: true, isFree: false });
    expect(walk.facts.deliveryPrice).toBe(fromRoubles(500));
  });
  test("a failed list of ways is shown as failed and loaded again on request; an answer for another city is ignored", () => {
    const walk = play().send({ type: "city.chosen", city: kazan });
    const { key = "" } = walk.effect("loadDeliveries") ?? {};
    walk.send({ type: "deliveries.received", slot: "deliveries", key, groups: null });
    expect(walk.facts.deliveries.state).toBe("failed");
    expect(walk.send({ type: "deliveries.retried" }).effect("loadDeliveries")?.cityCode).toBe(kazan.code);
    walk.send({ type: "city.chosen", city: moscow });
    expect(walk.effect("stopLoading")?.what).toBe("deliveries");
    walk.send({ type: "deliveries.received", slot: "deliveries", key, groups: paidGroups });
    expect(walk.facts.deliveries).toMatchObject({ state: "ready", groups });
  });
  test("a failed list of points is loaded again on request; a chosen point that is not in the list is removed", () => {
    const walk = play().send({ type: "delivery.chosen", deliveryId: 76 });
    const { key = "" } = walk.effect("loadPoints") ?? {};
    walk.send({ type: "point.chosen", point: { ...tverskaya, id: "GONE" } }, { type: "points.received", key, list: null });
    expect(walk.facts.points.state).toBe("failed");
    expect(walk.send({ type: "points.retried" }).effect("loadPoints")?.key).toBe(key);
    walk.send({ type: "points.received", key, list: [aPoint] });
    expect(walk.state.draft.point).toBeNull();
    walk.send({ type: "point.chosen", point: tverskaya });
    expect(walk.state.draft.point).toEqual(tverskaya);
  });
  test("a courier needs no list of points", () => {
    const walk = play().send({ type: "delivery.chosen", deliveryId: 75 });
    expect(walk.facts.points.state).toBe("none");
    expect(walk.effect("stopLoading")?.what).toBe("points");
    walk.send({ type: "address.changed", patch: { street: "Баумана" } });
    expect(walk.state.draft.address.street).toBe("Баумана");
  });
  test("the newsletter is subscribed only if its box is ticked", () => {
    const walk = locked().submit();
    expect(walk.state.placing?.body).not.toHaveProperty("newsletter");
    expect(locked().send({ type: "newsletter.changed", isWanted: true }).submit().state.placing?.body).toMatchObject({ newsletter: true });
  });
  test("a payment method that cannot take the sum is replaced by one that can", () => {
    const walk = ready(aView({ 1: [1, 400_000] }));
    expect(walk.state.draft.choice.paymentId).toBe(5);
    expect(walk.send({ type: "payment.chosen", paymentId: 6 }).state.draft.choice.paymentId).toBe(6);
  });
});

describe("a confirmed delivery is changed", () => {
  test("the new choice has effect only when it is confirmed; its list of ways is kept", () => {
    const walk = ready().send({ type: "delivery.reopened" }, { type: "city.chosen", city: kazan });
    const load = walk.effect("loadDeliveries");
    expect(load).toMatchObject({ slot: "newDeliveries", cityCode: kazan.code });
    expect(walk.state.draft.city).toBe(moscow);
    expect(walk.submit().state.errors).toHaveProperty("delivery");
    walk.send(
      { type: "deliveries.received", slot: "newDeliveries", key: load?.key ?? "", groups: paidGroups },
      { type: "delivery.chosen", deliveryId: 45 },
      { type: "delivery.confirmed" },
    );
    expect(walk.state.draft).toMatchObject({ city: kazan, choice: { deliveryId: 45 }, anew: null, closed: { delivery: true } });
    expect(walk.facts.counting.state).toBe("ready");
    expect(walk.effect("loadDeliveries")).toBeUndefined();
  });
  test("cancelling the change keeps the old choice, and the server stores the old city again", () => {
    const walk = ready().send({ type: "delivery.reopened" }, { type: "city.chosen", city: kazan });
    const before = walk.state.draft.choice;
    walk.send({ type: "delivery.cancelled" });
    expect(walk.state.draft).toMatchObject({ city: moscow, choice: before, anew: null });
    expect(walk.effect("storeCity")?.cityCode).toBe(moscow.code);
    expect(walk.effect("stopLoading")?.what).toBe("newDeliveries");
  });
});

describe("a confirmed courier is sent to another city", () => {
  const confirmed = () =>
    play().send(
      { type: "delivery.chosen", deliveryId: 75 },
      { type: "address.changed", patch: { street: "Арбат", house: "1" } },
      { type: "delivery.confirmed" },
      { type: "delivery.reopened" },
      { type: "city.chosen", city: kazan },
      { type: "address.changed", patch: { street: "Баумана", house: "7" } },
    );
  test("confirmed, the order goes to the address in the new city", () => {
    const { draft } = confirmed().send({ type: "delivery.confirmed" }).state;
    expect(draft).toMatchObject({ city: kazan, address: { street: "Баумана", house: "7" } });
  });
  test("cancelled, it goes to the old address; the new one is kept for its city", () => {
    const walk = confirmed().send({ type: "delivery.cancelled" });
    expect(walk.state.draft).toMatchObject({ city: moscow, address: { street: "Арбат", house: "1" } });
    walk.send({ type: "delivery.reopened" }, { type: "city.chosen", city: kazan });
    expect(walk.facts.current.address).toMatchObject({ street: "Баумана", house: "7" });
    expect(walk.send({ type: "city.chosen", city: moscow }).facts.current.address.street).toBe("Арбат");
  });
});

describe("prices are locked", () => {
  test("no price is locked before the destination is chosen", () => {
    const walk = play().send({ type: "delivery.chosen", deliveryId: 76 });
    expect(walk.state.lock.pauseFor).toBeNull();
    expect(walk.pause().effect("requestLock")).toBeUndefined();
    expect(walk.send({ type: "point.chosen", point: tverskaya }).effect("startPause")).toBeDefined();
    expect(walk.pause().effect("requestLock")?.body).toEqual({
      deliveryId: 76,
      pvzId: "MSK101",
      city: moscow.code,
      paymentId: 4,
    });
  });
  test("a lock is shown with its end, and a timer is started for it", () => {
    const walk = locked();
    expect(walk.facts.locked).toMatchObject({ id: "q1", endsAt: walk.now + 10 * minute });
    expect(walk.effect("watchLockEnd")?.endsAt).toBe(walk.now + 10 * minute);
    expect(walk.facts.isLocking).toBe(false);
  });
  test("one call at a time: the newest choice waits for the answer, which is ignored", () => {
    const walk = ready().pause();
    const first = walk.state.lock.running?.id ?? 0;
    walk.send({ type: "payment.chosen", paymentId: 5 }).pause();
    expect(walk.effect("requestLock")).toBeUndefined();
    expect(walk.facts.isLocking).toBe(true);
    walk.send({ type: "lock.received", id: first, quote: aQuote(walk.state, { quoteId: "old" }), now: walk.now });
    expect(walk.state.draft.quote).toBeNull();
    expect(walk.effect("requestLock")?.body.paymentId).toBe(5);
    expect(walk.lock({ quoteId: "new" }).facts.locked?.id).toBe("new");
  });
  test("an answer for an earlier choice, or a repeated answer, changes nothing", () => {
    const walk = ready().pause();
    const id = walk.state.lock.running?.id ?? 0;
    walk.send({ type: "payment.chosen", paymentId: 5 });
    walk.send({ type: "lock.received", id, quote: aQuote(walk.state, {}), now: walk.now });
    expect(walk.state.draft.quote).toBeNull();
    walk
      .pause()
      .lock({ quoteId: "new" })
      .send({ type: "lock.received", id, quote: aQuote(walk.state, {}), now: walk.now });
    expect(walk.facts.locked?.id).toBe("new");
  });
  test("new prices after the buyer's own choice are shown beside the lock, without a question", () => {
    const walk = locked()
      .send({ type: "payment.chosen", paymentId: 5 })
      .pause()
      .lock({ coins: { 1: [1, 1100] } });
    expect(walk.state.lock.movedFrom?.total).toBe(fromRoubles(1000));
    expect(walk.effect("openPriceDialog")).toBeUndefined();
    expect(walk.facts.total).toBe(fromRoubles(1100));
  });
});

describe("the lock expires", () => {
  const expired = (): Walk => {
    const walk = locked();
    return walk.wait(11 * minute).send({ type: "lock.expired" });
  };
  test("current prices are locked; unchanged prices need no question", () => {
    const walk = expired();
    expect(walk.effect("startPause")).toBeDefined();
    expect(walk.pause().effect("requestLock")).toBeDefined();
    walk.lock({ quoteId: "q2" });
    expect(walk.effect("openPriceDialog")).toBeUndefined();
    expect(walk.facts.locked?.id).toBe("q2");
  });
  test("changed prices open a dialog; if it is closed without an answer, the button opens it again before it orders", () => {
    const walk = expired()
      .pause()
      .lock({ coins: { 1: [1, 1100] }, quoteId: "q2" });
    expect(walk.effect("openPriceDialog")).toMatchObject({
      before: { total: fromRoubles(1000) },
      after: { total: fromRoubles(1100) },
      isAwaited: false,
    });
    walk.submit();
    expect(walk.effect("openPriceDialog")).toMatchObject({ before: { total: fromRoubles(1000) }, isAwaited: true });
    expect(walk.state.placing).toBeNull();
    walk.accept();
    expect(walk.state.placing?.body.quoteId).toBe("q2");
    expect(walk.state.lock.question).toBeNull();
  });
  test("accepting prices without having pressed the button orders nothing", () => {
    const walk = expired()
      .pause()
      .lock({ coins: { 1: [1, 1100] } })
      .accept();
    expect(walk.state.lock.question).toBeNull();
    expect(walk.state.placing).toBeNull();
    expect(walk.submit().state.placing).not.toBeNull();
  });
  test("prices that change again while the dialog is open open it again; the old answer is ignored", () => {
    const walk = expired()
      .pause()
      .lock({ coins: { 1: [1, 1100] } });
    const old = walk.state.lock.question?.id ?? 0;
    walk
      .wait(11 * minute)
      .send({ type: "lock.expired" })
      .pause()
      .lock({ coins: { 1: [1, 1200] } });
    expect(walk.effect("openPriceDialog")).toMatchObject({ before: { total: fromRoubles(1000) }, after: { total: fromRoubles(1200) } });
    expect(walk.send({ type: "prices.accepted", questionId: old }).state.lock.question).not.toBeNull();
    expect(walk.accept().state.lock.question).toBeNull();
  });
  test("the button pressed with an expired lock locks first, and orders by itself if the total is the one shown", () => {
    const walk = locked().wait(11 * minute);
    walk.submit();
    expect(walk.state.placing).toBeNull();
    expect(walk.effect("requestLock")).toBeDefined();
    expect(walk.lock({ quoteId: "q2" }).state.placing?.body.quoteId).toBe("q2");
    const moved = locked().wait(11 * minute);
    moved.submit().lock({ coins: { 1: [1, 1100] } });
    expect(moved.effect("openPriceDialog")).toBeDefined();
    expect(moved.state.placing).toBeNull();
    expect(moved.accept().state.placing).not.toBeNull();
  });
  test("a field that was emptied while the lock was requested is reported before the order is placed", () => {
    const walk = ready().submit();
    walk.send({ type: "contacts.changed", patch: { name: "" } }).lock();
    expect(walk.state.placing).toBeNull();
    expect(walk.state.errors).toHaveProperty("name");
  });
});

describe("a lock is refused", () => {
  const refused = (code: ApiRefusal["code"], change: Partial<ApiRefusal> = {}, walk = ready().pause()): Walk =>
    walk.send({
      type: "lock.refused",
      id: walk.state.lock.running?.id ?? -1,
      refusal: aRefusal(code, change) as LockRefusal,
      now: walk.now,
    });

  test("the page shows the reason beside the prices, and requests nothing by itself", () => {
    const walk = refused("market.closed");
    expect(walk.state.lock.problem?.code).toBe("market.closed");
    expect(walk.effects).toEqual([]);
    expect(walk.send({ type: "lock.requested" }).effect("requestLock")).toBeDefined();
  });
  test("after a press of the button the reason is shown in a dialog", () => {
    const walk = refused("market.closed", {}, ready().submit());
    expect(walk.effect("openRefusalDialog")?.text.title).toBe("Заказ пока не оформлен");
  });
  test("when the market opens again or its rates change, the lock is requested again", () => {
    const walk = refused("market.closed");
    const view = aView();
    walk.send({ type: "page.reloaded", view: { ...view, cart: { ...view.cart, pricedAt: "2026-11-22T09:05:00Z" } } });
    expect(walk.effect("startPause")).toBeDefined();
    expect(walk.pause().lock().state.lock.problem).toBeNull();
  });
  test("while quotes are late the lock is requested every fifteen seconds: they may come back unchanged", () => {
    const walk = refused("rates.stale");
    const retryAt = walk.effect("watchLockEnd")?.endsAt;
    expect(retryAt).toBe(walk.now + 15_000);
    walk.wait(15_000).send({ type: "lock.expired" });
    expect(walk.effect("startPause")).toBeDefined();
    expect(walk.effect("watchLockEnd")).toBeUndefined();
    refused("rates.stale", {}, walk.pause());
    expect(walk.effect("watchLockEnd")?.endsAt).toBe(walk.now + 15_000);
    walk.wait(15_000).send({ type: "lock.expired" }).pause().lock();
    expect(walk.state.lock).toMatchObject({ problem: null, retryAt: null });
    expect(walk.effect("watchLockEnd")?.endsAt).toBe(walk.facts.locked?.endsAt);
    expect(refused("market.closed").effect("watchLockEnd")).toBeUndefined();
  });
  test("without a refusal, changed rates do not change the lock", () => {
    const walk = locked();
    const view = aView();
    walk.send({ type: "page.reloaded", view: { ...view, cart: { ...view.cart, pricedAt: "2026-11-22T09:05:00Z" } } });
    expect(walk.effect("startPause")).toBeUndefined();
    expect(walk.facts.locked?.id).toBe("q1");
  });
  test("missing stock is named with what is left; accepting the rest opens no second dialog", () => {
    const walk = refused("cart.stock_short", { data: { short: [{ id: 1, available: 1 }] } }, ready(aView({ 1: [3, 1000] })).pause());
    expect(walk.effect("openShortageDialog")).toMatchObject({ short: [{ id: 1, available: 1, title: "Монета 1" }], hasRest: true });
    walk.send({ type: "remainder.accepted" }, { type: "page.reloaded", view: aView({ 1: [1, 1000] }) });
    walk.pause().lock();
    expect(walk.effect("openPriceDialog")).toBeUndefined();
    expect(walk.submit().state.placing).not.toBeNull();
  });
  test("the same shortage opens its dialog again only after a press, not with each change of the rates", () => {
    const data = { short: [{ id: 1, available: 0 }] };
    const walk = refused("cart.stock_short", { data }, ready(aView({ 1: [1, 1000], 2: [1, 50] })).pause());
    expect(walk.effect("openShortageDialog")?.hasRest).toBe(true);
    const view = aView({ 1: [1, 1000], 2: [1, 50] });
    walk.send({ type: "page.reloaded", view: { ...view, cart: { ...view.cart, pricedAt: "2026-11-22T09:05:00Z" } } }).pause();
    expect(refused("cart.stock_short", { data }, walk).effect("openShortageDialog")).toBeUndefined();
    expect(walk.state.lock.problem?.code).toBe("cart.stock_short");
    expect(refused("cart.stock_short", { data }, walk.send({ type: "lock.requested" })).effect("openShortageDialog")).toBeDefined();
    expect(refused("cart.stock_short", { data }, walk.submit()).effect("openShortageDialog")).toBeDefined();
    const other = { short: [...data.short, { id: 2, available: 0 }] };
    walk.send({ type: "page.reloaded", view: { ...view, cart: { ...view.cart, pricedAt: "2026-11-22T09:06:00Z" } } }).pause();
    expect(refused("cart.stock_short", { data: other }, walk).effect("openShortageDialog")?.hasRest).toBe(false);
  });
  test("a cart that has become empty reloads the page", () => {
    expect(refused("cart.empty").effect("reloadPage")).toBeDefined();
  });
});

describe("the cart is changed in another tab", () => {
  test("a lock with other coins opens a dialog before they are ordered, and the page reloads behind it", () => {
    const walk = locked().send({ type: "payment.chosen", paymentId: 5 }).pause();
    walk.lock({ coins: { 1: [1, 1000], 2: [1, 500] }, quoteId: "q2" });
    expect(walk.effect("openPriceDialog")).toMatchObject({ before: { total: fromRoubles(1000) }, after: { total: fromRoubles(1500) } });
    expect(walk.effect("reloadPage")).toBeDefined();
    const questionId = walk.state.lock.question?.id;

    // The page shows the new cart, which needs a lock of its own: the same offer opens no second dialog.
    walk
      .send({ type: "page.reloaded", view: aView({ 1: [1, 1000], 2: [1, 500] }) })
      .pause()
      .lock({ quoteId: "q3" });
    expect(walk.effect("openPriceDialog")).toBeUndefined();
    expect(walk.state.lock.question?.id).toBe(questionId);
    walk.accept();
    expect(walk.submit().state.placing?.body.quoteId).toBe("q3");
  });
  test("accepting them after the button was pressed orders the new coins", () => {
    const walk = ready().submit();
    walk.lock({ coins: { 1: [2, 1000] }, quoteId: "q2" });
    expect(walk.state.placing).toBeNull();
    walk
      .send({ type: "page.reloaded", view: aView({ 1: [2, 1000] }) })
      .pause()
      .lock({ quoteId: "q3" })
      .accept();
    expect(walk.state.placing?.body.quoteId).toBe("q3");
  });
  test("if the page reloads first, the dialog is opened too", () => {
    const walk = locked()
      .send({ type: "page.reloaded", view: aView({ 1: [2, 1000] }) })
      .pause()
      .lock({ quoteId: "q2" });
    expect(walk.effect("openPriceDialog")).toBeDefined();
    expect(walk.effect("reloadPage")).toBeUndefined();
    walk.submit();
    expect(walk.effect("openPriceDialog")?.isAwaited).toBe(true);
    expect(walk.state.placing).toBeNull();
  });
});

describe("the order is placed", () => {
  test("a missing field opens its step, the summary gets the focus, and nothing is sent", () => {
    const walk = play().send({ type: "contacts.confirmed" }).submit();
    expect(walk.state).toMatchObject({ refusals: 1, placing: null, draft: { closed: { contacts: false } } });
  });
  test("a key is created and stored before the call is sent; a second press sends nothing", () => {
    const walk = locked().submit();
    expect(walk.effect("createKey")).toBeDefined();
    expect(walk.effect("sendOrder")).toBeUndefined();
    walk.send({ type: "key.created", key: "key-1" });
    expect(walk.effect("sendOrder")).toMatchObject({ key: "key-1", body: { quoteId: "q1", user: { phone: "+79161017471" } } });
    expect(walk.effect("storeDraft")?.draft.attempt?.key).toBe("key-1");
    expect(walk.submit().effects).toEqual([]);
  });
  test("without an answer the dialog does not claim that nothing was ordered", () => {
    const lost = sent().refuse(aRefusal("network.failed", { status: 0 }));
    expect(lost.effect("openRefusalDialog")?.text).toMatchObject({
      title: "Магазин пока не ответил",
      message: expect.stringContaining("второго заказа не будет"),
    });
    expect(sent().refuse(aRefusal("order.reserve_limit")).effect("openRefusalDialog")?.text.title).toBe("Заказ пока не оформлен");
  });
  test("a lost answer: the same order is sent again with the same key, after a reload too", () => {
    const walk = sent().refuse(aRefusal("network.failed", { status: 0 }));
    expect(walk.effect("openRefusalDialog")?.text.message).toContain("второго заказа не будет");
    expect(walk.submit().effect("sendOrder")?.key).toBe("key-1");
    const reloaded = play(aView(), walk.state.draft).submit();
    expect(reloaded.effect("sendOrder")?.key).toBe("key-1");
  });
  test("another order gets another key", () => {
    const walk = sent().refuse(aRefusal("network.failed", { status: 0 }));
    walk.send({ type: "contacts.changed", patch: { name: "Павел" } }).submit();
    expect(walk.effect("createKey")).toBeDefined();
  });
  test("a call that is still running is repeated with its key, a few times", () => {
    const running = aRefusal("order.in_progress", { retryAfter: 2 });
    const walk = sent();
    for (let time = 0; time < 5; time += 1) {
      expect(walk.refuse(running).effect("sendOrder")).toMatchObject({ key: "key-1", delaySeconds: 2 });
      expect(walk.state.placing).not.toBeNull();
    }
    expect(walk.refuse(running).effect("openRefusalDialog")).toBeDefined();
    expect(walk.state.placing).toBeNull();
  });
  test("payment at the office is confirmed in a dialog first", () => {
    const walk = ready().send({ type: "payment.chosen", paymentId: 7 }).pause().lock().submit();
    expect(walk.effect("openCollectionDialog")?.total).toBe(fromRoubles(1000));
    expect(walk.state.placing).toBeNull();
    expect(walk.send({ type: "collection.confirmed", now: walk.now }).state.placing).not.toBeNull();
  });
  test("prices that change while that dialog is open have to be accepted before the order", () => {
    const walk = ready().send({ type: "payment.chosen", paymentId: 7 }).pause().lock().submit();
    walk
      .wait(11 * minute)
      .send({ type: "lock.expired" })
      .pause()
      .lock({ coins: { 1: [1, 1100] } });
    walk.send({ type: "collection.confirmed", now: walk.now });
    expect(walk.state.placing).toBeNull();
    expect(walk.effect("openPriceDialog")?.isAwaited).toBe(true);
    expect(walk.accept().state.placing).not.toBeNull();
  });
});

describe("the order is refused", () => {
  test("changed prices: the new lock is shown in a dialog, and accepting it orders at once", () => {
    const walk = sent();
    walk.refuse(aRefusal("order.prices_changed", { data: aQuote(walk.state, { coins: { 1: [1, 1100] }, quoteId: "q2" }) }));
    expect(walk.effect("openPriceDialog")).toMatchObject({ before: { total: fromRoubles(1000) }, after: { total: fromRoubles(1100) } });
    expect(walk.state).toMatchObject({ placing: null, draft: { attempt: null, quote: { id: "q2" } } });
    expect(walk.accept().state.placing?.body.quoteId).toBe("q2");
  });
  test("missing stock: the lock is removed and what is left is offered", () => {
    const walk = sent().refuse(aRefusal("order.stock_short", { data: { short: [{ id: 1, available: 0 }] } }));
    expect(walk.effect("openShortageDialog")).toMatchObject({ short: [{ id: 1, available: 0, title: "Монета 1" }], hasRest: false });
    expect(walk.state.lock.problem?.code).toBe("order.stock_short"); // stays beside the prices when the dialog is closed
    expect(walk.facts.locked).toBeNull();
    expect(walk.effect("startPause")).toBeUndefined(); // the choice is the same: a lock comes with the changed cart or the button
  });
  test("a closed market, or a payment method that no longer fits: the lock is removed and the page shows the reason", () => {
    for (const code of ["market.closed", "rates.stale", "payment.over_limit", "payment.not_allowed"] as const) {
      const walk = sent().refuse(aRefusal(code));
      expect(walk.state.lock.problem?.code).toBe(code);
      expect(walk.facts.locked).toBeNull();
      expect(walk.effect("openRefusalDialog")).toBeDefined();
    }
  });
  test("a used quote, or an empty cart: cart and page are reloaded before the dialog opens", () => {
    for (const code of ["quote.used", "cart.empty"] as const)
      expect(sent().refuse(aRefusal(code)).effect("openRefusalDialog")?.isCartOutdated).toBe(true);
    expect(
      sent()
        .refuse(aRefusal("quote.used", { data: { orderId: "o9" } }))
        .effect("openRefusalDialog")?.text,
    ).toMatchObject({
      title: "Заказ уже оформлен",
      way: { href: "/my/orders/o9" },
    });
  });
  test("an unknown quote or a used key: the lock is removed, and the next press locks again", () => {
    for (const code of ["quote.not_found", "order.key_reused"] as const) {
      const walk = sent().refuse(aRefusal(code));
      expect(walk.state.draft).toMatchObject({ quote: null, attempt: null });
      expect(walk.effect("openRefusalDialog")?.isSessionInDoubt).toBe(code === "quote.not_found");
      expect(walk.submit().effect("requestLock")).toBeDefined();
    }
  });
  test("a phone that must be confirmed: a guest gets the sign-in, a signed-in buyer a message with the phone", () => {
    const guest = sent().refuse(aRefusal("order.phone_unconfirmed"));
    expect(guest.effect("openRefusalDialog")?.text.phoneToConfirm).toBe("+7 (916) 101-74-71");
    expect(guest.state.errors.phone).toBe("Так нельзя");
    const buyer = sent(aView({ 1: [1, 1000] }, { buyer: anna })).refuse(aRefusal("order.phone_unconfirmed"));
    expect(buyer.effect("openRefusalDialog")).toBeUndefined();
    expect(buyer.state.errors.phone).toContain("с которым вы вошли");
  });
  test("fields that the server refuses are shown at the fields, anything else in a dialog", () => {
    const walk = sent().refuse(aRefusal("request.invalid", { fields: { email: "Нет такого адреса" } }));
    expect(walk.state).toMatchObject({ errors: { email: "Нет такого адреса" }, refusals: 1, draft: { closed: { contacts: false } } });
    expect(walk.effect("openRefusalDialog")).toBeUndefined();
    expect(sent().refuse(aRefusal("order.too_many_unpaid")).effect("openRefusalDialog")?.text.way?.href).toBe("/my/orders");
  });
  test("a refusal without an order on its way changes nothing", () => {
    const walk = locked();
    const before = walk.state;
    expect(walk.refuse(aRefusal("market.closed")).state).toBe(before);
  });
});

describe("the order is received", () => {
  const receive = (order: OrderView, isPaidOnPhone = false): Walk => sent().send({ type: "order.received", order, isPaidOnPhone });

  test("the draft is cleared and not stored again, calls for locks and lists end, and the provider's page opens", () => {
    const walk = receive(anOrder({ confirmationUrl: "https://pay.example/1" }));
    expect(walk.effects.map((each) => each.type)).toEqual(["clearDraft", "reloadShopState", "leave", "stopPause", "watchLockEnd"]);
    expect(walk.effect("leave")).toEqual({ type: "leave", to: "https://pay.example/1", isProvider: true });
    expect(walk.state).toMatchObject({ placing: null, placed: { number: 17, toPay: null } });
    expect(walk.send({ type: "contacts.changed", patch: { name: "Х" } }).effect("storeDraft")).toBeUndefined();
    expect(walk.pause().effects).toEqual([]);
    expect(walk.submit().effects).toEqual([]);
  });
  test("a payment by phone continues in a dialog, which can be opened again", () => {
    const walk = receive(anOrder({ id: 5, confirmationUrl: "https://pay.example/1", payUntil: "2026-11-22T10:00:00Z" }), true);
    expect(walk.effect("openPaymentDialog")?.placed).toMatchObject({ pageUrl: "https://pay.example/1", orderKey: "k" });
    expect(walk.state.placed?.toPay).toEqual({ paymentId: 5, until: "2026-11-22T10:00:00Z" });
    expect(walk.send({ type: "payment.reopened" }).effect("openPaymentDialog")).toBeDefined();
  });
  test("when the provider does not answer, the order exists and its payment can be tried again", () => {
    expect(receive(anOrder()).effect("openPaymentDialog")?.placed.pageUrl).toBeNull();
  });
  test("an order by invoice opens its page", () => {
    const walk = receive(anOrder({ id: 6 }));
    expect(walk.effect("leave")).toEqual({ type: "leave", to: "/thanks?order=o1&key=k", isProvider: false });
    expect(walk.send({ type: "payment.reopened" }).effects).toEqual([]);
  });
});

describe("the session", () => {
  test("signing in fills in a name only if all its fields are empty", () => {
    const signedIn = aView({ 1: [1, 1000] }, { buyer: anna });
    expect(play().send({ type: "page.reloaded", view: signedIn }).state.draft.user).toMatchObject({ name: "Анна", lastName: "Воронцова" });
    const typed = play()
      .send({ type: "contacts.changed", patch: { name: "Пётр" } })
      .send({ type: "page.reloaded", view: signedIn });
    expect(typed.state.draft.user).toMatchObject({ name: "Пётр", lastName: "", email: "anna@example.ru" });
    expect(recipientOf(typed.state.draft.user)).toBe("");
    typed.send({ type: "contacts.changed", patch: { lastName: " Ильин" } });
    expect(recipientOf(typed.state.draft.user)).toBe("Ильин Пётр");
  });
  test("the same profile read again does not fill in fields that were emptied", () => {
    const signedIn = aView({ 1: [1, 1000] }, { buyer: anna });
    const walk = play(signedIn).send({ type: "contacts.changed", patch: { email: "" } });
    walk.send({ type: "page.reloaded", view: aView({ 1: [1, 1000] }, { buyer: { ...anna } }) });
    expect(walk.state.draft.user.email).toBe("");
    walk.send({ type: "page.reloaded", view: aView({ 1: [1, 1000] }, { buyer: { ...anna, isSubscribed: true } }) });
    expect(walk.state.draft.user.email).toBe("anna@example.ru");
  });
  test("signing out elsewhere deletes the entries and leaves the page", () => {
    const walk = locked(aView({ 1: [1, 1000] }, { buyer: anna })).send({ type: "session.ended" });
    expect(walk.effects.map((each) => each.type)).toEqual(["clearDraft", "leave", "stopPause", "watchLockEnd"]);
    expect(walk.send({ type: "contacts.changed", patch: { name: "Х" } }).effects).toEqual([]);
  });
});
