import type { DeadlineLimits } from "#kit/concurrency/deadline.ts";
import type { PasswordCost } from "#kit/security/password.ts";
import type { MarketCalendar } from "./rates/calendar.ts";
import type { Seller } from "./seller.ts";
import type { CourierVisits, OfficeHours } from "./working-hours.ts";

/**
 * What the owner of the shop can change without code. The settings file and the environment have the defaults, staff change them in the
 * back office (settings/service.ts). The object lives as long as the process and gets other content when a change is taken over: keep a
 * reference to `settings` or `settings.limits`, never to a value of theirs.
 */
export type ShopSettings = {
  shop: ShopIdentity;
  /** Bank details for invoices and transfers. */
  seller: Seller;
  limits: Limits;
  /** Limits that the environment sets: there staff cannot change them. */
  fixedLimits?: readonly string[];
  publicUrl: string;
  /** The visit counter (Yandex Metrika): its number and the URL of its script. Without it no statistics are collected. */
  counter?: { id: number; script: string } | null;
  /** When the exchange is expected to trade. */
  market: MarketCalendar;
  /** When staff answers callbacks. */
  office: OfficeHours;
  /** When the courier fetches packed parcels. */
  courier: CourierVisits;
  /** Where the accounting system (1C) finds the exchange; absent: it is off. */
  accountingUrl?: string | null;
  /** URL of the map script at checkout, with its key; null: checkout shows the list of points without a map. */
  mapScriptUrl: string | null;
  /** What a new password hash of staff costs. */
  passwordCost: PasswordCost;
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
  /** `id`: the service, which chooses the icon (`messengerId`); two links may have the same. */
  messengers: { id: string; title: string; href: string }[];
  ratings: { platform: string; value: string; isSample: boolean }[];
};

/**
 * Limits that protect accounts, money for SMS, goods and memory from guessing and floods, and how long records are kept. Each can be set
 * in the environment by its name: `codeTriesPerCode` → `CODE_TRIES_PER_CODE`.
 */
export const defaultLimits = {
  codeTriesPerCode: 5,
  codeLifeSeconds: 300,
  codeResendSeconds: 120,
  codesPerPhoneHour: 5,
  codesPerPhoneDay: 8,
  wrongCodesPerPhoneDay: 15,
  wrongCodesPerPhoneEver: 100,
  /** Wrong codes from a known browser of the account since its last sign-in; with more of them the browser is no longer known. */
  wrongCodesPerDevice: 20,
  /** How long after its last use a browser is known to the account. */
  knownDeviceDays: 180,
  codesPerAddressHour: 10,
  wrongCodesPerAddressHour: 30,
  codesPerNetworkHour: 200,
  smsBudgetMinute: 60,
  smsBudgetDay: 3000,
  /** The share of both budgets that messages about orders may use; the rest is reserved for sign-in codes. */
  smsBudgetOrdersPercent: 50,
  /** With less on the account of the SMS gateway an alarm asks to pay it in. */
  smsBalanceRoubles: 500,
  /** Messages about orders to one phone and to one mailbox, and those caused by unpaid orders from one network address. */
  orderSmsPerPhoneDay: 12,
  orderLettersPerMailboxHour: 30,
  orderLettersPerMailboxDay: 60,
  orderMessagesPerAddressHour: 200,
  sessionIdleDays: 30,
  sessionAbsoluteDays: 180,
  /** After this many days without use, a sign-in from a new browser sends a letter: the phone may have a new owner. */
  accountIdleDays: 180,
  /** For how long after entering a code the customer may change the e-mail or delete the account. */
  freshCodeMinutes: 10,
  /**
   * How long orders of guests and of deleted accounts keep name, phone, e-mail and address: accounting and the law on precious metals
   * require five years.
   */
  orderPersonalDays: 1826,
  /** How long sent letters and SMS keep their text and recipient. */
  messagePersonalDays: 90,
  /** How long stored webhooks of the payment provider and the carrier keep their bodies. */
  providerEventDays: 90,
  /** How long records without money are stored: sent messages, webhooks, prints of labels, imports of points, searches without a result. */
  recordDays: 400,
  /** How long carts and lists of guests are stored since their last use. */
  guestDataDays: 365,
  /** How long a locked price without an order is stored, for questions about prices, and how long a repeated call finds its order. */
  quoteDays: 7,
  /** How long a printed label of a parcel is stored; after that it is requested from the carrier again. */
  labelMinutes: 60,
  /** The most orders in one batch of packing, at most 100: the carrier prints the labels of a batch in one file. */
  packingBatchOrders: 50,
  /** How long an order belongs to the packer who checked its pieces last; after that another one may go on without a question. */
  packingClaimMinutes: 10,
  /** How long the entries of a checkout without scripts are stored on the server, since their last change. */
  checkoutDraftHours: 24,
  cartLines: 200,
  wishlistItems: 500,
  compareItems: 10,
  unpaidOrders: 5,
  /** Unpaid orders that the buyer cancelled within `cancelledOrderMinutes`: this many are not counted, further ones count as unpaid. */
  cancelledOrders: 3,
  cancelledOrderMinutes: 15,
  /** What unpaid orders of one browser, phone or mailbox may reserve, and those from one network address (IPv6: the /64); 0: no limit. */
  reservedPiecesPerPerson: 200,
  reservedRoublesPerPerson: 15_000_000,
  reservedPiecesPerAddress: 600,
  reservedRoublesPerAddress: 40_000_000,
  /** The share of a coin's pieces that unpaid orders from one address may reserve (0: no limit), and the number that is always allowed. */
  addressSharePercent: 50,
  addressFreePieces: 10,
  /** A coin imported at this price or above gets this purchase limit per order, unless the import file names one; 0 pieces: no limit. */
  purchaseLimitFromRoubles: 300_000,
  purchaseLimitPieces: 20,
  /** Above it an invoice requires a signed-in customer whose own phone is the order's. */
  invoiceUnconfirmedRoubles: 5_000_000,
  /** The age up to which a guest's order can be claimed by the account of its phone: operators reassign numbers after a few months. */
  claimDays: 30,
  /** Reviews, buyback, partner and callback requests, each kind counted separately. */
  inquiriesPerAddressHour: 5,
  /** Letters of thanks to one mailbox: the sender may enter any address. */
  inquiryLettersPerMailboxDay: 5,
  /** In which time a callback is due, in minutes of the office's hours, and until which hour of the next working day other requests are. */
  callbackDueMinutes: 30,
  requestDueHour: 18,
  /** Working days for a request about personal data (152-FZ, article 20). */
  privacyRequestWorkingDays: 10,
  alertsPerMailbox: 20,
  quoteLifeSeconds: 600,
  paymentLifeMinutes: 65,
  paymentAttemptMinutes: 30,
  /** How long an invoice reserves its coins, counted on banking days only. */
  invoiceHours: 24,
  /** A part payment of an invoice extends its deadline by `invoiceHours` once this share of the total has been paid. */
  partPaymentProlongsPercent: 30,
  /** How long an order that is paid on collection reserves its coins until staff packs it. */
  collectionHours: 72,
  /** How long before that its buyer receives a reminder. */
  collectionReminderHours: 24,
  /** Raise an alarm after this long without the provider's answer about a refund, and repeat it after so many hours. */
  refundStuckMinutes: 60,
  refundStuckAgainHours: 24,
  /** A refund by staff needs a second person when the refunds of its order, or of the clerk today, exceed these; 0: always. */
  refundApprovalOrderRoubles: 100_000,
  refundApprovalDayRoubles: 100_000,
  /** A price change needs a second person when it moves a premium or discount further, or has more coins, and always below metal. */
  priceApprovalPremiumBp: 200,
  priceApprovalCoins: 50,
  /** A promo code that takes off more than this of the price, or a larger sum, needs a second person. */
  promoCodeApprovalBp: 300,
  promoCodeApprovalRoubles: 5_000,
  /** A former price is shown crossed out beside a promo when the coin was on sale for this long before; the lowest one of that time. */
  promoSettledDays: 30,
  /** The longest price promo. */
  promoDays: 92,
  /** The most coins of one price change. */
  priceChangeCoins: 10_000,
  /** How long after its last heartbeat the card of an order counts as open in the back office. */
  staffPresenceSeconds: 75,
  /** How long before the end of its reservation an unpaid order is shown among what waits for staff. */
  unpaidSoonMinutes: 120,
  /** From this number of available pieces a coin counts as low, unless it has a threshold of its own. */
  lowStockPieces: 3,
  /** Beyond so many open grams of pure metal, long or short, the exposure is marked; 0: no limit. */
  openGoldGrams: 600,
  openSilverGrams: 8_000,
  /** How many days of the provider's payments and refunds the ledger check compares. */
  ledgerCompareDays: 3,
  /** How long a parcel may travel back before an alarm is raised. */
  returnDays: 30,
  cardLimitRoubles: 350_000,
  sbpLimitRoubles: 700_000,
  collectionLimitRoubles: 700_000,
  /** Above it a parcel goes by special contact only: the carrier's insurance ends here. */
  insuredLimitRoubles: 3_000_000,
  /** The same for the gold in the parcel, by the carrier's contract; 0: the carrier accepts no gold. */
  carrierGoldLimitRoubles: 3_000_000,
  /** Above it no parcel goes into a locker, where no passport is checked. */
  lockerLimitRoubles: 3_000_000,
  /** From this value of the coins, checkout preselects a staffed point or a courier instead of a locker. */
  lockerPresetLimitRoubles: 100_000,
  freeCourierFromRoubles: 150_000,
  freePickupFromRoubles: 0,
  ratesStaleSeconds: 180,
  ratesDeadSeconds: 600,
  /** How far published rates may lag behind our clock by the exchange's rules; free data are about 15 minutes late. */
  ratesDelaySeconds: 1_200,
  rateJumpPercent: 5,
  rateDayJumpPercent: 15,
  requestsPerMinute: 1200,
  /** Pages that are not answered from the cache before the router. */
  pagesPerMinute: 600,
  writesPerMinute: 240,
  quotesPerMinute: 60,
  ordersPerMinute: 60,
  /** Promo codes that one visitor enters, as a guess would. */
  promoCodesPerMinute: 10,
  searchesPerMinute: 600,
  /** The same for all visitors of one network address (IPv6: the /64): mobile networks put many visitors behind one address. */
  addressRequestsPerMinute: 6000,
  addressPagesPerMinute: 3000,
  addressWritesPerMinute: 1200,
  addressQuotesPerMinute: 300,
  addressOrdersPerMinute: 180,
  addressPromoCodesPerMinute: 60,
  addressSearchesPerMinute: 3000,
  connections: 25_000,
  connectionsPerAddress: 100,
  /** Open streams of rates in all, of one visitor, and of all visitors of one address. */
  streams: 20_000,
  streamsPerVisitor: 6,
  streamsPerAddress: 500,
  /** A session of staff ends after so long without a call, and after so long in any case. */
  staffIdleHours: 8,
  staffSessionHours: 12,
  /** How long the address of a preview shows a draft to everybody who has it. */
  previewMinutes: 30,
  /** For how long after the second factor calls that require it are accepted. */
  staffStepUpMinutes: 5,
  /** So many failed sign-ins close an account, and an address, for `staffClosedMinutes`. */
  staffFailures: 5,
  staffClosedMinutes: 15,
  staffInvitationMinutes: 60,
  /** The most documents in one bank statement. */
  statementEntries: 2_000,
  /** The largest table that is imported, and what an XLSX file may unzip to. */
  exchangeRows: 20_000,
  exchangeColumns: 100,
  exchangeUnzippedMegabytes: 96,
  /** How long a checked import can be applied, and how long its rows are stored. */
  exchangeCheckHours: 72,
  exchangeRowDays: 90,
  /** The most orders of one export, and the most rows of one XLSX file. */
  exportOrders: 50_000,
  exportXlsxRows: 20_000,
  /** What the accounting system (1C) may send in one session, unzipped; its calls and its sign-ins from one address in a minute. */
  accountingMegabytes: 64,
  accountingCallsPerMinute: 600,
  accountingSignInsPerMinute: 10,
  /** How long a session of it may pause, and how long its files and the list of its calls are stored. */
  accountingSessionMinutes: 60,
  accountingDays: 30,
  /** The most orders of one answer to it, and how old an order may be that it has never received. */
  accountingOrders: 500,
  accountingOrderDays: 90,
  /** How long a repeated call of staff receives the first answer. */
  staffCallKeyHours: 24,
  /** How long a locked offer of a buyback holds its prices. */
  buybackLockHours: 24,
  /** A payout of a buyback over this sum needs a second person. */
  payoutApprovalRoubles: 300_000,
  /** From this sum of a person in 12 months on a payout is under mandatory control (115-FZ art. 6) and needs a second person. */
  buybackControlRoubles: 1_000_000,
  /** How long identity documents of sellers are stored after the payout: five years (115-FZ art. 7). */
  buybackIdentityDays: 1826,
  /** How long a second person may decide, and how long the input of a decided call is stored. */
  approvalHours: 24,
  approvalInputDays: 90,
  /** Database connections of the back office, beside those of the storefront. */
  staffConnections: 5,
  /** Mean delay of the event loop above which new visitors receive 503 with `Retry-After`. */
  overloadDelayMs: 250,
  /** An alarm is raised when no restore of the backup was proven for so long; 0: never. */
  backupProofHours: 26,
  /** An alarm is raised when a disk of the data folder or of the database is used to this share; 0: never. */
  diskAlarmPercent: 80,
  /** A call or a page is answered with 503 after this time, time in which a provider is called not counted. */
  requestDeadlineMs: 2_800,
  /** For so long before that no statement is sent any more: a commit that was sent is still answered by a database that needs this long. */
  requestReserveMs: 500,
  /** The same time for the price feed and the site map, which are made from the whole catalogue for programs that wait. */
  feedDeadlineMs: 30_000,
};
export type Limits = typeof defaultLimits;

/** The time limits of a request for a feed. */
export const feedDeadlineOf = ({ feedDeadlineMs, requestReserveMs }: Limits): DeadlineLimits => ({
  answerMs: feedDeadlineMs,
  reserveMs: requestReserveMs,
});

/** The time limits of one request. */
export const deadlineOf = ({ requestDeadlineMs, requestReserveMs }: Limits): DeadlineLimits => ({
  answerMs: requestDeadlineMs,
  reserveMs: requestReserveMs,
});
