import { isoMoscow } from "#kit/moscow-time.ts";
import { toRoubles } from "#kit/money.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { writeTable } from "#kit/documents/spreadsheet/spreadsheet.ts";
import type { Cell, TableFormat } from "#kit/documents/spreadsheet/table.ts";
import type { Ctx } from "#shop/context.ts";
import { fullNameOf } from "#shop/customers/customer.ts";
import * as orders from "#shop/orders/export/export.service.ts";
import type { ExportedOrder, ExportFilter } from "#shop/orders/export/exported-order.ts";
import { piecesOf } from "#shop/orders/order.ts";
import { fileCell } from "../columns/column.ts";
import { columnsOf, type ImportKind } from "../imports/import.ts";
import { kinds } from "../imports/kinds.service.ts";
import { deliveryNames, orderHeads, orderStateNames, paymentNames, tableNames } from "./texts.ru.ts";

export type ExportedFile = { name: string; bytes: Buffer; rows: number };
export type ExportError = { code: "exchange.too_many"; limit: number };

const dayOf = (at: Date): string => isoMoscow(at).slice(0, 10);

/** All coins, on sale or not, as a table that can be imported again. */
export async function exportTable(ctx: Ctx, kind: ImportKind, format: TableFormat): Promise<ExportedFile> {
  const columns = columnsOf[kind];
  const subjects = [...(await kinds[kind].load(ctx)).values()].toSorted((a, b) => a.id - b.id);
  const rows = subjects.map(({ values }) => columns.map((column) => fileCell(column, values[column.key] ?? null)));
  const name = tableNames[kind];
  const bytes = await writeTable(format, { name, head: columns.map(({ head }) => head), rows });
  return { name: `${name} ${dayOf(ctx.now())}.${format}`, bytes, rows: rows.length };
}

/**
 * Orders of a period, one row for each coin of an order, as a table. Read in pieces. `withPersonal`: with name, phone, e-mail and address
 * of the buyer. Refuses with `exchange.too_many` before anything is read.
 */
export async function exportOrders(
  ctx: Ctx,
  { filter, format, withPersonal }: { filter: ExportFilter; format: TableFormat; withPersonal: boolean },
): Promise<Result<ExportedFile, ExportError>> {
  const { exportOrders: maxOrders, exportXlsxRows } = ctx.settings.limits;
  const limit = format === "csv" ? maxOrders : Math.min(maxOrders, exportXlsxRows);
  if ((await orders.countFor(ctx.db, filter, limit + 1)) > limit) return fail({ code: "exchange.too_many", limit });
  const rows: Cell[][] = [];
  for await (const some of orders.ordersFor(ctx.db, filter)) {
    rows.push(...some.flatMap((order) => rowsOf(order, withPersonal)));
    if (format === "xlsx" && rows.length > exportXlsxRows) return fail({ code: "exchange.too_many", limit: exportXlsxRows });
  }
  const head = [...orderHeads.order, ...(withPersonal ? orderHeads.personal : [])];
  const bytes = await writeTable(format, { name: "Заказы", head, rows });
  return done({ name: `Заказы ${dayOf(filter.from)} – ${dayOf(new Date(filter.till.getTime() - 1))}.${format}`, bytes, rows: rows.length });
}

function rowsOf(order: ExportedOrder, withPersonal: boolean): Cell[][] {
  const personal = withPersonal ? [fullNameOf(order.user), order.user.phone, order.user.email, addressOf(order)] : [];
  return order.lines.map((line, index) => {
    const pieces = piecesOf(line);
    // Sums of the whole order stand once, so that the columns can be added up.
    const once = (value: Cell): Cell => (index === 0 ? value : null);
    return [
      String(order.number),
      isoMoscow(order.createdAt).slice(0, 16).replace("T", " "),
      orderStateNames[order.state],
      order.paidAt ? isoMoscow(order.paidAt).slice(0, 16).replace("T", " ") : null,
      String(line.coinId),
      line.title,
      pieces,
      toRoubles(line.price),
      (line.price * pieces) / 100,
      deliveryNames[order.deliveryId] ?? order.delivery.name,
      order.delivery.cityName,
      once(toRoubles(order.deliveryPrice)),
      paymentNames[order.paymentMethodId] ?? String(order.paymentMethodId),
      once(toRoubles(order.total)),
      once(toRoubles(order.paid)),
      once(toRoubles(order.refunded)),
      order.state === "returned" ? pieces : line.returned,
      ...personal,
    ];
  });
}

/** Where an order goes, in one line. */
export function addressOf({ address, delivery }: Pick<ExportedOrder, "address" | "delivery">): string {
  if (delivery.point) return [delivery.cityName, delivery.point.address].filter(Boolean).join(", ");
  if (!address) return delivery.cityName;
  const { city, street, house, room } = address;
  return [city, street, house && `д. ${house}`, room && `кв. ${room}`].filter(Boolean).join(", ");
}
