import type { Fakes } from "./fakes.ts";
import { scrub } from "./fakes.ts";

/** What the copy has in place of a value that is not null. JSON columns receive and return parsed values; null is stored as null. */
export type Rule = "keep" | ((value: unknown, fakes: Fakes) => unknown);
type Rules = Readonly<Record<string, Rule>>;
/** `omit`: no row of the table is copied. */
export type TableRules = "omit" | Rules;

const keep = (...columns: string[]): Rules => Object.fromEntries(columns.map((column) => [column, "keep"]));
const each = (rule: Rule, ...columns: string[]): Rules => Object.fromEntries(columns.map((column) => [column, rule]));

const none: Rule = () => null;
const empty: Rule = () => "";
const words: Rule = (value) => (value === "" ? "" : "текст заменён");
const phone: Rule = (value, fakes) => fakes.phone(String(value));
const email: Rule = (value, fakes) => fakes.email(String(value));
const firstName: Rule = (value, fakes) => fakes.firstName(String(value));
const lastName: Rule = (value, fakes) => fakes.lastName(String(value));
const secondName: Rule = (value, fakes) => fakes.secondName(String(value));
const account: Rule = (value, fakes) => fakes.account(String(value));
const secret: Rule = (value, fakes) => fakes.secret(String(value));
const owner: Rule = (value, fakes) => fakes.owner(String(value));
const actor: Rule = (value, fakes) => fakes.actor(String(value));
const login: Rule = (value, fakes) => fakes.login(String(value));
const json =
  (...keptKeys: string[]): Rule =>
  (value, fakes) =>
    scrub(value, new Set(keptKeys), fakes);

const ofReceipt = ["orderNumber", "title", "article", "mode", "slug"];

/**
 * Every text, JSON, array and binary column of the schema, by table: a new one fails a test until it is listed here. Columns of other types
 * are copied as they are, unless they are listed too.
 */
export const columns: Readonly<Record<string, TableRules>> = {
  accounting_calls: "omit",
  accounting_documents: "omit",
  accounting_files: "omit",
  accounting_goods: { ...keep("guid", "article", "name"), mapped_by: actor },
  accounting_orders: keep("order_id"),
  accounting_sessions: "omit",
  alarms: "omit",
  alerts: { ...keep("id", "customer_id", "course", "rule", "state"), email },
  approvals: "omit",
  audit_entries: "omit",
  backup_proofs: "omit",
  bank_statement_entries: {
    ...keep("number", "state", "reason", "order_id"),
    fingerprint: secret,
    payer: (value, fakes) => fakes.lastName(String(value)),
    payer_account: account,
    ...each(words, "purpose", "note"),
    settled_by: actor,
  },
  bank_statements: { hash: secret, file_name: words, faults: () => [], actor },
  bank_transfers: { ...keep("order_id", "number"), payer_account: account, actor },
  carrier_events: { ...keep("order_id", "carrier_id", "code"), body: empty },
  buyback_deals: "omit",
  buyback_events: "omit",
  buyback_lines: "omit",
  cart_lines: {},
  carts: { owner },
  categories: keep("slug", "title", "heading", "intro", "parent"),
  checkout_days: {},
  checkout_drafts: "omit",
  cities: keep("code", "name", "search_name", "region"),
  code_claims: "omit",
  coin_categories: keep("category_slug"),
  coin_pictures: keep("side", "picture_id", "alt"),
  coin_previews: "omit",
  coin_sale_periods: {},
  coin_series: keep("name", "body"),
  coins: keep(
    "slug",
    "title",
    "metal",
    "kind",
    "country",
    "issuer",
    "mint",
    "denomination_currency",
    "series",
    "catalogue_number",
    "shape",
    "quality",
    "edge",
    "artist",
    "description",
    "motif",
    "pictures",
  ),
  consents: keep("customer_id", "order_id", "about", "purpose", "text_version"),
  content_entries: keep("kind", "slug", "title", "lead", "body", "extra", "draft"),
  content_versions: { ...keep("kind", "event", "data"), actor },
  customer_notes: "omit",
  customers: { id: "keep", phone, name: firstName, last_name: lastName, second_name: secondName, email, buy_profile: none },
  delivery_prices: keep("city_code", "kind", "parcel_class"),
  exchange_import_rows: keep("title", "outcome", "changes", "messages", "values"),
  exchange_imports: {
    ...keep("kind", "source", "format", "state", "counts", "notes", "hash", "result"),
    file_name: words,
    ...each(actor, "actor", "closed_by"),
  },
  idempotency_keys: { owner, key: secret, body_hash: secret, order_id: "keep" },
  inquiries: {
    ...keep("kind", "state"),
    name: firstName,
    phone,
    email,
    details: json("condition"), // titles of coins to sell are what the visitor typed
    assignee: login,
    outcome: words,
  },
  inquiry_notes: "omit",
  known_devices: "omit",
  label_files: "omit",
  list_entries: { owner, list: "keep" },
  market_status: {},
  media_films: keep("id", "type", "bytes"),
  media_pictures: keep("id", "bytes"),
  metal_hedges: {
    ...keep("metal", "side"),
    ...each(words, "counterparty", "note", "reversal_reason"),
    ...each(actor, "created_by", "reversed_by"),
  },
  open_streams: "omit",
  order_comments: "omit",
  order_history: { ...keep("order_id", "event", "state"), actor },
  order_lines: keep("order_id", "slug", "title"),
  order_presence: "omit",
  order_seals: { ...keep("number", "order_id"), actor },
  orders: {
    ...keep("id", "customer_id", "quote_id", "state", "pickup_point_id", "delivery", "linked_order_id", "source_channel"),
    ...each(words, "source_name", "source_campaign"),
    promo_code: secret,
    owner,
    user: json(),
    address: json("city"),
    refund_after_recall: json(),
    change_after_recall: none,
    assignee: login,
  },
  // Nothing of the copy is sent: what waited counts as given up.
  outbox: {
    ...keep("channel", "kind", "suppressed_because", "order_id", "attachment"),
    about: (value, fakes) => fakes.subject(String(value)),
    ...each(empty, "recipient", "subject", "text"),
    ...each(none, "html", "unsubscribe", "origin", "next_try_at"),
  },
  packed_pieces: keep("order_id"),
  packing_batches: { actor },
  packing_orders: { ...keep("order_id", "outcome", "reason"), packer: login, packer_name: (value, fakes) => fakes.lastName(String(value)) },
  payment_comparisons: {},
  payment_differences: {
    ...keep("kind", "provider", "provider_id", "payment_id", "order_id", "ours", "theirs"),
    settled_by: actor,
    note: words,
  },
  payment_events: { ...keep("provider", "event", "object_id", "payment_id", "status", "verdict"), body: empty },
  payments: {
    ...keep("id", "order_id", "method", "state", "is_kept", "provider", "provider_id", "cancellation_reason"),
    idempotence_key: secret,
    ask: json(...ofReceipt),
    confirmation_url: none,
    actor,
  },
  phone_guards: "omit",
  pickup_points: keep("id", "city_code", "type", "name", "address", "work_time", "phone", "note", "nearest_metro", "cells"),
  point_mirrors: keep("city_code"),
  point_readings: keep("fault"),
  price_change_items: keep("outcome"),
  price_changes: {
    ...keep("kind", "state", "action", "label", "refusal"),
    ...each(actor, "created_by", "closed_by"),
    approval_reason: words,
  },
  price_lists: {},
  price_promo_items: {},
  price_promos: { ...keep("state", "action", "label", "refusal"), ...each(actor, "created_by", "closed_by"), approval_reason: words },
  price_steps: { ...keep("metal", "steps"), updated_by: actor },
  privacy_requests: "omit",
  processes: "omit",
  promo_code_uses: { ...keep("order_id", "customer_id"), phone_hash: secret },
  promo_codes: { code: secret, categories: "keep", created_by: actor },
  quotes: { promo_code: secret, ...keep("id", "pickup_point_id", "city_code", "lines", "delivery", "used_by_order_id"), owner },
  rate_candles: keep("source", "code", "step"),
  rate_buckets: "omit",
  rate_counters: "omit",
  rates: keep("code", "source"),
  receipts: {
    ...keep("id", "about", "order_id", "payment_id", "refund_id", "kind", "registrar", "mode", "state", "provider_id", "fiscal"),
    receipt: json(...ofReceipt),
    idempotence_key: secret,
  },
  redirects: keep("path", "target"),
  refund_transfers: { ...keep("refund_id", "order_id", "number"), actor },
  refunds: {
    ...keep("id", "payment_id", "order_id", "cause", "state", "mode", "provider_id"),
    idempotence_key: secret,
    lines: json(...ofReceipt),
    actor,
  },
  reviews: {
    ...keep("state", "city", "coin_slug", "customer_id"),
    name: firstName,
    email,
    ...each(words, "body", "reject_reason", "answer"),
  },
  search_misses: "omit",
  search_synonyms: keep("phrase", "meaning"),
  sessions: "omit",
  settings: { ...keep("key", "value"), changed_by: actor },
  settings_history: { ...keep("key", "before", "after"), changed_by: actor },
  shipments: {
    ...keep("order_id", "state", "last_code", "call_off", "steps"),
    request: json("orderId", "number", "pointId", "cityCode", "title", "article"),
    ...each(secret, "carrier_id", "tracking_number"),
  },
  sign_in_codes: "omit",
  site_pages: keep("path", "title", "description", "body", "parent_path", "draft"),
  site_parts: keep("kind", "data", "draft"),
  staff: {
    login,
    name: (value, fakes) => fakes.lastName(String(value)),
    email,
    roles: "keep",
    ...each(none, "password_hash", "totp_secret"),
  },
  staff_call_keys: "omit",
  staff_challenges: "omit",
  staff_failures: "omit",
  staff_invitations: "omit",
  staff_passkeys: "omit",
  staff_recovery_codes: "omit",
  staff_sessions: "omit",
  staff_views: "omit",
  stock_document_lines: {},
  stock_documents: {
    ...keep("kind", "state", "number", "source_key"),
    ...each(words, "supplier", "note", "reversal_reason"),
    ...each(actor, "created_by", "posted_by", "reversed_by"),
  },
  stock_entries: { ...keep("kind", "order_id"), actor },
  stock_items: {},
  stocktake_lines: { counted_by: actor },
  stocktakes: { ...keep("title", "state"), ...each(actor, "created_by", "ended_by") },
  unpaid_order_keys: "omit",
};
