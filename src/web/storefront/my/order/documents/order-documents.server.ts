import { add } from "#kit/money.ts";
import { priceText } from "#kit/format.ts";
import type { Ctx } from "#shop/context.ts";
import { pricedLines } from "#shop/orders/invoices/invoice.ts";
import type { Order } from "#shop/orders/order.ts";
import type { FiscalReceipt } from "#shop/payment/receipts/receipt.ts";
import * as payment from "#shop/payment/service.ts";
import type { OrderPageView } from "../order-view.ts";

/** Receipts of an order, and refunds that are not finished. */
export async function documentsOf(ctx: Ctx, order: Order): Promise<Pick<OrderPageView, "receipts" | "goingBack">> {
  const [receipts, refunds] = [await payment.receiptsOfOrder(ctx.db, order.id), await payment.refundsOfOrder(ctx.db, order.id)];
  const going = refunds.filter((each) => each.state === "new" || each.state === "pending").map((each) => each.amount);
  return { receipts: receipts.map(receiptView), goingBack: add(...going) };
}

/** The seller with its details from the settings, and the VAT of the order as on its invoice. */
export function printDetails(ctx: Ctx, order: Order): OrderPageView["paper"] {
  const { seller, shop } = ctx.settings;
  const { vat } = pricedLines(order, seller.tax);
  const requisites = [
    ["ИНН", seller.inn],
    ["КПП", seller.kpp],
    ["ОГРН", shop.placeholders.OGRN ?? ""],
    ["Адрес", seller.address],
    ["Телефон", shop.phones.map(({ display }) => display).join(", ")],
    ["Почта", shop.email],
  ].flatMap(([name = "", value = ""]) => (value === "" ? [] : [{ name, value }]));
  return {
    seller: seller.name,
    requisites,
    vat:
      vat.length === 0
        ? [{ name: "НДС не облагается", value: null }]
        : vat.map(({ rate, amount }) => ({ name: `В том числе НДС ${rate}%`, value: priceText(amount) })),
  };
}

const receiptView = ({
  id,
  kind,
  mode,
  registrar,
  amount,
  state,
  fiscal,
  createdAt,
}: FiscalReceipt): OrderPageView["receipts"][number] => ({
  id,
  kind,
  isPart: mode === "partial_prepayment",
  registrar,
  amount,
  at: createdAt,
  state: state === "succeeded" ? "done" : state === "canceled" ? "late" : "awaited",
  fiscal: fiscal && { document: fiscal.documentNumber, storage: fiscal.storageNumber, attribute: fiscal.attribute },
});
