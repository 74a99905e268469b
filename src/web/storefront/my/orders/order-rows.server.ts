import { orderStatusTexts } from "#contract/texts.ru.ts";
import { coinImage, currentPicture } from "#shop/catalog/image.ts";
import type { Order } from "#shop/orders/order.ts";
import type { MyOrderRow } from "./order-list.tsx";

/** Number of coins of an order that its row shows as pictures. */
const pictured = 4;

export const orderRows = (list: readonly Order[]): MyOrderRow[] =>
  list.map((order) => ({
    id: order.id,
    number: order.number,
    createdAt: order.createdAt,
    state: order.state,
    status: orderStatusTexts[order.state],
    total: order.total,
    count: order.lines.reduce((count, line) => count + line.quantity, 0),
    titles: order.lines.map((line) => line.title),
    images: order.lines.slice(0, pictured).map((line) => coinImage(currentPicture(line), "reverse", 160)),
  }));
