import type { Expression } from "#kit/db.ts";
import type { Ctx } from "#shop/context.ts";
import * as alarms from "#shop/alarms/jobs.ts";
import * as alerts from "#shop/alerts/jobs.ts";
import * as auth from "#shop/auth/jobs.ts";
import { limitOrderMessage } from "#shop/auth/message-limits.service.ts";
import * as backups from "#shop/backups/jobs.ts";
import * as buyback from "#shop/buyback/jobs.ts";
import * as cart from "#shop/cart/jobs.ts";
import * as checkout from "#shop/checkout/jobs.ts";
import * as content from "#shop/content/jobs.ts";
import * as media from "#shop/media/jobs.ts";
import * as delivery from "#shop/delivery/jobs.ts";
import * as exchange from "#shop/exchange/jobs.ts";
import * as inquiries from "#shop/inquiries/jobs.ts";
import * as lists from "#shop/lists/jobs.ts";
import * as notifications from "#shop/notifications/jobs.ts";
import { invoiceAttachment } from "#shop/orders/invoices/invoice.service.ts";
import * as orders from "#shop/orders/jobs.ts";
import * as reports from "#shop/reports/jobs.ts";
import * as payment from "#shop/payment/jobs.ts";
import * as staff from "#shop/staff/jobs.ts";
import * as pricing from "#shop/pricing/jobs.ts";
import * as processes from "#shop/processes/jobs.ts";
import * as rates from "#shop/rates/jobs.ts";
import * as statements from "#shop/statements/jobs.ts";
import { readModel } from "#shop/search/index/read-model.service.ts";
import { watchLedger } from "./ledger/ledger.ts";
import type { JobHandlers } from "./database/queue.ts";

export type Sweep = {
  everySeconds: number;
  /** Whether there is something to do, as a part of the statement that is sent every second; without it the sweep runs at each interval. */
  due?: (ctx: Ctx) => Expression;
  /** How long what is due may wait while the process is busy with requests; without it, it does not wait. */
  waitSeconds?: number;
  run: (ctx: Ctx) => Promise<void>;
};

/** The handlers of all jobs by name. */
export const jobs: JobHandlers<Ctx> = withJobActor({ ...payment.jobs, ...orders.jobs, ...delivery.jobs });

/** Changes made by a job are stored with its name as the actor. */
function withJobActor(handlers: JobHandlers<Ctx>): JobHandlers<Ctx> {
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handle]) => [name, (ctx, payload) => handle({ ...ctx, actor: { kind: "job", name } }, payload)]),
  );
}

/** The sweeps with their intervals; `ratesPollSeconds` is a setting. */
export const sweepsOf = (ratesPollSeconds: number): Record<string, Sweep> => ({
  ...pricing.pollSweep(ratesPollSeconds, readModel),
  ...pricing.sweeps,
  ...rates.sweeps,
  ...payment.sweeps,
  ...orders.sweeps,
  ...statements.sweeps,
  ...delivery.sweeps,
  ...notifications.sweepsWith({ invoice: invoiceAttachment }, limitOrderMessage),
  ...alarms.sweeps,
  ...alerts.sweeps,
  ...auth.sweeps,
  ...backups.sweeps,
  ...buyback.sweeps,
  ...processes.sweeps,
  ...cart.sweeps,
  ...lists.sweeps,
  ...checkout.sweeps,
  ...inquiries.sweeps,
  ...staff.sweeps,
  ...content.sweeps,
  ...media.sweeps,
  ...exchange.sweeps,
  ...reports.sweeps,
  "ledger.watch": { everySeconds: 21_600, run: watchLedger },
});
