import { add, kopecks, times, zero, type Kopecks } from "#kit/money.ts";
import { foldedText } from "#kit/text/folded-text.ts";
import type { CalendarDate } from "#kit/time.ts";
import { transitions } from "#kit/transitions.ts";
import { discountedBuyback } from "#shop/inquiries/estimate.ts";
import { coinConditions, type CoinCondition } from "#shop/inquiries/inquiry.ts";
import type { FiscalNumbers } from "#shop/payment/receipts/receipt.ts";

/**
 * A purchase of coins from a person. `locked`: the prices hold until a time · `received`: the coins are here · `checked`: they are
 * counted and priced · `shelved`: they are in the stock · `returned`: the seller has the coins back.
 */
export const dealStates = transitions({
  offered: { lock: "locked", cancel: "cancelled" },
  locked: { renew: "locked", receive: "received", cancel: "cancelled" },
  received: { check: "checked", return: "returned" },
  checked: { check: "checked", pay: "paid", return: "returned" },
  paid: { shelve: "shelved" },
  shelved: {},
  returned: {},
  cancelled: {},
});
export type DealState = keyof typeof dealStates;
/** What moves a deal. */
export const dealEvents = ["lock", "renew", "receive", "check", "pay", "shelve", "return", "cancel"] as const;
export type DealEvent = (typeof dealEvents)[number];
/** What may be done with a deal. */
export const dealActs = [...dealEvents, "edit", "identity", "receipt"] as const;
export type DealAct = (typeof dealActs)[number];

/** Entries of a deal's history: its moves, and what changes without a move. */
export const historyKinds = ["create", "edit", ...dealEvents, "assign", "identity", "identity_erased", "receipt"] as const;
export type HistoryKind = (typeof historyKinds)[number];

/**
 * Parts of the list. `open`: neither shelved, returned nor cancelled · `expiring`: locked offers that run out today or have run out ·
 * `receipt`: paid without the receipt of expense · `finished`: the others.
 */
export const dealParts = ["open", "offered", "locked", "expiring", "received", "checked", "paid", "receipt", "finished"] as const;
export type DealPart = (typeof dealParts)[number];

/** Kinds of identity documents. */
export const identityKinds = ["passport", "foreign_passport", "residence_permit", "other"] as const;
export type IdentityKind = (typeof identityKinds)[number];

/** The seller's identity document (115-FZ art. 7). Stored encrypted until a date. */
export type Identity = {
  lastName: string;
  name: string;
  /** Empty: the person has none. */
  secondName: string;
  birthDate: CalendarDate;
  kind: IdentityKind;
  /** Empty: the document has none. */
  series: string;
  number: string;
  issuedBy: string;
  issuedOn: CalendarDate;
  address: string;
};

/** What was agreed or found of one coin. */
export type LinePart = { quantity: number; condition: CoinCondition; unitPrice: Kopecks };
/** What is offered. `isTyped`: staff named the price; otherwise it is that of the price list, and follows it until it is locked. */
export type OfferedPart = LinePart & { isTyped: boolean };
/** A line: what was offered (null: it came unannounced) and what the check found (null: not checked; none came: `quantity` 0). */
export type DealLine = { coinId: number; offered: OfferedPart | null; checked: LinePart | null };
/** A line of an offer as staff enters it. */
export type OfferedLine = OfferedPart & { coinId: number };
/** A line of a check as staff enters it. */
export type EnteredLine = LinePart & { coinId: number };

/** The transfer to the seller. */
export type Transfer = { account: string; bik: string; number: string; date: CalendarDate };

export type Deal = {
  id: number;
  state: DealState;
  name: string;
  /** `+7` and ten digits; empty: erased. */
  phone: string;
  /** Empty: not given. */
  email: string;
  note: string;
  requestId: number | null;
  /** Login; null: free. */
  assignee: string | null;
  offerSum: Kopecks;
  /** Null: not checked. */
  checkedSum: Kopecks | null;
  /** Of the checked lines, or of the offered ones before the check. */
  pieces: number;
  /** The price list at which the offer was locked. */
  priceListVersion: number | null;
  lockedUntil: Date | null;
  checkReason: string;
  /** Null: no identity document, or it was erased. */
  identity: { enteredAt: Date; eraseAt: Date | null } | null;
  /** Keyed hash of the number of the identity document. */
  personHash: string | null;
  /** Keyed hash of name and day of birth; null: there is no document, or it was stored before there was this hash. */
  nameHash: string | null;
  /** The account is stored encrypted; `accountEnd`: its last four digits. */
  payout: { sum: Kopecks; accountEnd: string; bik: string; number: string; date: CalendarDate; paidAt: Date } | null;
  isFlagged: boolean;
  receipt: FiscalNumbers | null;
  stockDocumentId: number | null;
  revision: number;
  /** Since when it waits in its state: it came, was checked or was paid; else its last change. */
  waitsSince: Date;
  createdAt: Date;
  changedAt: Date;
};
export type DealWithLines = Deal & { lines: DealLine[] };
export type HistoryEntry = { at: Date; actor: string; kind: HistoryKind; state: DealState; sum: Kopecks; note: string };

export type DealError =
  | { code: "buyback.not_found" }
  | { code: "buyback.stale"; current: DealWithLines }
  | { code: "buyback.wrong_state" }
  | { code: "buyback.expired" }
  | { code: "buyback.unknown_coins"; ids: number[] }
  | { code: "buyback.request_not_found" }
  | { code: "buyback.other_sum"; sum: Kopecks }
  | { code: "buyback.other_prices"; ids: number[] }
  | { code: "buyback.reason_missing" }
  | { code: "buyback.nothing" }
  | { code: "buyback.no_identity" }
  | { code: "buyback.not_own" }
  | { code: "buyback.order_known"; dealId: number }
  | { code: "buyback.receipt_known"; dealId: number };

/** Maximum lengths and numbers. */
export const dealLimits = {
  name: 100,
  note: 1000,
  reason: 500,
  lines: 50,
  quantity: 9_999,
  unitPriceRoubles: 100_000_000,
  address: 300,
} as const;

/** Whether the text is a Russian BIK. */
export const isBik = (text: string): boolean => /^04\d{7}$/.test(text);

/** Today's price of a piece in each condition from its buyback price; null: typed by hand. */
export const pricesByCondition = (buyback: Kopecks | null): Record<CoinCondition, Kopecks | null> =>
  Object.fromEntries(coinConditions.map((condition) => [condition, discountedBuyback(buyback, condition)])) as Record<
    CoinCondition,
    Kopecks | null
  >;

/** What these pieces cost together. */
export const sumOf = (parts: readonly LinePart[]): Kopecks =>
  add(zero, ...parts.map(({ unitPrice, quantity }) => times(unitPrice, quantity)));
/** The parts of the lines that were offered; coins that came without an offer have none. */
export const offeredOf = (lines: readonly DealLine[]): LinePart[] => lines.flatMap(({ offered }) => offered ?? []);
/** The parts of the lines that the check found; before a check there are none. */
export const checkedOf = (lines: readonly DealLine[]): LinePart[] => lines.flatMap(({ checked }) => checked ?? []);
export const piecesOf = (parts: readonly LinePart[]): number => parts.reduce((sum, { quantity }) => sum + quantity, 0);

/** The present sum of the deal. */
export const currentSum = ({ offerSum, checkedSum }: Pick<Deal, "offerSum" | "checkedSum">): Kopecks => checkedSum ?? offerSum;

/** A locked offer whose time has run out. */
export const isExpired = ({ state, lockedUntil }: Pick<Deal, "state" | "lockedUntil">, now: Date): boolean =>
  state === "locked" && lockedUntil !== null && lockedUntil <= now;

/**
 * The lines after a check. Offered coins that the check does not name have not come. `isDifferent`: anything differs from the offer.
 */
export function checkLines(lines: readonly DealLine[], found: readonly EnteredLine[]): { lines: DealLine[]; isDifferent: boolean } {
  const byCoin = new Map(found.map(({ coinId, ...part }) => [coinId, part]));
  const offered = lines.flatMap(({ coinId, offered }) => (offered === null ? [] : [{ coinId, offered }]));
  const announced = offered.map(({ coinId, offered }): DealLine => {
    const { quantity: _, isTyped: __, ...agreed } = offered;
    return { coinId, offered, checked: byCoin.get(coinId) ?? { ...agreed, quantity: 0 } };
  });
  const coins = new Set(offered.map(({ coinId }) => coinId));
  const unannounced = found
    .filter(({ coinId, quantity }) => !coins.has(coinId) && quantity > 0)
    .map(({ coinId, ...checked }): DealLine => ({ coinId, offered: null, checked }));
  const isDifferent = ({ offered: agreed, checked }: DealLine): boolean =>
    agreed === null ||
    checked === null ||
    agreed.quantity !== checked.quantity ||
    agreed.condition !== checked.condition ||
    agreed.unitPrice !== checked.unitPrice;
  const all = [...announced, ...unannounced];
  return { lines: all, isDifferent: all.some(isDifferent) };
}

/** What may be done with a deal now. A locked offer whose time has run out can only be renewed or cancelled. */
export function actsOf(deal: Pick<Deal, "state" | "lockedUntil" | "identity">, now: Date): DealAct[] {
  const moves = Object.keys(dealStates[deal.state]) as DealEvent[];
  const expired = isExpired(deal, now);
  const allowed = moves.filter((event) => (event === "renew" ? expired : event === "receive" ? !expired : true));
  const isUnpaid = moves.length > 0 && deal.state !== "paid";
  const isPaid = deal.state === "paid" || deal.state === "shelved";
  return [
    ...allowed,
    ...(deal.state === "offered" ? (["edit"] as const) : []),
    ...(isUnpaid ? (["identity"] as const) : []),
    ...(isPaid ? (["receipt"] as const) : []),
  ];
}

/** From this sum of 12 months on payouts to a person are under control. */
export const isUnderControl = (paidInYear: Kopecks, sum: Kopecks, controlSum: Kopecks): boolean => kopecks(paidInYear + sum) >= controlSum;

/** The number of an identity document as it is hashed: equal documents give equal texts, however they are typed. */
export const documentKey = ({ kind, series, number }: Pick<Identity, "kind" | "series" | "number">): string =>
  `${kind}:${`${series}${number}`.normalize("NFKC").toUpperCase().replaceAll(/[\s-]/g, "")}`;

/** Name and day of birth as they are hashed: a person who shows another document is found by them. */
export const nameKey = ({
  lastName,
  name,
  secondName,
  birthDate,
}: Pick<Identity, "lastName" | "name" | "secondName" | "birthDate">): string =>
  `${[lastName, name, secondName].map((each) => foldedText(each).replaceAll(/[\s-]/g, "")).join(":")}:${birthDate}`;
