import type * as alarms from "./waiting/alarms.ts";
import type * as approvals from "./access/approvals.ts";
import type * as audit from "./access/audit.ts";
import type * as buyback from "./buyback/buyback.ts";
import type { StaffCall } from "./call.ts";
import type * as categories from "./coins/categories.ts";
import type * as coins from "./coins/coins.ts";
import type * as media from "./coins/media.ts";
import type * as exchange from "./exchange.ts";
import type * as money from "./money.ts";
import type * as orders from "./orders/orders.ts";
import type * as packing from "./orders/packing.ts";
import type * as people from "./access/people.ts";
import type * as pricePromos from "./prices/price-promos.ts";
import type * as prices from "./prices/prices.ts";
import type * as promoCodes from "./prices/promo-codes.ts";
import type * as rates from "./prices/rates.ts";
import type * as search from "./search.ts";
import type * as content from "./site/content.ts";
import type * as customers from "./customers/customers.ts";
import type * as requests from "./customers/requests.ts";
import type * as reviews from "./customers/reviews.ts";
import type * as session from "./access/session.ts";
import type * as settings from "./site/settings.ts";
import type * as metal from "./prices/metal.ts";
import type * as reports from "./reports.ts";
import type * as stock from "./stock.ts";
import type * as waiting from "./waiting/waiting.ts";

declare const entry: unique symbol;

/**
 * A staff call in the browser: method and path at run time, the entry of the contract at compile time (`calls.test.ts` compares
 * both).
 */
export type StaffCallRef<C extends StaffCall = StaffCall> = `${C["method"]} ${C["path"]}` & { readonly [entry]: C };
export type StaffEntryOf<Ref extends StaffCallRef> = Ref[typeof entry];

/** The calls that the back office makes. The entries hold the schemas, which browsers do not need: here they are imported as types only. */
export const readMe = "GET /api/staff/me" as StaffCallRef<typeof session.readMe>;
export const readSignIn = "GET /api/staff/sign-in" as StaffCallRef<typeof session.readSignIn>;
export const readSignInOptions = "GET /api/staff/sign-in/passkey" as StaffCallRef<typeof session.readSignInOptions>;
export const signInByPasskey = "POST /api/staff/sign-in/passkey" as StaffCallRef<typeof session.signInByPasskey>;
export const signInByPassword = "POST /api/staff/sign-in/password" as StaffCallRef<typeof session.signInByPassword>;
export const demoSignIn = "POST /api/staff/demo-sign-in" as StaffCallRef<typeof session.demoSignIn>;
export const signOut = "POST /api/staff/sign-out" as StaffCallRef<typeof session.signOut>;
export const readStepUpOptions = "GET /api/staff/step-up" as StaffCallRef<typeof session.readStepUpOptions>;
export const stepUp = "POST /api/staff/step-up" as StaffCallRef<typeof session.stepUp>;
export const readDevices = "GET /api/staff/devices" as StaffCallRef<typeof session.readDevices>;
export const endSession = "DELETE /api/staff/sessions/{id}" as StaffCallRef<typeof session.endSession>;
export const endAllSessions = "POST /api/staff/sessions/end" as StaffCallRef<typeof session.endAllSessions>;
export const readNewPasskeyOptions = "GET /api/staff/passkeys/new" as StaffCallRef<typeof session.readNewPasskeyOptions>;
export const addPasskey = "POST /api/staff/passkeys" as StaffCallRef<typeof session.addPasskey>;
export const removePasskey = "DELETE /api/staff/passkeys/{id}" as StaffCallRef<typeof session.removePasskey>;
export const renewRecoveryCodes = "POST /api/staff/recovery-codes" as StaffCallRef<typeof session.renewRecoveryCodes>;
export const openInvitation = "POST /api/staff/invitations/open" as StaffCallRef<typeof session.openInvitation>;
export const acceptInvitation = "POST /api/staff/invitations/accept" as StaffCallRef<typeof session.acceptInvitation>;

export const readWhoMay = "GET /api/staff/who-may" as StaffCallRef<typeof people.readWhoMay>;
export const readPeople = "GET /api/staff/people" as StaffCallRef<typeof people.readPeople>;
export const invitePerson = "POST /api/staff/people" as StaffCallRef<typeof people.invitePerson>;
export const withdrawInvitation = "DELETE /api/staff/invitations/{id}" as StaffCallRef<typeof people.withdrawInvitation>;
export const changeRoles = "PATCH /api/staff/people/{id}" as StaffCallRef<typeof people.changeRoles>;
export const setDisabled = "POST /api/staff/people/{id}/disabled" as StaffCallRef<typeof people.setDisabled>;
export const endSessionsOf = "POST /api/staff/people/{id}/sessions/end" as StaffCallRef<typeof people.endSessionsOf>;
export const resetFactors = "POST /api/staff/people/{id}/factors/reset" as StaffCallRef<typeof people.resetFactors>;

export const readApproval = "GET /api/staff/approvals/{id}" as StaffCallRef<typeof approvals.readApproval>;
export const readApprovals = "GET /api/staff/approvals" as StaffCallRef<typeof approvals.readApprovals>;
export const approve = "POST /api/staff/approvals/{id}/approve" as StaffCallRef<typeof approvals.approve>;
export const withdraw = "POST /api/staff/approvals/{id}/withdraw" as StaffCallRef<typeof approvals.withdraw>;
export const noteSeen = "POST /api/staff/approvals/{id}/seen" as StaffCallRef<typeof approvals.noteSeen>;
export const refuse = "POST /api/staff/approvals/{id}/refuse" as StaffCallRef<typeof approvals.refuse>;

export const readAudit = "GET /api/staff/audit" as StaffCallRef<typeof audit.readAudit>;
export const readAuditPeople = "GET /api/staff/audit/people" as StaffCallRef<typeof audit.readAuditPeople>;
export const exportAudit = "POST /api/staff/audit/export" as StaffCallRef<typeof audit.exportAudit>;

export const readOrderList = "GET /api/staff/orders" as StaffCallRef<typeof orders.readOrderList>;
export const countOrders = "GET /api/staff/orders/counts" as StaffCallRef<typeof orders.countOrders>;
export const readViews = "GET /api/staff/views" as StaffCallRef<typeof orders.readViews>;
export const addView = "POST /api/staff/views" as StaffCallRef<typeof orders.addView>;
export const changeView = "PATCH /api/staff/views/{id}" as StaffCallRef<typeof orders.changeView>;
export const deleteView = "DELETE /api/staff/views/{id}" as StaffCallRef<typeof orders.deleteView>;
export const orderViews = "POST /api/staff/views/order" as StaffCallRef<typeof orders.orderViews>;
export const readOrderCard = "GET /api/staff/orders/{id}" as StaffCallRef<typeof orders.readOrderCard>;
export const seeWhoLooks = "GET /api/staff/orders/{id}/presence" as StaffCallRef<typeof orders.seeWhoLooks>;
export const readOrderColleagues = "GET /api/staff/orders/colleagues" as StaffCallRef<typeof orders.readOrderColleagues>;
export const openContacts = "POST /api/staff/orders/{id}/contacts" as StaffCallRef<typeof orders.openContacts>;
export const packOrder = "POST /api/staff/orders/{id}/pack" as StaffCallRef<typeof orders.packOrder>;
export const moveOrder = "POST /api/staff/orders/{id}/move" as StaffCallRef<typeof orders.moveOrder>;
export const enterPayment = "POST /api/staff/orders/{id}/payment" as StaffCallRef<typeof orders.enterPayment>;
export const previewRefund = "GET /api/staff/orders/{id}/refund" as StaffCallRef<typeof orders.previewRefund>;
export const refundOrder = "POST /api/staff/orders/{id}/refund" as StaffCallRef<typeof orders.refundOrder>;
export const payRefundByTransfer = "POST /api/staff/orders/{id}/refunds/{refundId}/transfer" as StaffCallRef<
  typeof orders.payRefundByTransfer
>;
export const settleRefund = "POST /api/staff/orders/{id}/refund/settle" as StaffCallRef<typeof orders.settleRefund>;
export const changeRecipient = "POST /api/staff/orders/{id}/recipient" as StaffCallRef<typeof orders.changeRecipient>;
export const readPoints = "GET /api/staff/orders/{id}/points" as StaffCallRef<typeof orders.readPoints>;
export const changePoint = "POST /api/staff/orders/{id}/point" as StaffCallRef<typeof orders.changePoint>;
export const changeAddress = "POST /api/staff/orders/{id}/address" as StaffCallRef<typeof orders.changeAddress>;
export const resendParcel = "POST /api/staff/orders/{id}/parcel/resend" as StaffCallRef<typeof orders.resendParcel>;
export const findCoinsToAdd = "GET /api/staff/orders/{id}/additions/coins" as StaffCallRef<typeof orders.findCoinsToAdd>;
export const quoteAddition = "POST /api/staff/orders/{id}/additions/quote" as StaffCallRef<typeof orders.quoteAddition>;
export const placeAddition = "POST /api/staff/orders/{id}/additions" as StaffCallRef<typeof orders.placeAddition>;
export const assignOrder = "POST /api/staff/orders/{id}/assignee" as StaffCallRef<typeof orders.assignOrder>;
export const commentOrder = "POST /api/staff/orders/{id}/comments" as StaffCallRef<typeof orders.commentOrder>;
export const resendMessage = "POST /api/staff/orders/{id}/messages/{messageId}/resend" as StaffCallRef<typeof orders.resendMessage>;
export const packOrders = "POST /api/staff/orders/bulk/pack" as StaffCallRef<typeof orders.packOrders>;
export const printOrders = "POST /api/staff/orders/bulk/print" as StaffCallRef<typeof orders.printOrders>;
export const printOrderSlips = "GET /api/staff/orders/slips" as StaffCallRef<typeof orders.printOrderSlips>;
export const assignOrders = "POST /api/staff/orders/bulk/assign" as StaffCallRef<typeof orders.assignOrders>;

export const readDay = "GET /api/staff/day" as StaffCallRef<typeof waiting.readDay>;
export const readWaiting = "GET /api/staff/waiting" as StaffCallRef<typeof waiting.readWaiting>;
export const readRates = "GET /api/staff/rates" as StaffCallRef<typeof rates.readRates>;
export const findAnything = "GET /api/staff/search" as StaffCallRef<typeof search.findAnything>;

export const readReviews = "GET /api/staff/reviews" as StaffCallRef<typeof reviews.readReviews>;
export const readCoinReviews = "GET /api/staff/coins/{id}/reviews" as StaffCallRef<typeof reviews.readCoinReviews>;
export const decideReview = "POST /api/staff/reviews/{id}/decision" as StaffCallRef<typeof reviews.decideReview>;
export const answerReview = "POST /api/staff/reviews/{id}/answer" as StaffCallRef<typeof reviews.answerReview>;

export const readRequests = "GET /api/staff/requests" as StaffCallRef<typeof requests.readRequests>;
export const readRequest = "GET /api/staff/requests/{id}" as StaffCallRef<typeof requests.readRequest>;
export const openRequestContacts = "POST /api/staff/requests/{id}/contacts" as StaffCallRef<typeof requests.openRequestContacts>;
export const moveRequest = "POST /api/staff/requests/{id}/state" as StaffCallRef<typeof requests.moveRequest>;
export const editRequest = "PATCH /api/staff/requests/{id}" as StaffCallRef<typeof requests.editRequest>;
export const addRequestNote = "POST /api/staff/requests/{id}/notes" as StaffCallRef<typeof requests.addRequestNote>;
export const readRequestColleagues = "GET /api/staff/requests/colleagues" as StaffCallRef<typeof requests.readRequestColleagues>;

export const findCustomers = "GET /api/staff/customers" as StaffCallRef<typeof customers.findCustomers>;
export const readCustomer = "GET /api/staff/customers/{id}" as StaffCallRef<typeof customers.readCustomer>;
export const readCustomerOrders = "GET /api/staff/customers/{id}/orders" as StaffCallRef<typeof customers.readCustomerOrders>;
export const openCustomer = "POST /api/staff/customers/{id}/contacts" as StaffCallRef<typeof customers.openCustomer>;
export const addCustomerNote = "POST /api/staff/customers/{id}/notes" as StaffCallRef<typeof customers.addCustomerNote>;
export const endCustomerSessions = "POST /api/staff/customers/{id}/sessions/end" as StaffCallRef<typeof customers.endCustomerSessions>;
export const exportCustomer = "POST /api/staff/customers/{id}/export" as StaffCallRef<typeof customers.exportCustomer>;
export const eraseCustomer = "POST /api/staff/customers/{id}/erase" as StaffCallRef<typeof customers.eraseCustomer>;
export const exportNewsletter = "POST /api/staff/newsletter/export" as StaffCallRef<typeof customers.exportNewsletter>;
export const readSubscribers = "GET /api/staff/newsletter" as StaffCallRef<typeof customers.readSubscribers>;
export const endNewsletter = "POST /api/staff/newsletter/{id}/end" as StaffCallRef<typeof customers.endNewsletter>;
export const readPrivacyRequests = "GET /api/staff/privacy-requests" as StaffCallRef<typeof customers.readPrivacyRequests>;
export const addPrivacyRequest = "POST /api/staff/privacy-requests" as StaffCallRef<typeof customers.addPrivacyRequest>;
export const finishPrivacyRequest = "POST /api/staff/privacy-requests/{id}/done" as StaffCallRef<typeof customers.finishPrivacyRequest>;

export const importStatement = "POST /api/staff/statements" as StaffCallRef<typeof money.importStatement>;
export const readStatements = "GET /api/staff/statements" as StaffCallRef<typeof money.readStatements>;
export const readStatement = "GET /api/staff/statements/{id}" as StaffCallRef<typeof money.readStatement>;
export const readSettledEntries = "GET /api/staff/statements/{id}/settled" as StaffCallRef<typeof money.readSettledEntries>;
export const settleEntry = "POST /api/staff/statement-entries/{id}/settle" as StaffCallRef<typeof money.settleEntry>;
export const settleEntries = "POST /api/staff/statement-entries/settle" as StaffCallRef<typeof money.settleEntries>;
export const markEntry = "POST /api/staff/statement-entries/{id}/mark" as StaffCallRef<typeof money.markEntry>;
export const reopenEntry = "POST /api/staff/statement-entries/{id}/reopen" as StaffCallRef<typeof money.reopenEntry>;
export const readEntriesToReturn = "GET /api/staff/statement-entries/to-return" as StaffCallRef<typeof money.readEntriesToReturn>;
export const confirmEntryReturned = "POST /api/staff/statement-entries/{id}/returned" as StaffCallRef<typeof money.confirmEntryReturned>;
export const findPayableOrder = "GET /api/staff/payable-orders" as StaffCallRef<typeof money.findPayableOrder>;
export const readPayments = "GET /api/staff/payments" as StaffCallRef<typeof money.readPayments>;
export const readPayment = "GET /api/staff/payments/{id}" as StaffCallRef<typeof money.readPayment>;
export const readReceipts = "GET /api/staff/receipts" as StaffCallRef<typeof money.readReceipts>;
export const printReceipt = "POST /api/staff/receipts/{id}/print" as StaffCallRef<typeof money.printReceipt>;
export const retryReceipt = "POST /api/staff/receipts/{id}/retry" as StaffCallRef<typeof money.retryReceipt>;
export const readTransfers = "GET /api/staff/transfers" as StaffCallRef<typeof money.readTransfers>;
export const enterTransfer = "POST /api/staff/transfers" as StaffCallRef<typeof money.enterTransfer>;
export const readDifferences = "GET /api/staff/differences" as StaffCallRef<typeof money.readDifferences>;
export const compareWithProvider = "POST /api/staff/differences/compare" as StaffCallRef<typeof money.compareWithProvider>;
export const settleDifference = "POST /api/staff/differences/{id}/settle" as StaffCallRef<typeof money.settleDifference>;
export const readRefunds = "GET /api/staff/refunds" as StaffCallRef<typeof money.readRefunds>;
export const confirmRefundSent = "POST /api/staff/refunds/{id}/sent" as StaffCallRef<typeof money.confirmRefundSent>;
export const retryRefund = "POST /api/staff/refunds/{id}/retry" as StaffCallRef<typeof money.retryRefund>;
export const readMoneyCounts = "GET /api/staff/money/counts" as StaffCallRef<typeof money.readMoneyCounts>;

export const readPacking = "GET /api/staff/packing" as StaffCallRef<typeof packing.readPacking>;
export const openBatch = "POST /api/staff/packing/batches" as StaffCallRef<typeof packing.openBatch>;
export const readBatch = "GET /api/staff/packing/batches/{id}" as StaffCallRef<typeof packing.readBatch>;
export const printPickList = "GET /api/staff/packing/batches/{id}/pick-list" as StaffCallRef<typeof packing.printPickList>;
export const printSlips = "GET /api/staff/packing/batches/{id}/slips" as StaffCallRef<typeof packing.printSlips>;
export const printSlip = "GET /api/staff/packing/orders/{orderId}/slip" as StaffCallRef<typeof packing.printSlip>;
export const takeOverOrder = "POST /api/staff/packing/batches/{id}/orders/{orderId}/take-over" as StaffCallRef<
  typeof packing.takeOverOrder
>;
export const scanPiece = "POST /api/staff/packing/batches/{id}/orders/{orderId}/scan" as StaffCallRef<typeof packing.scanPiece>;
export const tickPieces = "POST /api/staff/packing/batches/{id}/orders/{orderId}/tick" as StaffCallRef<typeof packing.tickPieces>;
export const finishOrder = "POST /api/staff/packing/batches/{id}/orders/{orderId}/pack" as StaffCallRef<typeof packing.finishOrder>;
export const postponeOrder = "POST /api/staff/packing/batches/{id}/orders/{orderId}/postpone" as StaffCallRef<typeof packing.postponeOrder>;
export const requestLabels = "POST /api/staff/packing/labels" as StaffCallRef<typeof packing.requestLabels>;
export const readLabel = "GET /api/staff/packing/labels/{id}" as StaffCallRef<typeof packing.readLabel>;
export const printLabel = "GET /api/staff/packing/labels/{id}/file" as StaffCallRef<typeof packing.printLabel>;
export const readHandOver = "GET /api/staff/packing/hand-over" as StaffCallRef<typeof packing.readHandOver>;
export const printHandOver = "GET /api/staff/packing/hand-over/list" as StaffCallRef<typeof packing.printHandOver>;
export const handOver = "POST /api/staff/packing/hand-over" as StaffCallRef<typeof packing.handOver>;

export const readPriceFilters = "GET /api/staff/prices/filters" as StaffCallRef<typeof prices.readPriceFilters>;
export const previewPrices = "GET /api/staff/prices/preview" as StaffCallRef<typeof prices.previewPrices>;
export const changePrices = "POST /api/staff/price-changes" as StaffCallRef<typeof prices.changePrices>;
export const readPriceChanges = "GET /api/staff/price-changes" as StaffCallRef<typeof prices.readPriceChanges>;
export const readPriceChange = "GET /api/staff/price-changes/{id}" as StaffCallRef<typeof prices.readPriceChange>;
export const cancelPriceChange = "POST /api/staff/price-changes/{id}/cancel" as StaffCallRef<typeof prices.cancelPriceChange>;
export const undoPriceChange = "POST /api/staff/price-changes/{id}/undo" as StaffCallRef<typeof prices.undoPriceChange>;
export const readPriceSteps = "GET /api/staff/price-steps" as StaffCallRef<typeof prices.readPriceSteps>;
export const readFormerPriceSteps = "GET /api/staff/price-steps/former" as StaffCallRef<typeof prices.readFormerPriceSteps>;
export const savePriceSteps = "POST /api/staff/price-steps" as StaffCallRef<typeof prices.savePriceSteps>;

export const readPricePromos = "GET /api/staff/price-promos" as StaffCallRef<typeof pricePromos.readPricePromos>;
export const readPricePromo = "GET /api/staff/price-promos/{id}" as StaffCallRef<typeof pricePromos.readPricePromo>;
export const createPricePromo = "POST /api/staff/price-promos" as StaffCallRef<typeof pricePromos.createPricePromo>;
export const stopPricePromo = "POST /api/staff/price-promos/{id}/stop" as StaffCallRef<typeof pricePromos.stopPricePromo>;

export const readPromoCodes = "GET /api/staff/promo-codes" as StaffCallRef<typeof promoCodes.readPromoCodes>;
export const readPromoCode = "GET /api/staff/promo-codes/{id}" as StaffCallRef<typeof promoCodes.readPromoCode>;
export const createPromoCode = "POST /api/staff/promo-codes" as StaffCallRef<typeof promoCodes.createPromoCode>;
export const stopPromoCode = "POST /api/staff/promo-codes/{id}/stop" as StaffCallRef<typeof promoCodes.stopPromoCode>;

export const listSettings = "GET /api/staff/settings" as StaffCallRef<typeof settings.listSettings>;
export const readSettings = "GET /api/staff/settings/{key}" as StaffCallRef<typeof settings.readSettings>;
export const readSettingsHistory = "GET /api/staff/settings/{key}/history" as StaffCallRef<typeof settings.readSettingsHistory>;
export const saveSettings = "PATCH /api/staff/settings/{key}" as StaffCallRef<typeof settings.saveSettings>;
export const restoreSettings = "POST /api/staff/settings/{key}/restore" as StaffCallRef<typeof settings.restoreSettings>;
export const readStock = "GET /api/staff/stock" as StaffCallRef<typeof stock.readStock>;
export const readStockSummary = "GET /api/staff/stock/summary" as StaffCallRef<typeof stock.readStockSummary>;
export const findStockCoins = "GET /api/staff/stock/find" as StaffCallRef<typeof stock.findStockCoins>;
export const readStockCoin = "GET /api/staff/stock/coins/{id}" as StaffCallRef<typeof stock.readStockCoin>;
export const readStockEntries = "GET /api/staff/stock/coins/{id}/entries" as StaffCallRef<typeof stock.readStockEntries>;
export const setStockThreshold = "POST /api/staff/stock/coins/{id}/threshold" as StaffCallRef<typeof stock.setStockThreshold>;
export const readDocuments = "GET /api/staff/stock/documents" as StaffCallRef<typeof stock.readDocuments>;
export const readDocument = "GET /api/staff/stock/documents/{id}" as StaffCallRef<typeof stock.readDocument>;
export const createDocument = "POST /api/staff/stock/documents" as StaffCallRef<typeof stock.createDocument>;
export const saveDocument = "PATCH /api/staff/stock/documents/{id}" as StaffCallRef<typeof stock.saveDocument>;
export const discardDocument = "POST /api/staff/stock/documents/{id}/discard" as StaffCallRef<typeof stock.discardDocument>;
export const postDocument = "POST /api/staff/stock/documents/{id}/post" as StaffCallRef<typeof stock.postDocument>;
export const postCorrection = "POST /api/staff/stock/documents/{id}/correct" as StaffCallRef<typeof stock.postCorrection>;
export const reverseDocument = "POST /api/staff/stock/documents/{id}/reverse" as StaffCallRef<typeof stock.reverseDocument>;
export const readStocktakes = "GET /api/staff/stock/stocktakes" as StaffCallRef<typeof stock.readStocktakes>;
export const readStocktake = "GET /api/staff/stock/stocktakes/{id}" as StaffCallRef<typeof stock.readStocktake>;
export const startStocktake = "POST /api/staff/stock/stocktakes" as StaffCallRef<typeof stock.startStocktake>;
export const countPieces = "POST /api/staff/stock/stocktakes/{id}/count" as StaffCallRef<typeof stock.countPieces>;
export const finishStocktake = "POST /api/staff/stock/stocktakes/{id}/finish" as StaffCallRef<typeof stock.finishStocktake>;
export const cancelStocktake = "POST /api/staff/stock/stocktakes/{id}/cancel" as StaffCallRef<typeof stock.cancelStocktake>;
export const readTexts = "GET /api/staff/content/texts" as StaffCallRef<typeof content.readTexts>;
export const readContent = "GET /api/staff/content/{kind}/{id}" as StaffCallRef<typeof content.readContent>;
export const createText = "POST /api/staff/content/{kind}" as StaffCallRef<typeof content.createText>;
export const saveContent = "POST /api/staff/content/{kind}/{id}" as StaffCallRef<typeof content.saveContent>;
export const takeContentDown = "POST /api/staff/content/{kind}/{id}/take-down" as StaffCallRef<typeof content.takeContentDown>;
export const unscheduleContent = "POST /api/staff/content/{kind}/{id}/unschedule" as StaffCallRef<typeof content.unscheduleContent>;
export const restoreContent = "POST /api/staff/content/{kind}/{id}/restore" as StaffCallRef<typeof content.restoreContent>;
export const removeText = "DELETE /api/staff/content/{kind}/{id}" as StaffCallRef<typeof content.removeText>;
export const orderTexts = "POST /api/staff/content/order/{kind}" as StaffCallRef<typeof content.orderTexts>;
export const readVersions = "GET /api/staff/content/{kind}/{id}/versions" as StaffCallRef<typeof content.readVersions>;
export const readVersion = "GET /api/staff/content/{kind}/{id}/versions/{version}" as StaffCallRef<typeof content.readVersion>;
export const previewMarkdown = "POST /api/staff/content/preview" as StaffCallRef<typeof content.previewMarkdown>;
export const readRedirects = "GET /api/staff/redirects" as StaffCallRef<typeof content.readRedirects>;
export const saveRedirect = "POST /api/staff/redirects" as StaffCallRef<typeof content.saveRedirect>;
export const removeRedirect = "POST /api/staff/redirects/remove" as StaffCallRef<typeof content.removeRedirect>;
export const findBlockCoins = "GET /api/staff/content/coins" as StaffCallRef<typeof content.findBlockCoins>;
export const readCoins = "GET /api/staff/coins" as StaffCallRef<typeof coins.readCoins>;
export const readCoinForm = "GET /api/staff/coins/form" as StaffCallRef<typeof coins.readCoinForm>;
export const readCoin = "GET /api/staff/coins/{id}" as StaffCallRef<typeof coins.readCoin>;
export const readCoinVersions = "GET /api/staff/coins/{id}/versions" as StaffCallRef<typeof coins.readCoinVersions>;
export const readCoinVersion = "GET /api/staff/coins/{id}/versions/{entry}" as StaffCallRef<typeof coins.readCoinVersion>;
export const addCoin = "POST /api/staff/coins" as StaffCallRef<typeof coins.addCoin>;
export const saveCoin = "PATCH /api/staff/coins/{id}" as StaffCallRef<typeof coins.saveCoin>;
export const publishCoin = "POST /api/staff/coins/{id}/published" as StaffCallRef<typeof coins.publishCoin>;
export const findCoinTwin = "GET /api/staff/coins/twin" as StaffCallRef<typeof coins.findCoinTwin>;
export const previewCoin = "POST /api/staff/coins/{id}/preview" as StaffCallRef<typeof coins.previewCoin>;
export const previewNewCoin = "POST /api/staff/coins/preview" as StaffCallRef<typeof coins.previewNewCoin>;

export const readCategories = "GET /api/staff/categories" as StaffCallRef<typeof categories.readCategories>;
export const addCategory = "POST /api/staff/categories" as StaffCallRef<typeof categories.addCategory>;
export const saveCategory = "POST /api/staff/categories/save" as StaffCallRef<typeof categories.saveCategory>;
export const deleteCategory = "POST /api/staff/categories/delete" as StaffCallRef<typeof categories.deleteCategory>;
export const orderCategories = "POST /api/staff/categories/order" as StaffCallRef<typeof categories.orderCategories>;
export const readSeries = "GET /api/staff/series" as StaffCallRef<typeof categories.readSeries>;
export const addSeries = "POST /api/staff/series" as StaffCallRef<typeof categories.addSeries>;
export const saveSeries = "POST /api/staff/series/save" as StaffCallRef<typeof categories.saveSeries>;
export const deleteSeries = "POST /api/staff/series/delete" as StaffCallRef<typeof categories.deleteSeries>;
export const orderSeries = "POST /api/staff/series/order" as StaffCallRef<typeof categories.orderSeries>;
export const readSynonyms = "GET /api/staff/synonyms" as StaffCallRef<typeof categories.readSynonyms>;
export const saveSynonym = "POST /api/staff/synonyms" as StaffCallRef<typeof categories.saveSynonym>;
export const deleteSynonym = "POST /api/staff/synonyms/delete" as StaffCallRef<typeof categories.deleteSynonym>;

export const uploadFilm = "POST /api/staff/media/films" as StaffCallRef<typeof media.uploadFilm>;
export const uploadPicture = "POST /api/staff/media/pictures" as StaffCallRef<typeof media.uploadPicture>;

export const checkImport = "POST /api/staff/exchange/imports" as StaffCallRef<typeof exchange.checkImport>;
export const readImports = "GET /api/staff/exchange/imports" as StaffCallRef<typeof exchange.readImports>;
export const readImport = "GET /api/staff/exchange/imports/{id}" as StaffCallRef<typeof exchange.readImport>;
export const applyCoinImport = "POST /api/staff/exchange/imports/{id}/apply-coins" as StaffCallRef<typeof exchange.applyCoinImport>;
export const applyPriceImport = "POST /api/staff/exchange/imports/{id}/apply-prices" as StaffCallRef<typeof exchange.applyPriceImport>;
export const applyStockImport = "POST /api/staff/exchange/imports/{id}/apply-stock" as StaffCallRef<typeof exchange.applyStockImport>;
export const applyStocktakeImport = "POST /api/staff/exchange/imports/{id}/apply-stocktake" as StaffCallRef<
  typeof exchange.applyStocktakeImport
>;
export const publishImported = "POST /api/staff/exchange/imports/{id}/publish-new" as StaffCallRef<typeof exchange.publishImported>;
export const discardImport = "POST /api/staff/exchange/imports/{id}/discard" as StaffCallRef<typeof exchange.discardImport>;
export const exportGoods = "POST /api/staff/exchange/exports/goods" as StaffCallRef<typeof exchange.exportGoods>;
export const exportOrders = "POST /api/staff/exchange/exports/orders" as StaffCallRef<typeof exchange.exportOrders>;
export const exportOrdersWithBuyers = "POST /api/staff/exchange/exports/orders-with-buyers" as StaffCallRef<
  typeof exchange.exportOrdersWithBuyers
>;
export const printPriceList = "GET /api/staff/exchange/price-list" as StaffCallRef<typeof exchange.printPriceList>;
export const readAccounting = "GET /api/staff/exchange/accounting" as StaffCallRef<typeof exchange.readAccounting>;
export const recheckAccounting = "POST /api/staff/exchange/accounting/check" as StaffCallRef<typeof exchange.recheckAccounting>;
export const readGoods = "GET /api/staff/exchange/goods" as StaffCallRef<typeof exchange.readGoods>;
export const mapGood = "POST /api/staff/exchange/goods/map" as StaffCallRef<typeof exchange.mapGood>;
export const readExposure = "GET /api/staff/metal" as StaffCallRef<typeof metal.readExposure>;
export const downloadExposure = "GET /api/staff/metal/file" as StaffCallRef<typeof metal.downloadExposure>;
export const readHedges = "GET /api/staff/hedges" as StaffCallRef<typeof metal.readHedges>;
export const addHedge = "POST /api/staff/hedges" as StaffCallRef<typeof metal.addHedge>;
export const reverseHedge = "POST /api/staff/hedges/{id}/reverse" as StaffCallRef<typeof metal.reverseHedge>;

export const readReport = "GET /api/staff/reports/{name}" as StaffCallRef<typeof reports.readReport>;
export const downloadReport = "GET /api/staff/reports/{name}/file" as StaffCallRef<typeof reports.downloadReport>;

export const readAlarms = "GET /api/staff/alarms" as StaffCallRef<typeof alarms.readAlarms>;
export const closeAlarm = "POST /api/staff/alarms/{id}/close" as StaffCallRef<typeof alarms.closeAlarm>;
export const changePassword = "POST /api/staff/password" as StaffCallRef<typeof session.changePassword>;

export const readDeals = "GET /api/staff/buyback" as StaffCallRef<typeof buyback.readDeals>;
export const readDealForm = "GET /api/staff/buyback/form" as StaffCallRef<typeof buyback.readDealForm>;
export const findDealCoins = "GET /api/staff/buyback/coins" as StaffCallRef<typeof buyback.findDealCoins>;
export const readDealColleagues = "GET /api/staff/buyback/colleagues" as StaffCallRef<typeof buyback.readDealColleagues>;
export const readDeal = "GET /api/staff/buyback/{id}" as StaffCallRef<typeof buyback.readDeal>;
export const createDeal = "POST /api/staff/buyback" as StaffCallRef<typeof buyback.createDeal>;
export const editDeal = "PATCH /api/staff/buyback/{id}" as StaffCallRef<typeof buyback.editDeal>;
export const lockDeal = "POST /api/staff/buyback/{id}/lock" as StaffCallRef<typeof buyback.lockDeal>;
export const renewDeal = "POST /api/staff/buyback/{id}/renew" as StaffCallRef<typeof buyback.renewDeal>;
export const cancelDeal = "POST /api/staff/buyback/{id}/cancel" as StaffCallRef<typeof buyback.cancelDeal>;
export const receiveDeal = "POST /api/staff/buyback/{id}/receive" as StaffCallRef<typeof buyback.receiveDeal>;
export const checkDeal = "POST /api/staff/buyback/{id}/check" as StaffCallRef<typeof buyback.checkDeal>;
export const returnDeal = "POST /api/staff/buyback/{id}/return" as StaffCallRef<typeof buyback.returnDeal>;
export const assignDeal = "POST /api/staff/buyback/{id}/assignee" as StaffCallRef<typeof buyback.assignDeal>;
export const openDealContacts = "POST /api/staff/buyback/{id}/contacts" as StaffCallRef<typeof buyback.openDealContacts>;
export const saveIdentity = "POST /api/staff/buyback/{id}/identity" as StaffCallRef<typeof buyback.saveIdentity>;
export const openIdentity = "POST /api/staff/buyback/{id}/identity/open" as StaffCallRef<typeof buyback.openIdentity>;
export const printContract = "POST /api/staff/buyback/{id}/contract" as StaffCallRef<typeof buyback.printContract>;
export const payDeal = "POST /api/staff/buyback/{id}/pay" as StaffCallRef<typeof buyback.payDeal>;
export const recordDealReceipt = "POST /api/staff/buyback/{id}/receipt" as StaffCallRef<typeof buyback.recordDealReceipt>;
export const shelveDeal = "POST /api/staff/buyback/{id}/shelve" as StaffCallRef<typeof buyback.shelveDeal>;
