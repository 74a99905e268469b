import { sql } from "drizzle-orm";
import { rowsOf, type Db } from "#kit/db.ts";
import { faultFields } from "#kit/network/outbound.ts";
import { days, minutes, plus } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import * as payment from "#shop/payment/service.ts";
import type { Check } from "./check.ts";
import { moneyChecks } from "./money-checks.ts";
import { orderChecks } from "./order-checks.ts";
import { stockChecks } from "./stock-checks.ts";

/** The provider's own ledger, to be compared with ours; kopecks. */
export type ProviderLedger = readonly { id: string; amount: number; refunded: number; isTaken: boolean }[];

const checks: readonly Check[] = [...stockChecks, ...orderChecks, ...moneyChecks];

/**
 * The broken invariants (`check.ts`), one line each; empty when all hold. Reads one snapshot of the database, so it may run beside
 * the shop. With the provider's ledger it also compares both sides.
 */
export function checkLedger(db: Db, provider?: ProviderLedger): Promise<string[]> {
  return db.transaction(
    async (tx) => {
      await tx.execute(sql`select set_config('statement_timeout', '60000', true)`);
      const broken: string[] = [];
      for (const { invariant, rows } of checks) {
        const found = await rowsOf<{ what: string; fault: string }>(tx, rows);
        broken.push(...found.map(({ what, fault }) => `${invariant} ${what}: ${fault}`));
      }
      if (provider) broken.push(...compare(await readRecordedPayments(tx), provider));
      return broken;
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
}

/** Payments of the last minutes are left to the next check: their webhooks may be in transit. */
const inTransitTime = minutes(5);

/** Where the provider's payments and refunds of the last days differ from ours, one line each. Throws when the provider does not answer. */
export async function compareWithProvider(ctx: payment.CompareCtx, lastDays: number): Promise<string[]> {
  const found = await payment.compareNow(ctx, { from: plus(ctx.now(), -days(lastDays)), till: plus(ctx.now(), -inTransitTime) });
  return found.map(
    ({ kind, providerId, orderId, ours: mine, theirs }) =>
      `I6 ${kind} ${providerId}, order ${orderId ?? "unknown"}: ours ${mine || "nothing"}, the provider's ${theirs || "nothing"}`,
  );
}

/**
 * Sweep: checks the ledger a few times a day and raises an alarm for each broken invariant. Compares with the provider's ledger too; if the
 * provider does not answer, that part is skipped.
 */
export async function watchLedger(ctx: Ctx): Promise<void> {
  const broken = await checkLedger(ctx.db);
  const there = await compareWithProvider(ctx, ctx.settings.limits.ledgerCompareDays).catch((error: unknown) => {
    ctx.log.warn(faultFields(error), "the ledger was not compared with the payment provider");
    return [];
  });
  for (const reason of [...broken, ...there]) ctx.alarm("ledger.broken", { reason });
}

type RecordedPayment = { id: string; amount: number; refunded: number; taken: boolean };

const readRecordedPayments = (db: Db): Promise<RecordedPayment[]> =>
  rowsOf(
    db,
    sql`
  select provider_id as id, amount_kopecks::float8 as amount, state = 'succeeded' as taken,
    (refunded_kopecks - coalesce((
      select sum(r.amount_kopecks) from refunds r join refund_transfers t on t.refund_id = r.id where r.payment_id = payments.id
    ), 0))::float8 as refunded
  from payments where provider_id is not null`,
  );

/** Compares payment by payment what the provider received and refunded with our records; one line for each difference. */
function compare(known: readonly RecordedPayment[], provider: ProviderLedger): string[] {
  const theirs = new Map(provider.map((each) => [each.id, each]));
  const unknown = provider
    .filter((each) => each.isTaken && !known.some(({ id }) => id === each.id))
    .map((each) => `I6 payment ${each.id}: taken by the provider, unknown here`);
  const different = known.flatMap((mine) => {
    const other = theirs.get(mine.id);
    const isSame =
      other && other.isTaken === mine.taken && (!mine.taken || (other.amount === mine.amount && other.refunded === mine.refunded));
    return isSame
      ? []
      : [
          `I6 payment ${mine.id}: ${mine.amount} taken ${mine.taken}, ${mine.refunded} back; ` +
            `the provider says ${JSON.stringify(other ?? null)}`,
        ];
  });
  return [...unknown, ...different];
}
