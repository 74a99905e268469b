import * as z from "zod";
import { statesOf } from "#kit/transitions.ts";
import { dealActs, dealParts, dealStates, historyKinds, identityKinds, isBik, dealLimits } from "#shop/buyback/deal.ts";
import { coinConditions } from "#shop/inquiries/inquiry.ts";
import { fiscalNumberFormats } from "#shop/payment/receipts/receipt.ts";
import { isAccountNumber, referenceNumber, statementDay } from "#shop/payment/transfers/bank-transfer.ts";
import { fieldMessages } from "../../fields.ts";
import { coinId, email, instant, line, phone, requiredLine, roubles, text } from "../../wire.ts";
import { file, staffCall } from "../call.ts";
import { cursor, page, revision, rowId, rowIdParam, shownSum } from "../wire.ts";

/** Purchases of coins from persons. Sums are roubles; unit prices are whole roubles. */

const params = z.object({ id: rowIdParam });
const state = z.enum(statesOf(dealStates));
const condition = z.enum(coinConditions);
const login = z.string().min(1).max(40);
const day = z.iso.date();

const row = z.object({
  /** The number of the deal. */
  id: z.int(),
  state,
  name: z.string(),
  /** Empty: not known. */
  maskedPhone: z.string(),
  /** Of the checked lines, or of the offered ones before the check. */
  pieces: z.int(),
  sum: roubles,
  /** What was offered. */
  offerSum: roubles,
  /** Until when the prices of a locked offer hold; null: not locked yet. */
  lockedUntil: instant.nullable(),
  /** A locked offer whose time has run out. */
  isExpired: z.boolean(),
  /** It brought the person's sum of 12 months to the sum of mandatory control. */
  isFlagged: z.boolean(),
  /** Paid, and the receipt of expense is not recorded yet. */
  needsReceipt: z.boolean(),
  /** Login; null: free. */
  assignee: z.string().nullable(),
  /** The name of the assignee, who may have left; null: free. */
  assigneeName: z.string().nullable(),
  createdAt: instant,
  changedAt: instant,
  revision,
});

/** Today's buyback price of a piece in each condition; null: typed by hand. */
const prices = z.record(condition, roubles.nullable());
const coin = z.object({
  id: coinId,
  title: z.string(),
  /** The number of the central bank, else the shop's article. */
  code: z.string(),
  metal: z.enum(["gold", "silver"]),
  pureMassMg: z.int(),
  prices,
});
const part = z.object({ quantity: z.int(), condition, unitPrice: roubles });
/** Staff named the price; otherwise it is that of the price list. */
const isTyped = z.boolean();

const card = row.extend({
  /** Null: the seller gave no e-mail address. */
  maskedEmail: z.string().nullable(),
  note: z.string(),
  /** The request that it was made from. */
  requestId: z.int().nullable(),
  lines: z.array(
    z.object({
      coin,
      /** Null: it came unannounced. */
      offered: part.extend({ isTyped }).nullable(),
      /** Null: not checked. `quantity` 0: none came. */
      checked: part.nullable(),
    }),
  ),
  /** What may be done now, whatever the caller's permissions. */
  acts: z.array(z.enum(dealActs)),
  /** The offer at today's prices while it is not locked or its time has run out; null: later, or a coin has no price today. */
  today: z.object({ sum: roubles }).nullable(),
  /** Why the checked sum or lines differ from the offer. */
  checkReason: z.string(),
  /** Null: no identity document, or it was erased. */
  identity: z
    .object({
      enteredAt: instant,
      /** The day of the erasure; null: not paid yet. */
      eraseAt: instant.nullable(),
      /** Paid to this person by other deals during the last 12 months (before the payout, if it is paid). */
      paidInYear: roubles,
      /** From this sum of 12 months on a deal is under control. */
      controlSum: roubles,
      /** The sum of this deal and `paidInYear` reach `controlSum`. */
      isUnderControl: z.boolean(),
    })
    .nullable(),
  /** Null: not paid. The account is masked. */
  payout: z.object({ sum: roubles, maskedAccount: z.string(), bik: z.string(), number: z.string(), date: day, paidAt: instant }).nullable(),
  /** Why a second person must approve the payout by anyone; null: not needed beyond the caller's grant. */
  payoutApproval: z.string().nullable(),
  receipt: z.object({ storageNumber: z.string(), documentNumber: z.string(), attribute: z.string() }).nullable(),
  /** The document of the stock that put the coins on the shelf. */
  stockDocumentId: z.int().nullable(),
  history: z.array(z.object({ at: instant, by: z.string(), kind: z.enum(historyKinds), state, sum: roubles, note: z.string() })),
});

const staleData = z.object({ current: card, revision });
const refusalData = { "staff.stale": staleData } as const;
const changeProblems = ["staff.not_found", "staff.stale", "buyback.wrong_state"] as const;

const quantity = z.int("Целое число").max(dealLimits.quantity, "Слишком много");
const unitPrice = z.int("Целые рубли").min(1, "Сколько платим за одну монету").max(dealLimits.unitPriceRoubles, "Слишком большая сумма");
const reason = requiredLine(dealLimits.reason);

/** Faults of lines are named `lines.0.coin`, so that the message is shown beside the line. */
function eachCoinOnce(lines: readonly { coin: number }[], context: z.core.$RefinementCtx): void {
  const seen = new Set<number>();
  for (const [index, { coin }] of lines.entries()) {
    if (seen.has(coin)) context.addIssue({ code: "custom", path: [index, "coin"], message: "Эта монета уже есть в сделке" });
    seen.add(coin);
  }
}
const offerLines = z
  .array(z.strictObject({ coin: coinId, quantity: quantity.min(1, "Хотя бы одна монета"), condition, unitPrice, isTyped }))
  .min(1, "Добавьте хотя бы одну монету")
  .max(dealLimits.lines, `Не больше ${dealLimits.lines} строк`)
  .superRefine(eachCoinOnce);
/** `quantity` 0: none of this coin came. */
const checkedLines = z
  .array(z.strictObject({ coin: coinId, quantity: quantity.min(0, "Не меньше нуля"), condition, unitPrice }))
  .min(1)
  .max(dealLimits.lines, `Не больше ${dealLimits.lines} строк`)
  .superRefine(eachCoinOnce);
/** The coins with today's prices: one of them is not the price that was sent as that of the list. */
const otherPrices = { "buyback.other_prices": z.object({ coins: z.array(coin) }) } as const;
const optionalEmail = z.union([z.literal(""), email]).default("");

export const readDeals = staffCall({
  method: "GET",
  path: "/api/staff/buyback",
  summary: "Deals of a part, newest first; contacts are masked",
  permission: "buyback.read",
  audit: null,
  query: z.object({
    part: z.enum(dealParts).default("open"),
    /** A login, or `nobody` for free ones. */
    assignee: login.optional(),
    /** The number, a part of the phone, or words of the name. */
    text: z.string().max(100).optional(),
    cursor,
  }),
  /** Counts stop at 1,001. */
  answer: page(row).extend({ counts: z.record(z.enum(dealParts), z.int()) }),
  problems: [],
});

export const readDeal = staffCall({
  method: "GET",
  path: "/api/staff/buyback/{id}",
  summary: "One deal with its lines and history; contacts and account are masked, without the identity document",
  permission: "buyback.read",
  audit: null,
  params,
  answer: card,
  problems: ["staff.not_found"],
});

export const readDealForm = staffCall({
  method: "GET",
  path: "/api/staff/buyback/form",
  summary: "What a new deal begins with: from a buyback request its coins, condition and masked contacts",
  permission: "buyback",
  audit: null,
  query: z.object({
    request: z
      .string()
      .regex(/^[1-9]\d{0,8}$/)
      .transform(Number)
      .optional(),
  }),
  answer: z.object({
    /** For how long an offer is locked, hours. */
    lockHours: z.int(),
    request: z
      .object({
        id: z.int(),
        name: z.string(),
        maskedPhone: z.string(),
        maskedEmail: z.string().nullable(),
        condition,
        /** Coins of the catalogue with these titles; null: no coin has this title, or several do. */
        coins: z.array(z.object({ title: z.string(), quantity: z.int(), coin: coin.nullable() })),
        /** A deal that was made from this request before. */
        dealId: z.int().nullable(),
      })
      .nullable(),
  }),
  problems: ["staff.not_found"],
});

export const findDealCoins = staffCall({
  method: "GET",
  path: "/api/staff/buyback/coins",
  summary: "Coins by code or by words of the title, with today's buyback prices",
  permission: "buyback",
  audit: null,
  query: z.object({ text: z.string().min(1).max(100) }),
  answer: z.array(coin),
  problems: [],
});

export const readDealColleagues = staffCall({
  method: "GET",
  path: "/api/staff/buyback/colleagues",
  summary: "The members of staff who buy coins",
  permission: "buyback.read",
  audit: null,
  answer: z.array(z.object({ login: z.string(), name: z.string() })),
  problems: [],
});

export const createDeal = staffCall({
  method: "POST",
  path: "/api/staff/buyback",
  summary: "Makes an offer, assigned to the caller. `lock`: its prices hold from now on. Contacts left empty are taken from the request",
  permission: "buyback",
  audit: "buyback.create",
  body: z
    .strictObject({
      request: rowId.nullable().default(null),
      name: line(dealLimits.name).default(""),
      phone: z.union([z.literal(""), phone], fieldMessages.phone).default(""),
      email: optionalEmail,
      note: text(dealLimits.note).default(""),
      lines: offerLines,
      lock: z.boolean().default(false),
    })
    .superRefine(({ request, name, phone }, context) => {
      if (request !== null) return;
      if (name === "") context.addIssue({ code: "custom", path: ["name"], message: fieldMessages.required });
      if (phone === "") context.addIssue({ code: "custom", path: ["phone"], message: fieldMessages.required });
    }),
  answer: card,
  problems: ["request.invalid", "staff.not_found", "staff.forbidden", "buyback.other_prices"],
  refusalData: otherPrices,
});

export const editDeal = staffCall({
  method: "PATCH",
  path: "/api/staff/buyback/{id}",
  summary: "Replaces the lines and the note of an offer that is not locked yet. `lock`: its prices hold from now on",
  permission: "buyback",
  audit: "buyback.edit",
  params,
  body: z.strictObject({ revision, note: text(dealLimits.note).default(""), lines: offerLines, lock: z.boolean().default(false) }),
  answer: card,
  problems: [...changeProblems, "request.invalid", "buyback.other_prices"],
  refusalData: { ...refusalData, ...otherPrices },
});

export const lockDeal = staffCall({
  method: "POST",
  path: "/api/staff/buyback/{id}/lock",
  summary: "Locks an offer for the hours of the settings, at today's prices; prices typed by hand stay. `sum`: the sum that was shown",
  permission: "buyback",
  audit: "buyback.lock",
  params,
  body: z.strictObject({ revision, sum: shownSum }),
  answer: card,
  problems: [...changeProblems, "buyback.other_sum"],
  refusalData: { ...refusalData, "buyback.other_sum": z.object({ sum: roubles }) },
});

export const renewDeal = staffCall({
  method: "POST",
  path: "/api/staff/buyback/{id}/renew",
  summary: "Locks an offer whose time has run out again, at today's prices; prices typed by hand stay. `sum`: the new sum that was shown",
  permission: "buyback",
  audit: "buyback.renew",
  params,
  body: z.strictObject({ revision, sum: shownSum }),
  answer: card,
  problems: [...changeProblems, "buyback.other_sum"],
  refusalData: { ...refusalData, "buyback.other_sum": z.object({ sum: roubles }) },
});

export const cancelDeal = staffCall({
  method: "POST",
  path: "/api/staff/buyback/{id}/cancel",
  summary: "Cancels an offer before the coins have come",
  permission: "buyback",
  audit: "buyback.cancel",
  params,
  body: z.strictObject({ revision, reason }),
  answer: card,
  problems: changeProblems,
  refusalData,
});

export const receiveDeal = staffCall({
  method: "POST",
  path: "/api/staff/buyback/{id}/receive",
  summary: "Records that the coins have come while the offer is locked",
  permission: "buyback",
  audit: "buyback.receive",
  params,
  body: z.strictObject({ revision }),
  answer: card,
  problems: [...changeProblems, "buyback.expired"],
  refusalData,
});

export const checkDeal = staffCall({
  method: "POST",
  path: "/api/staff/buyback/{id}/check",
  summary:
    "Records what the check found: pieces, condition and price of each line, once more before the payout if it was wrong. " +
    "A reason is required when anything differs from the offer",
  permission: "buyback",
  audit: "buyback.check",
  params,
  body: z.strictObject({ revision, lines: checkedLines, reason: line(dealLimits.reason).default("") }),
  answer: card,
  problems: [...changeProblems, "request.invalid", "buyback.reason_missing", "buyback.nothing"],
  refusalData,
});

export const returnDeal = staffCall({
  method: "POST",
  path: "/api/staff/buyback/{id}/return",
  summary: "Records that the seller has the coins back",
  permission: "buyback",
  audit: "buyback.return",
  params,
  body: z.strictObject({ revision, reason }),
  answer: card,
  problems: changeProblems,
  refusalData,
});

export const assignDeal = staffCall({
  method: "POST",
  path: "/api/staff/buyback/{id}/assignee",
  summary: "Assigns a deal, or frees it; its revision stays. `from`: who was shown, otherwise `staff.stale`",
  permission: "buyback",
  audit: "buyback.assign",
  params,
  body: z.strictObject({ from: login.nullable(), assignee: login.nullable() }),
  answer: card,
  problems: ["staff.not_found", "staff.stale", "request.invalid"],
  refusalData,
});

export const openDealContacts = staffCall({
  method: "POST",
  path: "/api/staff/buyback/{id}/contacts",
  summary:
    "Opens phone and e-mail of the seller, recorded in the audit; `take` assigns a free deal to the caller. " +
    "Needs customers.open, or the desk's own deal",
  permission: "buyback.read",
  audit: "buyback.open_contacts",
  isSecret: true,
  params,
  body: z.strictObject({ take: z.boolean().default(false) }),
  answer: z.object({ phone: z.string(), email: z.string(), deal: card }),
  problems: ["staff.not_found", "staff.forbidden"],
});

const pastDay = z
  .string(fieldMessages.required)
  .refine((value) => statementDay(value) !== null, "Дата, например 20.11.1990")
  .transform((value) => statementDay(value) ?? value);
const identity = {
  lastName: requiredLine(dealLimits.name),
  name: requiredLine(dealLimits.name),
  secondName: line(dealLimits.name).default(""),
  birthDate: pastDay,
  kind: z.enum(identityKinds),
  /** Without spaces; a Russian passport has four digits. */
  series: line(20).default(""),
  /** Without spaces; a Russian passport has six digits. */
  number: requiredLine(30),
  issuedBy: requiredLine(300),
  issuedOn: pastDay,
  address: requiredLine(dealLimits.address),
};
const closeUp = (value: string): string => value.replaceAll(/[\s-]/g, "");

export const saveIdentity = staffCall({
  method: "POST",
  path: "/api/staff/buyback/{id}/identity",
  summary: "Stores the seller's identity document, encrypted; before the payout. The answer has no part of it",
  permission: "buyback",
  audit: "buyback.save_identity",
  isSecret: true,
  params,
  body: z.strictObject({ revision, ...identity }).superRefine((body, context) => {
    if (body.kind !== "passport") return;
    if (!/^\d{4}$/.test(closeUp(body.series))) context.addIssue({ code: "custom", path: ["series"], message: "Четыре цифры" });
    if (!/^\d{6}$/.test(closeUp(body.number))) context.addIssue({ code: "custom", path: ["number"], message: "Шесть цифр" });
  }),
  answer: card,
  problems: [...changeProblems, "request.invalid"],
  refusalData,
});

export const openIdentity = staffCall({
  method: "POST",
  path: "/api/staff/buyback/{id}/identity/open",
  summary: "Opens the seller's identity document, recorded in the audit. Needs customers.open, or the desk's own deal",
  permission: "buyback",
  audit: "buyback.open_identity",
  isSecret: true,
  params,
  answer: z.object({ ...identity, birthDate: day, issuedOn: day }),
  problems: ["staff.not_found", "staff.forbidden"],
});

export const printContract = staffCall({
  method: "POST",
  path: "/api/staff/buyback/{id}/contract",
  summary:
    "Contract of sale and act of a checked or paid deal with the identity document, PDF; recorded in the audit. " +
    "Needs customers.open, or the desk's own deal",
  permission: "buyback",
  audit: "buyback.print_contract",
  params,
  answer: file,
  problems: ["staff.not_found", "staff.forbidden", "buyback.wrong_state", "buyback.no_identity"],
});

export const payDeal = staffCall({
  method: "POST",
  path: "/api/staff/buyback/{id}/pay",
  summary:
    "Records the bank transfer to the seller: the exact sum of the checked lines. " +
    "A second person approves it over the limit, under mandatory control, and for the desk each time",
  permission: "payout",
  audit: "buyback.pay",
  isSecret: true,
  params,
  body: z.strictObject({
    revision,
    sum: shownSum,
    account: z.string(fieldMessages.required).refine(isAccountNumber, "Счёт: 20 цифр"),
    bik: z.string(fieldMessages.required).refine(isBik, "БИК: 9 цифр, начинается с 04"),
    number: z
      .string(fieldMessages.required)
      .refine((value) => referenceNumber(value) !== null, "Номер платёжного поручения, например 125")
      .transform((value) => referenceNumber(value) ?? value),
    date: z
      .string(fieldMessages.required)
      .refine((value) => statementDay(value) !== null, "Дата, например 20.11.2026")
      .transform((value) => statementDay(value) ?? value),
  }),
  answer: card,
  problems: [...changeProblems, "request.invalid", "buyback.no_identity", "buyback.other_sum", "buyback.order_known"],
  refusalData: {
    ...refusalData,
    "buyback.other_sum": z.object({ sum: roubles }),
    "buyback.order_known": z.object({ dealId: z.int() }),
  },
});

export const recordDealReceipt = staffCall({
  method: "POST",
  path: "/api/staff/buyback/{id}/receipt",
  summary: "Records the receipt of expense that the office's register has printed for a paid deal; repeated, it corrects the numbers",
  permission: "receipts",
  audit: "buyback.receipt",
  params,
  body: z.strictObject({
    revision,
    storageNumber: z.string(fieldMessages.required).regex(fiscalNumberFormats.storageNumber, "ФН: 16 цифр"),
    documentNumber: z.string(fieldMessages.required).regex(fiscalNumberFormats.documentNumber, "ФД: до 10 цифр, не с нуля"),
    attribute: z.string(fieldMessages.required).regex(fiscalNumberFormats.attribute, "ФПД: до 10 цифр"),
  }),
  answer: card,
  problems: [...changeProblems, "request.invalid"],
  refusalData,
});

export const shelveDeal = staffCall({
  method: "POST",
  path: "/api/staff/buyback/{id}/shelve",
  summary: "Puts the coins of a paid deal into the stock with their cost: posts a receipt document",
  permission: "buyback",
  audit: "buyback.shelve",
  params,
  body: z.strictObject({ revision }),
  answer: card,
  problems: changeProblems,
  refusalData,
});
