import { eq, sql } from "drizzle-orm";
import type { Db, Tx } from "#kit/db.ts";
import { buyProfileSchema, type BuyProfile } from "./buy-profile.ts";
import type { Consent, Customer, CustomerPatch } from "./customer.ts";
import { consents, customers } from "./tables.ts";

export async function find(db: Db, id: string): Promise<Customer | null> {
  const [row] = await db.select().from(customers).where(eq(customers.id, id));
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
  const profile = buyProfile && sql`coalesce(${customers.buyProfile}, '{}'::jsonb) || ${JSON.stringify(buyProfile)}::jsonb`;
  const [row] = await db.update(customers).set({ ...fields, ...(profile && { buyProfile: profile }) }).where(eq(customers.id, id)).returning();
  return row ? toCustomer(row) : null;
}

export async function addConsent(tx: Tx, consent: Consent): Promise<void> {
  await tx.insert(consents).values(consent);
}

/** What an older release stored and this one cannot read is left out rather than breaking the profile. */
function toCustomer(row: typeof customers.$inferSelect): Customer {
  return { ...row, buyProfile: readProfile(row.buyProfile) };
}

function readProfile(stored: unknown): BuyProfile | null {
  const parsed = buyProfileSchema.safeParse(stored);
  return parsed.success ? parsed.data : null;
}
