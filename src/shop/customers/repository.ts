import { and, asc, desc, eq, inArray, isNull, sql } from "drizzle-orm";
import { batch, insertRows, type QueryBatch, type Db, type Expression, type IdQuery, type Tx } from "#kit/db.ts";
import type { BuyProfile } from "./buy-profile.ts";
import type { Consent, ConsentPurpose, Customer, CustomerPatch, FullName, ActiveConsent } from "./customer.ts";
import { beginsWith } from "./staff/customer-list.repository.ts";
import { fromStored, storedProfileSchema, toStored, type StoredProfile } from "./stored-profile.ts";
import { consents, customers } from "./tables.ts";

const selectById = (db: Db, id: string) =>
  db
    .select()
    .from(customers)
    .where(and(eq(customers.id, id), isNull(customers.erasedAt)));

export async function find(db: Db, id: string): Promise<Customer | null> {
  const [row] = await selectById(db, id);
  return row ? toCustomer(row) : null;
}

export const findBatch = (db: Db, id: string): QueryBatch<Customer | null> =>
  batch([selectById(db, id)], ([[row]]) => (row ? toCustomer(row) : null));

const selectByPhone = (db: Db, phone: string) => db.select().from(customers).where(eq(customers.phone, phone));

export async function findByPhone(db: Db, phone: string): Promise<Customer | null> {
  const [row] = await selectByPhone(db, phone);
  return row ? toCustomer(row) : null;
}

export const findByPhoneBatch = (db: Db, phone: string): QueryBatch<Customer | null> =>
  batch([selectByPhone(db, phone)], ([[row]]) => (row ? toCustomer(row) : null));

/** The customer with this phone, also if a concurrent transaction created it; `isNew` if this one did. */
export function findOrCreateBatch(tx: Tx, id: string, phone: string, at: Date): QueryBatch<{ customer: Customer; isNew: boolean }> {
  const insert = tx
    .insert(customers)
    .values({ id, phone, createdAt: at })
    .onConflictDoNothing({ target: customers.phone })
    .returning({ id: customers.id });
  return batch([insert, selectByPhone(tx, phone)], ([made, [row]]) => {
    if (!row) throw new Error("a customer's phone is taken and not to be found");
    return { customer: toCustomer(row), isNew: made.length > 0 };
  });
}

/** One statement. Parts of the buy profile that the patch does not contain are unchanged. */
export async function patch(db: Db, id: string, { buyProfile, ...fields }: CustomerPatch): Promise<Customer | null> {
  const [row] = await db
    .update(customers)
    .set({ ...fields, ...(buyProfile && { buyProfile: withParts(toStored(buyProfile)) }) })
    .where(and(eq(customers.id, id), isNull(customers.erasedAt)))
    .returning();
  return row ? toCustomer(row) : null;
}

/** Fills the empty ones of name and e-mail, and stores the given parts of the buy profile; of the address, the given fields. */
export async function fillGaps(tx: Tx, id: string, known: FullName & { email: string }, buyProfile: BuyProfile): Promise<void> {
  await updateGaps(tx, id, known, buyProfile);
}

function updateGaps(tx: Tx, id: string, known: FullName & { email: string }, buyProfile: BuyProfile) {
  const hasNoName = sql`${customers.name} = '' and ${customers.lastName} = ''`;
  const { userinfo, ...rest } = toStored(buyProfile);
  const nameUnless = (column: typeof customers.name | typeof customers.lastName | typeof customers.secondName, value: string) =>
    sql`case when ${hasNoName} then ${value} else ${column} end`;
  return tx
    .update(customers)
    .set({
      name: nameUnless(customers.name, known.name),
      lastName: nameUnless(customers.lastName, known.lastName),
      secondName: nameUnless(customers.secondName, known.secondName),
      email: sql`case when ${customers.email} = '' then ${known.email} else ${customers.email} end`,
      buyProfile: sql`${withParts(rest)} || jsonb_build_object('userinfo',
        coalesce(${customers.buyProfile} -> 'userinfo', '{}'::jsonb) || ${JSON.stringify(userinfo ?? {})}::jsonb)`,
    })
    .where(eq(customers.id, id));
}

const withParts = (parts: StoredProfile) => sql`coalesce(${customers.buyProfile}, '{}'::jsonb) || ${JSON.stringify(parts)}::jsonb`;

/** Erases the personal data of a customer; a new account may use the phone afterwards. */
export async function erase(tx: Tx, id: string, at: Date): Promise<void> {
  await tx
    .update(customers)
    .set({ phone: `erased:${id}`, name: "", lastName: "", secondName: "", email: "", buyProfile: null, erasedAt: at })
    .where(eq(customers.id, id));
}

export const consentsOf = (
  db: Db,
  customerId: string,
): Promise<{ purpose: string; textVersion: string; at: Date; withdrawnAt: Date | null }[]> =>
  db
    .select({ purpose: consents.purpose, textVersion: consents.textVersion, at: consents.at, withdrawnAt: consents.withdrawnAt })
    .from(consents)
    .where(eq(consents.customerId, customerId))
    .orderBy(asc(consents.id));

export async function addConsent(tx: Tx, consent: Consent): Promise<void> {
  await tx.insert(consents).values(consent);
}

export const addConsentBatch = (tx: Tx, consent: Consent): QueryBatch<void> => batch([tx.insert(consents).values(consent)], () => {});

/** Adds a consent unless the customer has an active one for the purpose; a guest's consent is always added. */
export async function addConsentOnce(tx: Tx, consent: Consent): Promise<void> {
  await insertConsentOnce(tx, consent);
}

const insertConsentOnce = (tx: Tx, { customerId, orderId, purpose, textVersion, at }: Consent) =>
  tx.execute(sql`
    insert into ${consents} (customer_id, order_id, purpose, text_version, at)
    select ${customerId}::text, ${orderId}::text, ${purpose}::text, ${textVersion}::text, ${at.toISOString()}::timestamptz
    where not exists (select 1 from ${consents}
      where customer_id = ${customerId}::text and purpose = ${purpose}::text and withdrawn_at is null)`);

/** Stores the consents and the profile data of an order's buyer. */
export function recordOrderBatch(
  tx: Tx,
  order: {
    consent: Consent;
    newsletter: Consent | null;
    customer: { id: string; known: FullName & { email: string }; buyProfile: BuyProfile } | null;
  },
): QueryBatch<void> {
  const { consent, newsletter, customer } = order;
  return batch<unknown[], void>(
    [
      ...(customer ? [updateGaps(tx, customer.id, customer.known, customer.buyProfile)] : []),
      ...(newsletter ? [insertConsentOnce(tx, newsletter)] : []),
      insertRows(tx, consents, [consent]),
    ],
    () => {},
  );
}

const isActive = (customerId: string, purpose: ConsentPurpose) =>
  and(eq(consents.customerId, customerId), eq(consents.purpose, purpose), isNull(consents.withdrawnAt));

export async function activeConsent(db: Db, customerId: string, purpose: ConsentPurpose): Promise<ActiveConsent | null> {
  const [row] = await db
    .select({ at: consents.at, textVersion: consents.textVersion })
    .from(consents)
    .where(isActive(customerId, purpose))
    .orderBy(desc(consents.at))
    .limit(1);
  return row ?? null;
}

export async function withdrawConsent(db: Db, customerId: string, purpose: ConsentPurpose, at: Date): Promise<void> {
  await db.update(consents).set({ withdrawnAt: at }).where(isActive(customerId, purpose));
}

/** A consent to the newsletter with its owner; `customer` is null for the guest of an order. */
export type NewsletterConsent = {
  id: number;
  at: Date;
  withdrawnAt: Date | null;
  textVersion: string;
  customerId: string | null;
  orderId: string | null;
  customer: (FullName & { email: string }) | null;
};

/** A place in the list of consents, which is in the order of their time. */
export type ConsentCursor = { at: Date; id: number };

const isNewsletter = () => and(eq(consents.purpose, "newsletter"), isNull(consents.about));

/** Consents of alerts are not included: each is for its alert only. */
function selectNewsletters(db: Db) {
  const { name, lastName, secondName, email } = customers;
  return db
    .select({
      id: consents.id,
      at: consents.at,
      withdrawnAt: consents.withdrawnAt,
      textVersion: consents.textVersion,
      customerId: consents.customerId,
      orderId: consents.orderId,
      customer: { name, lastName, secondName, email },
    })
    .from(consents)
    .leftJoin(customers, eq(consents.customerId, customers.id));
}

/** Active newsletter consents, oldest first; with an id, that one, active or not. */
export const newsletterConsents = async (db: Db, id?: number): Promise<NewsletterConsent[]> =>
  selectNewsletters(db)
    .where(and(isNewsletter(), id === undefined ? isNull(consents.withdrawnAt) : eq(consents.id, id)))
    .orderBy(asc(consents.at), asc(consents.id));

/** The next newsletter consents behind the cursor, active or not, oldest first. */
export const nextNewsletterConsents = async (db: Db, after: ConsentCursor | null, limit: number): Promise<NewsletterConsent[]> =>
  selectNewsletters(db)
    .where(
      and(
        isNewsletter(),
        after ? sql`(${consents.at}, ${consents.id}) > (${after.at.toISOString()}::timestamptz, ${after.id}::bigint)` : undefined,
      ),
    )
    .orderBy(asc(consents.at), asc(consents.id))
    .limit(limit);

/**
 * Active newsletter consents whose mailbox begins with `beginning`, newest first, behind the cursor. `orderMailboxes`: `id` and `mailbox`
 * of the orders, for the consents of guests.
 */
export async function activeNewsletters(
  db: Db,
  { beginning, after, orderMailboxes }: { beginning: string; after: ConsentCursor | null; orderMailboxes: Expression },
  limit: number,
): Promise<NewsletterConsent[]> {
  const ofAccount = sql`lower(${customers.email})`;
  const ofGuest = sql`guest."mailbox"`;
  // All mailboxes: orders are read one by one until the page is full. Else the orders of a beginning are found first.
  const isFound =
    beginning === ""
      ? sql`case when ${consents.customerId} is null
          then (select ${ofGuest} from (${orderMailboxes}) as guest where guest."id" = ${consents.orderId}) else ${ofAccount} end <> ''`
      : sql`case when ${consents.customerId} is null
          then ${consents.orderId} in (select guest."id" from (${orderMailboxes}) as guest where ${beginsWith(ofGuest, beginning)})
          else ${beginsWith(ofAccount, beginning)} end`;
  return selectNewsletters(db)
    .where(
      and(
        isNewsletter(),
        isNull(consents.withdrawnAt),
        isFound,
        after ? sql`(${consents.at}, ${consents.id}) < (${after.at.toISOString()}::timestamptz, ${after.id}::bigint)` : undefined,
      ),
    )
    .orderBy(desc(consents.at), desc(consents.id))
    .limit(limit);
}

/** All newsletter consents of these mailboxes (lower case), of accounts and of guests' orders, active or not, oldest first. */
export async function newsletterConsentsOf(
  db: Db,
  { mailboxes, guestOrders }: { mailboxes: readonly string[]; guestOrders: IdQuery },
): Promise<NewsletterConsent[]> {
  const accounts = await selectNewsletters(db).where(
    and(isNewsletter(), isNull(customers.erasedAt), inArray(sql`lower(${customers.email})`, [...mailboxes])),
  );
  const guests = await selectNewsletters(db).where(
    and(isNewsletter(), isNull(consents.customerId), sql`${consents.orderId} in (${guestOrders})`),
  );
  return [...accounts, ...guests].toSorted((one, other) => one.at.getTime() - other.at.getTime() || one.id - other.id);
}

export async function countNewsletterConsents(db: Db): Promise<number> {
  return db.$count(consents, isNewsletter());
}

export async function withdrawConsents(tx: Tx, ids: readonly number[], at: Date): Promise<void> {
  await tx
    .update(consents)
    .set({ withdrawnAt: at })
    .where(and(inArray(consents.id, [...ids]), isNull(consents.withdrawnAt)));
}

/** Assigns the consents of a guest's order to the customer who adopts the order. */
export async function adoptConsents(tx: Tx, orderId: string, customerId: string): Promise<void> {
  await tx
    .update(consents)
    .set({ customerId })
    .where(and(eq(consents.orderId, orderId), isNull(consents.customerId)));
}

/** Serialises concurrent changes of one customer. */
export async function lockCustomer(tx: Tx, id: string): Promise<void> {
  await tx.select({ id: customers.id }).from(customers).where(eq(customers.id, id)).for("update");
}

/** A stored profile of an old release that cannot be parsed is ignored. */
function toCustomer(row: typeof customers.$inferSelect): Customer {
  const { erasedAt: _, ...kept } = row;
  return { ...kept, buyProfile: readProfile(row.buyProfile) };
}

function readProfile(stored: unknown): BuyProfile | null {
  const parsed = storedProfileSchema.safeParse(stored);
  return parsed.success ? fromStored(parsed.data) : null;
}
