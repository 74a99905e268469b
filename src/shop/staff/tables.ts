import { sql } from "drizzle-orm";
import { bigint, check, index, integer, jsonb, pgTable, primaryKey, text, timestamp, uniqueIndex } from "drizzle-orm/pg-core";

const instant = () => timestamp({ withTimezone: true });
const rowId = () => bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity();
const staffId = () =>
  bigint({ mode: "number" })
    .notNull()
    .references(() => staff.id);

/** Members of staff. They are never deleted, because the audit names them. */
export const staff = pgTable(
  "staff",
  {
    id: rowId(),
    /** Lower case; the actor of everything that this member does. */
    login: text().notNull(),
    name: text().notNull(),
    /** Lower case. */
    email: text().notNull(),
    roles: text().array().notNull(),
    /** As `kit/security/password.ts` writes it; null: signs in by passkey only. */
    passwordHash: text(),
    /** Encrypted; present when there is a password. */
    totpSecret: text(),
    /** The newest time step whose code was used: each code works once. */
    totpStep: bigint({ mode: "number" }).notNull().default(0),
    createdAt: instant().notNull(),
    disabledAt: instant(),
    revision: integer().notNull().default(0),
  },
  (t) => [
    uniqueIndex("staff_by_login").on(t.login),
    uniqueIndex("staff_by_email").on(t.email),
    check("staff_password_with_code", sql`(${t.passwordHash} is null) = (${t.totpSecret} is null)`),
    check("staff_has_roles", sql`cardinality(${t.roles}) > 0`),
  ],
);

export const staffPasskeys = pgTable(
  "staff_passkeys",
  {
    id: rowId(),
    staffId: staffId(),
    credentialId: text().notNull(),
    /** COSE key in base64url. */
    publicKey: text().notNull(),
    /** Of the authenticator; it never goes back, except for those that do not count. */
    counter: bigint({ mode: "number" }).notNull(),
    transports: text().array().notNull(),
    label: text().notNull(),
    createdAt: instant().notNull(),
    lastUsedAt: instant(),
  },
  (t) => [uniqueIndex("staff_passkeys_by_credential").on(t.credentialId), index("staff_passkeys_by_staff").on(t.staffId)],
);

/** Challenges of passkeys that were answered: each one once. Unanswered challenges have no row. */
export const staffChallenges = pgTable("staff_challenges", { hash: text().primaryKey(), usedAt: instant().notNull() }, (t) => [
  index("staff_challenges_by_time").on(t.usedAt),
]);

export const staffRecoveryCodes = pgTable(
  "staff_recovery_codes",
  { staffId: staffId(), hash: text().notNull(), usedAt: instant() },
  (t) => [primaryKey({ columns: [t.staffId, t.hash] })],
);

export const staffSessions = pgTable(
  "staff_sessions",
  {
    id: rowId(),
    sidHash: text().notNull(),
    staffId: staffId(),
    createdAt: instant().notNull(),
    /** Written at most once a minute. */
    lastUsedAt: instant().notNull(),
    /** When a factor was last entered. */
    verifiedAt: instant().notNull(),
    address: text().notNull(),
    userAgent: text().notNull(),
  },
  (t) => [
    uniqueIndex("staff_sessions_by_sid").on(t.sidHash),
    index("staff_sessions_by_staff").on(t.staffId),
    index("staff_sessions_by_use").on(t.lastUsedAt),
  ],
);

/** Links that set up an account once, or the sign-in of an account again (`staff_id`). */
export const staffInvitations = pgTable(
  "staff_invitations",
  {
    id: rowId(),
    tokenHash: text().notNull(),
    email: text().notNull(),
    roles: text().array().notNull(),
    staffId: bigint({ mode: "number" }).references(() => staff.id),
    /** As `actorText` writes it. */
    invitedBy: text().notNull(),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
    usedAt: instant(),
  },
  (t) => [
    uniqueIndex("staff_invitations_by_token").on(t.tokenHash),
    uniqueIndex("staff_invitations_one_open")
      .on(t.email)
      .where(sql`used_at is null`),
  ],
);

/** Failed sign-ins by account and by address; `key` is hashed. Shared by all processes. */
export const staffFailures = pgTable(
  "staff_failures",
  { key: text().primaryKey(), failures: integer().notNull(), forgetAt: instant().notNull() },
  (t) => [check("staff_failures_count", sql`${t.failures} >= 0`), index("staff_failures_by_end").on(t.forgetAt)],
);

/** Answers of changing calls by `Idempotency-Key`, written in the transaction of the change. */
export const staffCallKeys = pgTable(
  "staff_call_keys",
  {
    staffId: staffId(),
    key: text().notNull(),
    /** SHA-256 of method, path and body. */
    hash: text().notNull(),
    /** Null inside of the transaction that runs. */
    status: integer(),
    /** The body of the answer, or `{ sealed }` for a secret one. */
    answer: jsonb(),
    at: instant().notNull(),
  },
  (t) => [primaryKey({ columns: [t.staffId, t.key] }), index("staff_call_keys_by_time").on(t.at)],
);

/** Calls that wait for a second person. */
export const approvals = pgTable(
  "approvals",
  {
    id: text().primaryKey(),
    /** `PATCH /api/staff/people/{id}`. */
    call: text().notNull(),
    /** The audit action of the call, for lists. */
    action: text().notNull(),
    permission: text().notNull(),
    /** Params, query and body as they were sent, `{ params, sealed }` for a secret call; null once their time of storage is over. */
    input: jsonb(),
    /** What the call would change when it was requested, `{ before, after }`, or `{ sealed }`; null: the call does not know. */
    shown: jsonb(),
    /** SHA-256 of call and input, signed for a secret call. */
    hash: text().notNull(),
    reason: text().notNull(),
    askedBy: staffId(),
    askedAt: instant().notNull(),
    expiresAt: instant().notNull(),
    state: text().notNull(),
    decidedBy: bigint({ mode: "number" }).references(() => staff.id),
    decidedAt: instant(),
    note: text().notNull().default(""),
    /** The answer of the call, or `{ sealed }` for a secret one. */
    answer: jsonb(),
    /** When the requester noted that nothing was done, or took the request back. */
    seenAt: instant(),
    /** When the requester took it back; `state` is then `refused`, which the release before knows. */
    withdrawnAt: instant(),
  },
  (t) => [
    check("approvals_state", sql`${t.state} in ('waiting', 'approved', 'refused', 'expired', 'failed')`),
    check("approvals_decided_by_another", sql`${t.decidedBy} is null or ${t.decidedBy} <> ${t.askedBy}`),
    index("approvals_by_state").on(t.state, t.askedAt.desc(), t.id.desc()),
    index("approvals_by_asker").on(t.askedBy, t.askedAt.desc()),
    index("approvals_by_time").on(t.askedAt),
  ],
);
