import { and, asc, eq, isNull, sql } from "drizzle-orm";
import type { Db, Tx } from "#kit/db.ts";
import { buyProfileSchema, type BuyProfile } from "./buy-profile.ts";
import type { Consent, Customer, CustomerPatch, FullName } from "./customer.ts";
import { consents, customers } from "./tables.ts";

export async function find(db: Db, id: string): Promise<Customer | null> {
  const [row] = await db.select().from(customers).where(and(eq(customers.id, id), isNull(customers.erasedAt)));
  return row ? toCustomer(row) : null;
}

export async function findByPhone(db: Db, phone: string): Promise<Customer | null> {
  const [row] = await db.select().from(customers).where(eq(customers.phone, phone));
  return row ? toCustomer(row) : null;
}

/** Null when the phone is taken already, also by a transaction that this one had to wait for. */
export async function create(tx: Tx, id: string, phone: string, at: Date): Promise<Customer | null> {
  const [row] = await tx.insert(customers).values({ id, phone, createdAt: at }).onConflictDoNothing({ target: customers.phone }).returning();
  return row ? toCustomer(row) : null;
}

/** One statement; parts of the buy profile that the patch does not name stay as they are. */
export async function patch(db: Db, id: string, { buyProfile, ...fields }: CustomerPatch): Promise<Customer | null> {
  const [row] = await db.update(customers).set({ ...fields, ...(buyProfile && { buyProfile: withParts(buyProfile) }) }).where(and(eq(customers.id, id), isNull(customers.erasedAt))).returning();
  return row ? toCustomer(row) : null;
}

/** Fills what is still empty of name and e-mail, and remembers the parts of the buy profile that are given; of the address, the fields that are. */
export async function fillGaps(tx: Tx, id: string, known: FullName & { email: string }, buyProfile: BuyProfile): Promise<void> {
  const hasNoName = sql`${customers.name} = '' and ${customers.lastName} = ''`;
  const { userinfo, ...rest } = buyProfile;
  const nameUnless = (column: typeof customers.name | typeof customers.lastName | typeof customers.secondName, value: string) =>
    sql`case when ${hasNoName} then ${value} else ${column} end`;
  await tx.update(customers).set({
    name: nameUnless(customers.name, known.name), lastName: nameUnless(customers.lastName, known.lastName), secondName: nameUnless(customers.secondName, known.secondName),
    email: sql`case when ${customers.email} = '' then ${known.email} else ${customers.email} end`,
    buyProfile: sql`${withParts(rest)} || jsonb_build_object('userinfo', coalesce(${customers.buyProfile} -> 'userinfo', '{}'::jsonb) || ${JSON.stringify(userinfo ?? {})}::jsonb)`,
  }).where(eq(customers.id, id));
}

const withParts = (buyProfile: BuyProfile) => sql`coalesce(${customers.buyProfile}, '{}'::jsonb) || ${JSON.stringify(buyProfile)}::jsonb`;

/** Its phone is free for somebody new from now on. */
export async function erase(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.update(customers).set({ phone: `erased:${id}`, name: "", lastName: "", secondName: "", email: "", buyProfile: null, erasedAt: at }).where(eq(customers.id, id));
}

export const consentsOf = (db: Db, customerId: string): Promise<{ purpose: string; textVersion: string; at: Date }[]> =>
  db.select({ purpose: consents.purpose, textVersion: consents.textVersion, at: consents.at }).from(consents).where(eq(consents.customerId, customerId)).orderBy(asc(consents.id));

export async function addConsent(tx: Tx, consent: Consent): Promise<void> {
  await tx.insert(consents).values(consent);
}

/** What an older release stored and this one cannot read is left out rather than breaking the profile. */
function toCustomer(row: typeof customers.$inferSelect): Customer {
  const { erasedAt: _, ...kept } = row;
  return { ...kept, buyProfile: readProfile(row.buyProfile) };
}

function readProfile(stored: unknown): BuyProfile | null {
  const parsed = buyProfileSchema.safeParse(stored);
  return parsed.success ? parsed.data : null;
}
