import type * as z from "zod";
import * as contract from "#contract/staff/customers/customers.ts";
import { csvParts } from "#kit/documents/csv.ts";
import { maskEmail, maskPhone } from "#kit/text/mask.ts";
import { toRoubles } from "#kit/money.ts";
import { isoMoscow, moscow } from "#kit/moscow-time.ts";
import { done, fail, type Result } from "#kit/result.ts";
import * as account from "#shop/account/service.ts";
import * as alerts from "#shop/alerts/service.ts";
import type { AlertView } from "#shop/alerts/alert.ts";
import * as auth from "#shop/auth/service.ts";
import type { Ctx } from "#shop/context.ts";
import { pageOfPurpose } from "#shop/customers/consent-pages.ts";
import { cityOf } from "#shop/customers/buy-profile.ts";
import { fullNameOf, type Customer } from "#shop/customers/customer.ts";
import * as customers from "#shop/customers/service.ts";
import type { ListedCustomer } from "#shop/customers/staff/customer-list.ts";
import * as customerList from "#shop/customers/staff/customer-list.service.ts";
import { isOverdue, type PrivacyRequest } from "#shop/customers/staff/privacy-request.ts";
import * as privacy from "#shop/customers/staff/privacy-requests.service.ts";
import type { ListedSubscriber } from "#shop/newsletter/newsletter.ts";
import * as newsletter from "#shop/newsletter/service.ts";
import { piecesOf, type Order } from "#shop/orders/order.ts";
import * as orders from "#shop/orders/service.ts";
import type { Named } from "#shop/staff/people/colleagues.service.ts";
import { exportView } from "../../views.ts";
import { staffChange, staffRead, type StaffEndpoint, type StaffRefusal } from "../endpoint.ts";
import { namedIn, nameOrNull } from "../names.ts";
import { isoOrNull, type May } from "../views.ts";

/** Customers, exports and erasure of their data, and the register of requests about personal data. */
export const customerEndpoints: readonly StaffEndpoint[] = [
  staffRead(contract.findCustomers, async (ctx, { query: { text, cursor } }) => {
    const found = await customerList.find(ctx, text, customerCursor(cursor));
    return done({ items: found.items.map(rowView), next: found.next && `${found.next.createdAt.getTime()}.${found.next.id}` });
  }),
  staffRead(contract.readCustomer, async (ctx, { params: { id }, may }) => {
    const customer = await customers.byId(ctx, id);
    return customer ? done(await cardView(ctx, customer, may)) : notFound;
  }),

  staffRead(contract.readCustomerOrders, async (ctx, { params: { id }, query: { cursor }, may }) => {
    const [, at, number] = /^(\d{1,15})\.(\d{1,12})$/.exec(cursor ?? "") ?? [];
    const after = at && number ? { createdAt: new Date(Number(at)), number: Number(number) } : null;
    return done(orderPage(await orders.listPage(ctx, id, after), may));
  }),

  staffChange(contract.openCustomer, {
    change: async (ctx, { params: { id }, audit }) => {
      const customer = await customers.byId(ctx, id);
      if (!customer) return notFound;
      audit({ subject: `customer:${id}` });
      return done({ phone: customer.phone, email: customer.email, address: addressOf(customer) });
    },
  }),
  staffChange(contract.addCustomerNote, {
    change: async (ctx, { params: { id }, body: { text }, staff, audit }) => {
      const notes = await customerList.addNote(ctx, id, { author: staff.login, text });
      if (!notes.ok) return notFound;
      audit({ subject: `customer:${id}` });
      return done(await noteViews(ctx, notes.value));
    },
  }),
  staffChange(contract.endCustomerSessions, {
    change: async (ctx, { params: { id }, audit }) => {
      if (!(await customers.lock(ctx.db, id))) return notFound;
      const ended = (await auth.devices(ctx, id)).length;
      await auth.signOutEverywhere(ctx, id);
      audit({ subject: `customer:${id}`, after: { ended } });
      return done({ ended });
    },
  }),
  staffChange(contract.exportCustomer, {
    change: async (ctx, { params: { id }, audit }) => {
      const everything = await account.exportData(ctx, id);
      if (!everything) return notFound;
      audit({ subject: `customer:${id}` });
      const text = JSON.stringify(exportView(everything, ctx.now()), null, 2);
      return done({ type: "application/json; charset=utf-8", name: `customer-${moscow(ctx.now()).date}.json`, bytes: Buffer.from(text) });
    },
  }),
  staffChange(contract.eraseCustomer, {
    change: async (ctx, { params: { id }, body: { reason }, audit }) => {
      const erased = await account.eraseByStaff(ctx, id);
      if (!erased.ok) return erased.error.code === "account.orders_open" ? fail({ code: erased.error.code }) : notFound;
      audit({ subject: `customer:${id}`, after: { reason } });
      return done(true as const);
    },
  }),

  staffChange(contract.exportNewsletter, {
    // Prepared with the database outside of the transaction: the list is read while it is sent, after the audit entry is stored.
    prepare: async (ctx) => csvParts(newsletterRows(ctx)),
    change: async (ctx, { audit }, bytes) => {
      audit({ subject: "newsletter", after: { consents: await customers.countNewsletterConsents(ctx.db) } });
      return done({ type: "text/csv; charset=utf-8", name: `newsletter-${moscow(ctx.now()).date}.csv`, bytes });
    },
  }),

  staffRead(contract.readSubscribers, async (ctx, { query: { text, cursor }, may }) => {
    const found = await newsletter.list(ctx, text, subscriberCursor(cursor));
    const orderIds = may("orders.read") ? found.items.flatMap(({ orderId }) => orderId ?? []) : null;
    const numbers = orderIds && (await orders.numbersOf(ctx.db, orderIds));
    return done({
      items: found.items.map((each) => subscriberView(each, numbers)),
      next: found.next && `${found.next.at.getTime()}.${found.next.id}`,
    });
  }),
  staffChange(contract.endNewsletter, {
    change: async (ctx, { params: { id }, audit }) => {
      const ended = await newsletter.unsubscribeFor(ctx, id);
      if (!ended.ok) return notFound;
      const { customerId, orderId, ended: count } = ended.value;
      const subject = customerId === null ? `order:${orderId ?? ""}` : `customer:${customerId}`;
      audit({ subject, before: { consents: count }, after: { consents: 0 } });
      return done({ ended: count });
    },
  }),

  staffRead(contract.readPrivacyRequests, async (ctx, { query: { state, cursor } }) => {
    const found = await privacy.list(ctx, state, privacyCursor(cursor));
    const named = await namedIn(
      ctx,
      found.items.flatMap(({ enteredBy, doneBy }) => [enteredBy, doneBy]),
    );
    return done({
      items: found.items.map((each) => privacyView(each, ctx.now(), named)),
      next: found.next && `${found.next.dueOn}.${found.next.id}`,
    });
  }),
  staffChange(contract.addPrivacyRequest, {
    change: async (ctx, { body, staff, audit }) => {
      if (body.customerId !== null && !(await customers.byId(ctx, body.customerId))) return notFound;
      const added = await privacy.add(ctx, body, staff.login);
      if (!added.ok) return fail({ code: "request.invalid", fields: { receivedOn: "Этот день ещё не наступил" } });
      audit({ subject: `privacy_request:${added.value.id}`, after: { kind: body.kind, dueOn: added.value.dueOn } });
      return done(await namedPrivacyView(ctx, added.value));
    },
  }),
  staffChange(contract.finishPrivacyRequest, {
    change: async (ctx, { params: { id }, body: { revision, outcome }, staff, audit }) => {
      const finished = await privacy.finish(ctx, { id, revision }, { outcome, doneBy: staff.login });
      if (!finished.ok) return privacyRefusal(ctx, finished.error);
      audit({ subject: `privacy_request:${id}`, before: { state: "open" }, after: { state: "done", outcome } });
      return done(await namedPrivacyView(ctx, finished.value));
    },
  }),
];

const notFound: Result<never, StaffRefusal> = fail({ code: "staff.not_found" });

async function* newsletterRows(ctx: Ctx): AsyncGenerator<string[][]> {
  yield [["Почта", "Имя", "Согласие", "Редакция текста", "Состояние", "Отписался"]];
  for await (const mailboxes of newsletter.mailboxes(ctx))
    yield mailboxes.map(({ email, name, since, textVersion, unsubscribedAt }) => [
      email,
      name,
      isoMoscow(since),
      textVersion,
      unsubscribedAt === null ? "подписан" : "отписался",
      isoOrNull(unsubscribedAt) ?? "",
    ]);
}

/** `<time of registration in milliseconds>.<id>`. */
function customerCursor(cursor: string | undefined): { createdAt: Date; id: string } | null {
  const [, at, id] = /^(\d{1,15})\.([A-Za-z0-9_-]{1,64})$/.exec(cursor ?? "") ?? [];
  return at && id ? { createdAt: new Date(Number(at)), id } : null;
}

/** `<time of the consent in milliseconds>.<id>`. */
function subscriberCursor(cursor: string | undefined): { at: Date; id: number } | null {
  const [, at, id] = /^(\d{1,15})\.(\d{1,15})$/.exec(cursor ?? "") ?? [];
  return at && id ? { at: new Date(Number(at)), id: Number(id) } : null;
}

/** `<day>.<id>`. */
function privacyCursor(cursor: string | undefined): privacy.PrivacyCursor | null {
  const [, dueOn, id] = /^(\d{4}-\d\d-\d\d)\.(\d{1,15})$/.exec(cursor ?? "") ?? [];
  return dueOn && id ? { dueOn, id: Number(id) } : null;
}

const rowView = (customer: ListedCustomer): z.input<(typeof contract.findCustomers)["answer"]>["items"][number] => ({
  id: customer.id,
  name: fullNameOf(customer),
  maskedPhone: maskPhone(customer.phone),
  maskedEmail: customer.email === "" ? null : maskEmail(customer.email),
  registeredAt: isoMoscow(customer.createdAt),
});

/** `numbers` of the orders by id; null: the caller may not read orders, of which a guest's name is a part. */
function subscriberView(
  { consentId, name, email, since, textVersion, customerId, orderId }: ListedSubscriber,
  numbers: ReadonlyMap<string, number> | null,
): z.input<(typeof contract.readSubscribers)["answer"]>["items"][number] {
  const number = numbers?.get(orderId ?? "");
  return {
    id: consentId,
    name: customerId === null && !numbers ? "" : name,
    maskedEmail: maskEmail(email),
    since: isoMoscow(since),
    textVersion,
    source: orderId === null ? "account" : "order",
    customerId,
    ...(orderId !== null && number !== undefined && { order: { id: orderId, number } }),
  };
}

/** The address of the text of a consent; null: a later release stored a purpose that this one does not know. */
function consentTextUrl({ settings }: Ctx, purpose: string): string | null {
  const page = (pageOfPurpose as Readonly<Record<string, string>>)[purpose];
  return page === undefined ? null : `${settings.publicUrl.replace(/\/$/, "")}${page}`;
}

async function cardView(ctx: Ctx, customer: Customer, may: May): Promise<z.input<(typeof contract.readCustomer)["answer"]>> {
  const [consents, placed, devices, subscription, watched, notes] = await Promise.all([
    customers.consentsOf(ctx, customer.id),
    may("orders.read") ? orders.listPage(ctx, customer.id, null) : null,
    auth.devices(ctx, customer.id),
    customers.newsletter(ctx, customer.id),
    alerts.listOf(ctx, customer.id),
    customerList.notes(ctx, customer.id),
  ]);
  return {
    ...rowView(customer),
    city: cityOf(customer.buyProfile)?.name ?? null,
    ...(placed && { orders: orderPage(placed, may) }),
    consents: consents.map(({ at, withdrawnAt, ...consent }) => ({
      ...consent,
      textUrl: consentTextUrl(ctx, consent.purpose),
      at: isoMoscow(at),
      withdrawnAt: isoOrNull(withdrawnAt),
    })),
    sessions: devices.length,
    lastSeenAt: isoOrNull(devices[0]?.lastSeenAt ?? null),
    newsletter: subscription && { since: isoMoscow(subscription.at), textVersion: subscription.textVersion },
    alerts: watched.map(alertView),
    notes: await noteViews(ctx, notes),
  };
}

const orderPage = ({ items, next }: Awaited<ReturnType<typeof orders.listPage>>, may: May) => ({
  items: items.map((order) => orderView(order, may)),
  next: next && `${next.createdAt.getTime()}.${next.number}`,
});

const orderView = ({ id, number, state, createdAt, lines, total }: Order, may: May) => ({
  id,
  number,
  state,
  createdAt: isoMoscow(createdAt),
  pieces: lines.reduce((sum, line) => sum + piecesOf(line), 0),
  ...(may("orders.money") ? { total: toRoubles(total) } : {}),
});

const alertView = ({ coin, coinId, rateCode, rule, value, state, createdAt }: AlertView) => ({
  subject: coin?.title ?? rateCode ?? "биржа",
  rule,
  value: value === null ? null : value / (coinId === null ? 10_000 : 100),
  state,
  createdAt: isoMoscow(createdAt),
});

async function noteViews(ctx: Ctx, notes: readonly customerList.CustomerNote[]) {
  const named = await namedIn(
    ctx,
    notes.map(({ author }) => author),
  );
  return notes.map(({ at, author, ...note }) => ({ ...note, author: named(author).name, at: isoMoscow(at) }));
}

/** The stored courier address and point in one line. */
function addressOf({ buyProfile }: Customer): string {
  const { delivery, point } = buyProfile ?? {};
  const courier = [cityOf(buyProfile)?.name, delivery?.street, delivery?.house, delivery?.flat].filter(Boolean).join(", ");
  return [courier, point?.address].filter(Boolean).join("; ");
}

const privacyView = (request: PrivacyRequest, now: Date, named: Named): z.input<(typeof contract.addPrivacyRequest)["answer"]> => ({
  ...request,
  enteredBy: named(request.enteredBy).name,
  doneBy: nameOrNull(named, request.doneBy),
  isOverdue: isOverdue(request, now),
  doneAt: isoOrNull(request.doneAt),
});

const namedPrivacyView = async (ctx: Ctx, request: PrivacyRequest) =>
  privacyView(request, ctx.now(), await namedIn(ctx, [request.enteredBy, request.doneBy]));

async function privacyRefusal(
  ctx: Ctx,
  error: Extract<Awaited<ReturnType<typeof privacy.finish>>, { ok: false }>["error"],
): Promise<Result<never, StaffRefusal>> {
  if (error.code !== "staff.stale") return notFound;
  return fail({ code: error.code, data: { current: await namedPrivacyView(ctx, error.current), revision: error.current.revision } });
}
