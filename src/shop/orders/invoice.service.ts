import type { Ctx } from "#shop/context.ts";
import { invoicePdf } from "./invoice-pdf.ts";
import { invoiceOf } from "./invoice.ts";
import type { Viewer } from "./order.ts";
import { byId, find } from "./read.service.ts";

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

async function fileOf(ctx: Ctx, order: Parameters<typeof invoiceOf>[0]): Promise<InvoiceFile | null> {
  const invoice = invoiceOf(order, ctx.settings.seller);
  return invoice && { name: `schet-${invoice.number}.pdf`, bytes: await invoicePdf(invoice, order.createdAt) };
}
