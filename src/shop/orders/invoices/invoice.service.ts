import { createJobThread } from "#kit/concurrency/job-thread.ts";
import type { Ctx } from "#shop/context.ts";
import { invoiceOf, type Invoice } from "./invoice.ts";
import type { InvoiceJob } from "./pdf-thread.ts";
import type { Order, Viewer } from "../order.ts";
import { byId, find } from "../read.service.ts";

export type InvoiceFile = { name: string; bytes: Buffer };

/**
 * The viewer's invoice as a PDF. Null when the order belongs to another viewer, does not exist, is paid another way or is cancelled; the
 * caller cannot tell these cases apart.
 */
export async function invoiceFile(ctx: Ctx, orderId: string, viewer: Viewer): Promise<InvoiceFile | null> {
  const order = await find(ctx, orderId, viewer);
  return order && fileOf(ctx, order);
}

/** The invoice attached to the letter about an order; null when the order has none. */
export async function invoiceAttachment(ctx: Ctx, orderId: string): Promise<InvoiceFile | null> {
  const order = await byId(ctx, orderId);
  return order && fileOf(ctx, order);
}

/** Invoices cached per process: a PDF takes some ten milliseconds of processor time. */
const cacheSize = 100;

/** A PDF is made in a thread of low priority, so that letters of new orders do not slow pages and orders down. */
async function print(ctx: Ctx, invoice: Invoice, madeAt: Date): Promise<Buffer> {
  const thread = ctx.singleton("orders.invoice-thread", () => createJobThread(new URL("./pdf-thread.ts", import.meta.url)));
  const bytes = await thread.run<Uint8Array>({ invoice, madeAt } satisfies InvoiceJob);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

async function fileOf(ctx: Ctx, order: Order): Promise<InvoiceFile | null> {
  const invoice = invoiceOf(order, ctx.settings.seller);
  if (!invoice) return null;
  const made = ctx.singleton("orders.invoices", () => new Map<string, { from: string; bytes: Promise<Buffer> }>());
  const from = JSON.stringify(invoice);
  const known = made.get(order.id);
  const bytes = known?.from === from ? known.bytes : print(ctx, invoice, order.createdAt);
  made.delete(order.id);
  made.set(order.id, { from, bytes }); // the newest last
  const [oldest] = made.keys();
  if (made.size > cacheSize && oldest !== undefined) made.delete(oldest);
  bytes.catch(() => made.delete(order.id)); // the caller gets the error; the next call tries again
  return { name: `schet-${invoice.number}.pdf`, bytes: await bytes };
}
