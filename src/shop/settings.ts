import type { MarketCalendar } from "./rates/calendar.ts";
import type { Seller } from "./seller.ts";

/** Everything an owner of the shop may tune without code: limits from the environment, names and addresses from the settings file. */
export type ShopSettings = {
  shop: ShopIdentity;
  /** Requisites for invoices and transfers. */
  seller: Seller;
  limits: Limits;
  publicUrl: string;
  /** A counter of visits (Yandex Metrika): its number and the address of its script; without it there are no statistics. */
  counter?: { id: number; script: string } | null;
  /** When the exchange is expected to trade. */
  market: MarketCalendar;
  /** The script of the map at checkout with its key in the address; null: no map, the list of points does everything. */
  mapScriptUrl: string | null;
};

export type ShopIdentity = {
  name: string;
  /** Values for the `{{PLACEHOLDER}}`s of the content texts. */
  placeholders: Record<string, string>;
  phones: { display: string; href: string }[];
  supportExtension: string;
  email: string;
  address: string;
  /** Where the office is on a map; without it the city's centre. */
  coords?: { lat: number; lon: number };
  hours: string[];
  messengers: { id: string; title: string; href: string }[];
  ratings: { platform: string; value: string; isSample: boolean }[];
};

/** Defaults are those of the threat model; every one can be set by its name in capitals, `codeTriesPerCode` → `CODE_TRIES_PER_CODE`. */
export const defaultLimits = {
  codeTriesPerCode: 5,
  codeLifeSeconds: 300,
  codeResendSeconds: 120,
  codesPerPhoneHour: 5,
  codesPerPhoneDay: 8,
  wrongCodesPerPhoneDay: 15,
  wrongCodesPerPhoneEver: 100,
  /** Wrong codes of a browser that the account knows, since it last signed in; beyond it the browser is a stranger. */
  wrongCodesPerDevice: 20,
  /** How long after its last use a browser is known to the account. */
  knownDeviceDays: 180,
  codesPerAddressHour: 10,
  wrongCodesPerAddressHour: 30,
  codesPerNetworkHour: 200,
  smsBudgetMinute: 60,
  smsBudgetDay: 3000,
  /** The share of both budgets that messages about orders may use; codes are left the rest. */
  smsBudgetOrdersPercent: 50,
  /** Messages about orders to one phone and one mailbox, and those that one network address can cause for free. */
  orderSmsPerPhoneDay: 12,
  orderLettersPerMailboxHour: 30,
  orderLettersPerMailboxDay: 60,
  orderMessagesPerAddressHour: 200,
  sessionIdleDays: 30,
  sessionAbsoluteDays: 180,
  /** After so long without use, a sign-in from a new browser is told by letter: the phone may have a new owner. */
  accountIdleDays: 180,
  /** How long after a code was entered the e-mail may be changed and the account deleted. */
  freshCodeMinutes: 10,
  /** How long orders of guests and of deleted accounts keep name, phone, e-mail and address: books and the law on precious metals want five years. */
  orderPersonalDays: 1826,
  /** How long letters and SMS that were sent keep text and recipient. */
  messagePersonalDays: 90,
  /** How long webhooks of the payment provider and the carrier keep their bodies. */
  providerEventDays: 90,
  /** How long what a buyer without scripts entered at checkout is stored on the server, since its last change. */
  checkoutDraftHours: 24,
  cartLines: 200,
  wishlistItems: 500,
  compareItems: 10,
  unpaidOrders: 5,
  /** Unpaid orders that the buyer called off in the last minutes: so many are free, more of them count as unpaid. */
  cancelledOrders: 3,
  cancelledOrderMinutes: 15,
  /** What unpaid orders with one browser, phone or mailbox may hold, and those from one network address (an IPv6 network); 0: no limit. */
  reservedPiecesPerPerson: 200,
  reservedRoublesPerPerson: 15_000_000,
  reservedPiecesPerAddress: 600,
  reservedRoublesPerAddress: 40_000_000,
  /** The share of one coin's pieces that unpaid orders from one address may hold (0: no limit), and how many they may hold of any coin. */
  addressSharePercent: 50,
  addressFreePieces: 10,
  /** A coin that is imported at this price and above gets a purchase limit of so many pieces in one order, unless the file names one; 0 pieces: none. */
  purchaseLimitFromRoubles: 300_000,
  purchaseLimitPieces: 20,
  /** Above it an invoice wants a signed-in customer whose own phone is the order's. */
  invoiceUnconfirmedRoubles: 5_000_000,
  /** How young a guest's order must be to be taken into the account of its phone: operators sell a number on after a few months. */
  claimDays: 30,
  /** Reviews, buyback, partners and callback requests, each counted by itself. */
  inquiriesPerAddressHour: 5,
  /** Letters of thanks to one mailbox, which anybody may have named. */
  inquiryLettersPerMailboxDay: 5,
  alertsPerMailbox: 20,
  quoteLifeSeconds: 600,
  paymentLifeMinutes: 65,
  paymentAttemptMinutes: 30,
  /** How long an invoice holds its coins, counted on banking days only. */
  invoiceHours: 24,
  /** A part of an invoice's money gives the rest another `invoiceHours` once so much of the total has come. */
  partPaymentProlongsPercent: 30,
  /** How long an order to be paid at the desk keeps its coins until staff takes it in hand. */
  collectionHours: 72,
  /** How long before that its buyer is reminded. */
  collectionReminderHours: 24,
  /** After so long without an answer of the provider about a refund staff hears of it, and again after so many hours. */
  refundStuckMinutes: 60,
  refundStuckAgainHours: 24,
  /** How many days back the check of the ledger looks into the provider's payments and refunds. */
  ledgerCompareDays: 3,
  /** How long a parcel may travel back before staff is called. */
  returnDays: 30,
  cardLimitRoubles: 350_000,
  sbpLimitRoubles: 700_000,
  collectionLimitRoubles: 700_000,
  /** Above it a parcel goes by special contact alone: the carrier insures no more. */
  insuredLimitRoubles: 3_000_000,
  /** The same for what of it is gold, by the carrier's contract; 0: he takes no gold at all. */
  carrierGoldLimitRoubles: 3_000_000,
  /** Above it no parcel goes into a locker, where nobody looks at a passport. */
  lockerLimitRoubles: 3_000_000,
  /** From this value of the coins on the checkout proposes a staffed point or a courier instead of a locker. */
  lockerPresetLimitRoubles: 100_000,
  freeCourierFromRoubles: 150_000,
  freePickupFromRoubles: 0,
  ratesStaleSeconds: 180,
  ratesDeadSeconds: 600,
  /** How far behind our clock the exchange may publish by its own rules; free data are about 15 minutes late. */
  ratesDelaySeconds: 1_200,
  rateJumpPercent: 5,
  rateDayJumpPercent: 15,
  requestsPerMinute: 1200,
  writesPerMinute: 240,
  quotesPerMinute: 60,
  ordersPerMinute: 60,
  searchesPerMinute: 600,
  /** The same for all visitors of one address (the /64 of an IPv6 one): mobile networks put many behind one. */
  addressRequestsPerMinute: 6000,
  addressWritesPerMinute: 1200,
  addressQuotesPerMinute: 300,
  addressOrdersPerMinute: 180,
  addressSearchesPerMinute: 3000,
  connections: 25_000,
  connectionsPerAddress: 100,
  /** Open streams of rates in all, of one visitor, and of all visitors of one address. */
  streams: 20_000,
  streamsPerVisitor: 6,
  streamsPerAddress: 500,
  /** Mean delay of the event loop above which new visitors are asked to come again. */
  overloadDelayMs: 250,
};
export type Limits = typeof defaultLimits;
