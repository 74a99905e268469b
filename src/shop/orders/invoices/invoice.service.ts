import type { Ctx } from "#shop/context.ts";
import { invoicePdf } from "./invoice-pdf.ts";
import { invoiceOf } from "./invoice.ts";
import type { Order, Viewer } from "../order.ts";
import { byId, find } from "../read.service.ts";

export type InvoiceFile = { name: string; bytes: Buffer };

/**
 * The viewer's invoice as a PDF; null when the order is not his, does not exist, is paid another way or was called off:
 * from outside all of these look alike.
 */
export async function invoiceFile(ctx: Ctx, orderId: string, viewer: Viewer): Promise<InvoiceFile | null> {
  const order = await find(ctx, orderId, viewer);
  return order && fileOf(ctx, order);
}

/** The invoice that goes with the letter about an order; null when nothing is to be paid by invoice any more. */
export async function invoiceAttachment(ctx: Ctx, orderId: string): Promise<InvoiceFile | null> {
  const order = await byId(ctx, orderId);
  return order && fileOf(ctx, order);
}

/** So many invoices are kept ready in a process: a sheet costs a tenth of a second of its one thread, and whoever asks again and again gets the same one. */
const kept = 100;

async function fileOf(ctx: Ctx, order: Order): Promise<InvoiceFile | null> {
  const invoice = invoiceOf(order, ctx.settings.seller);
  if (!invoice) return null;
  const made = ctx.singleton("orders.invoices", () => new Map<string, { from: string; bytes: Promise<Buffer> }>());
  const from = JSON.stringify(invoice);
  const known = made.get(order.id);
  const bytes = known?.from === from ? known.bytes : invoicePdf(invoice, order.createdAt);
  made.delete(order.id);
  made.set(order.id, { from, bytes }); // the newest last
  const [oldest] = made.keys();
  if (made.size > kept && oldest !== undefined) made.delete(oldest);
  bytes.catch(() => made.delete(order.id)); // a fault is met by the caller; the next one tries anew
  return { name: `schet-${invoice.number}.pdf`, bytes: await bytes };
}
