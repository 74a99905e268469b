import * as z from "zod";
import { privacyRequestMaxLengths, privacyRequestKinds } from "#shop/customers/staff/privacy-request.ts";
import { orderStates } from "#shop/orders/order.ts";
import { statesOf } from "#kit/transitions.ts";
import { fieldMessages } from "../../fields.ts";
import { chosenDay, instant, nothing, roubles } from "../../wire.ts";
import { file, staffCall } from "../call.ts";
import { cursor, page, revision, rowIdParam, tokenParam } from "../wire.ts";

const row = z.object({
  id: z.string(),
  /** `Петров Иван`. */
  name: z.string(),
  maskedPhone: z.string(),
  /** Null: none. */
  maskedEmail: z.string().nullable(),
  registeredAt: instant,
});

const note = z.object({ id: z.int(), at: instant, author: z.string(), text: z.string() });
const noteBody = z.strictObject({ text: z.string().trim().min(1, fieldMessages.required).max(2000, fieldMessages.tooLong) });

const placedOrder = z.object({
  id: z.string(),
  number: z.int(),
  state: z.enum(statesOf(orderStates)),
  createdAt: instant,
  pieces: z.int(),
  /** Absent without the permission to see money. */
  total: roubles.optional(),
});

const card = row.extend({
  city: z.string().nullable(),
  /** The newest; absent without the permission to read orders. */
  orders: page(placedOrder).optional(),
  consents: z.array(
    z.object({
      purpose: z.string(),
      textVersion: z.string(),
      /** Where the shop shows the text of this purpose; null: the purpose has none of its own. */
      textUrl: z.string().nullable(),
      at: instant,
      withdrawnAt: instant.nullable(),
    }),
  ),
  /** Devices that are signed in. */
  sessions: z.int(),
  lastSeenAt: instant.nullable(),
  newsletter: z.object({ since: instant, textVersion: z.string() }).nullable(),
  alerts: z.array(z.object({ subject: z.string(), rule: z.string(), value: z.number().nullable(), state: z.string(), createdAt: instant })),
  notes: z.array(note),
});

const params = z.object({ id: tokenParam });

export const findCustomers = staffCall({
  method: "GET",
  path: "/api/staff/customers",
  summary: "Customers by the last digits of the phone, a name or the beginning of the e-mail; newest first",
  permission: "customers.read",
  audit: null,
  query: z.object({ text: z.string().max(100).default(""), cursor }),
  answer: page(row),
  problems: [],
});

export const readCustomer = staffCall({
  method: "GET",
  path: "/api/staff/customers/{id}",
  summary: "One customer: orders, consents, newsletter, alerts, notes; contacts are masked",
  permission: "customers.read",
  audit: null,
  params,
  answer: card,
  problems: ["staff.not_found"],
});

export const readCustomerOrders = staffCall({
  method: "GET",
  path: "/api/staff/customers/{id}/orders",
  summary: "Older orders of a customer, page by page",
  permission: "orders.read",
  audit: null,
  params,
  query: z.object({ cursor }),
  answer: page(placedOrder),
  problems: [],
});

export const openCustomer = staffCall({
  method: "POST",
  path: "/api/staff/customers/{id}/contacts",
  summary: "Opens the contacts and the stored address of a customer; recorded in the audit",
  permission: "customers.open",
  audit: "customer.open_contacts",
  params,
  answer: z.object({ phone: z.string(), email: z.string(), address: z.string() }),
  problems: ["staff.not_found"],
});

export const addCustomerNote = staffCall({
  method: "POST",
  path: "/api/staff/customers/{id}/notes",
  summary: "Adds an internal note to a customer",
  permission: "customers.open",
  audit: "customer.add_note",
  params,
  body: noteBody,
  answer: z.array(note),
  problems: ["staff.not_found"],
});

export const endCustomerSessions = staffCall({
  method: "POST",
  path: "/api/staff/customers/{id}/sessions/end",
  summary: "Signs a customer out everywhere, for a stolen phone",
  permission: "customers.open",
  audit: "customer.end_sessions",
  params,
  answer: z.object({ ended: z.int() }),
  problems: ["staff.not_found"],
});

export const exportCustomer = staffCall({
  method: "POST",
  path: "/api/staff/customers/{id}/export",
  summary: "Everything the shop stores about a customer as JSON (152-FZ, article 14)",
  permission: "customers.export",
  audit: "customer.export",
  params,
  answer: file,
  problems: ["staff.not_found"],
});

export const eraseCustomer = staffCall({
  method: "POST",
  path: "/api/staff/customers/{id}/erase",
  summary: "Deletes a customer's account at its request (152-FZ, article 21); open orders refuse it",
  permission: "customers.export",
  audit: "customer.erase",
  params,
  body: z.strictObject({ reason: z.string().trim().min(1, "Напишите основание: обращение и его дату").max(300, fieldMessages.tooLong) }),
  answer: nothing,
  problems: ["staff.not_found", "account.orders_open"],
});

export const exportNewsletter = staffCall({
  method: "POST",
  path: "/api/staff/newsletter/export",
  summary: "Every mailbox that ever agreed to the newsletter with its state, as CSV",
  permission: "customers.export",
  audit: "newsletter.export",
  answer: file,
  problems: [],
});

const subscriber = z.object({
  id: z.int(),
  /** `Петров Иван`; empty for a guest unless the caller may read orders. */
  name: z.string(),
  maskedEmail: z.string(),
  since: instant,
  textVersion: z.string(),
  source: z.enum(["account", "order"]),
  /** Null: a guest. */
  customerId: z.string().nullable(),
  /** The order that the consent was given with; absent without the permission to read orders. */
  order: z.object({ id: z.string(), number: z.int() }).optional(),
});

export const readSubscribers = staffCall({
  method: "GET",
  path: "/api/staff/newsletter",
  summary: "The mailboxes that get the newsletter, by their beginning: each once with its first active consent, newest first; masked",
  permission: "customers.read",
  audit: null,
  query: z.object({ text: z.string().max(100).default(""), cursor }),
  answer: page(subscriber),
  problems: [],
});

export const endNewsletter = staffCall({
  method: "POST",
  path: "/api/staff/newsletter/{id}/end",
  summary: "Withdraws all newsletter consents of a mailbox at the request of its owner, as the link in a letter does",
  permission: "customers.open",
  audit: "newsletter.end",
  params: z.object({ id: rowIdParam }),
  answer: z.object({ ended: z.int() }),
  problems: ["staff.not_found"],
});

const privacyRequest = z.object({
  id: z.int(),
  kind: z.enum(privacyRequestKinds),
  state: z.enum(["open", "done"]),
  applicant: z.string(),
  contact: z.string(),
  text: z.string(),
  customerId: z.string().nullable(),
  receivedOn: z.iso.date(),
  /** The last day for the answer (152-FZ, article 20). */
  dueOn: z.iso.date(),
  isOverdue: z.boolean(),
  outcome: z.string(),
  doneAt: instant.nullable(),
  enteredBy: z.string(),
  doneBy: z.string().nullable(),
  revision,
});

const words = (max: number) => z.string().trim().min(1, fieldMessages.required).max(max, fieldMessages.tooLong);

export const readPrivacyRequests = staffCall({
  method: "GET",
  path: "/api/staff/privacy-requests",
  summary: "The register of requests about personal data",
  permission: "customers.export",
  audit: null,
  query: z.object({ state: z.enum(["open", "done"]).default("open"), cursor }),
  answer: page(privacyRequest),
  problems: [],
});

export const addPrivacyRequest = staffCall({
  method: "POST",
  path: "/api/staff/privacy-requests",
  summary: "Enters a request about personal data; the answer is due within ten working days",
  permission: "customers.export",
  audit: "privacy_request.add",
  body: z.strictObject({
    kind: z.enum(privacyRequestKinds, fieldMessages.required),
    applicant: words(privacyRequestMaxLengths.applicant),
    contact: words(privacyRequestMaxLengths.contact),
    text: z.string().trim().max(privacyRequestMaxLengths.text, fieldMessages.tooLong).default(""),
    customerId: tokenParam.nullable().default(null),
    receivedOn: chosenDay(),
  }),
  answer: privacyRequest,
  problems: [],
});

export const finishPrivacyRequest = staffCall({
  method: "POST",
  path: "/api/staff/privacy-requests/{id}/done",
  summary: "Marks a request about personal data as answered, with what was done",
  permission: "customers.export",
  audit: "privacy_request.done",
  params: z.object({ id: rowIdParam }),
  body: z.strictObject({ revision, outcome: words(privacyRequestMaxLengths.outcome) }),
  answer: privacyRequest,
  problems: ["staff.not_found", "staff.stale"],
  refusalData: { "staff.stale": z.object({ current: privacyRequest, revision }) },
});
