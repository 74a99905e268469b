import { randomUUID } from "node:crypto";
import { openSheet } from "#kit/documents/pdf-sheet.ts";
import { failure, stamp, type Answer } from "./simulator-answers.ts";
import type { Order, Orders } from "./simulator-orders.ts";

/**
 * A task to print barcodes. `mode` is how it ends: as it should, refused, never, with a file that is no PDF, or with a file that is gone.
 */
type Print = { uuid: string; orders: Order[]; format: string; at: Date; mode: PrintMode };
export type PrintMode = "ready" | "invalid" | "never" | "garbage" | "gone";
/** How long a print task takes, and how long its file exists, in milliseconds. */
const printMs = 2_000;
const printLifeMs = 3_600_000;

/** The carrier's tasks that print barcodes of orders. */
export function createPrints({ now, orders }: { now: () => Date; orders: Orders }) {
  const prints = new Map<string, Print>();
  let printMode: PrintMode = "ready";

  /** Barcodes of at most 100 orders; orders that are unknown, not registered yet or removed are found out when the task runs. */
  function createPrint({ orders: wanted, format }: { orders?: { order_uuid?: string }[]; format?: string }): Answer {
    if (!wanted?.length) return failure(400, "CREATE", "v2_field_is_empty", "orders");
    if (wanted.length > 100) return failure(400, "CREATE", "v2_bad_request", "orders: at most 100");
    const found = wanted.map(({ order_uuid }) => orders.byUuid(order_uuid));
    const known = found.filter((order) => order !== undefined);
    if (known.length < found.length) return failure(400, "CREATE", "v2_entity_not_found", "Entity is not found");
    const isPrintable = known.every((order) => orders.isRegistered(order) && !order.refusedBecause && !order.isRemoved);
    const print: Print = {
      uuid: randomUUID(),
      orders: known,
      format: format ?? "A4",
      at: now(),
      mode: isPrintable ? printMode : "invalid",
    };
    prints.set(print.uuid, print);
    return [
      202,
      {
        entity: { uuid: print.uuid },
        requests: [{ request_uuid: randomUUID(), type: "CREATE", state: "ACCEPTED", date_time: stamp(print.at) }],
      },
    ];
  }

  /** The statuses of a print task so far, oldest first. */
  function printStatuses({ at, mode }: Print): { code: string; at: number }[] {
    const start = at.getTime();
    return [
      { code: "ACCEPTED", at: start },
      { code: "PROCESSING", at: start + printMs / 2 },
      ...(mode === "invalid" ? [{ code: "INVALID", at: start + printMs }] : []),
      ...(mode === "invalid" || mode === "never"
        ? []
        : [
            { code: "READY", at: start + printMs },
            { code: "REMOVED", at: start + (mode === "gone" ? printMs + 1 : printLifeMs) },
          ]),
    ].filter((status) => status.at <= now().getTime());
  }

  async function readPrint(uuid: string, isFile: boolean): Promise<Answer> {
    const print = prints.get(uuid);
    if (!print) return failure(400, "GET", "v2_entity_not_found", "Entity is not found");
    const statuses = printStatuses(print);
    const code = statuses.at(-1)?.code;
    if (isFile && code !== "READY") return failure(404, "GET", "v2_entity_not_found", "File is not found");
    if (isFile) return [200, print.mode === "garbage" ? Buffer.from("<html>502</html>") : await labelsPdf(print, now())];
    return [
      200,
      {
        entity: {
          uuid,
          orders: print.orders.map((order) => ({ order_uuid: order.uuid })),
          copy_count: "1",
          format: print.format,
          ...(code === "READY" ? { url: `https://api.cdek.ru/v2/print/barcodes/${uuid}.pdf` } : {}),
          statuses: statuses
            .toReversed()
            .map((status) => ({ code: status.code, name: status.code, date_time: stamp(new Date(status.at)) })),
        },
        requests: [
          {
            type: "CREATE",
            state: code === "INVALID" ? "INVALID" : "SUCCESSFUL",
            ...(code === "INVALID" ? { errors: [{ code: "v2_entity_invalid", message: "Order has no barcode" }] } : {}),
          },
        ],
      },
    ];
  }

  return {
    create: createPrint,
    read: readPrint,
    /** How print tasks made from now on end. */
    setMode(mode: PrintMode): void {
      printMode = mode;
    },
    /** Print tasks so far: the shop's numbers of their orders. */
    list: () => [...prints.values()].map((print) => ({ format: print.format, numbers: print.orders.map(({ number }) => number) })),
  };
}

/** Labels as the carrier prints them: a page for each order, with its number. */
function labelsPdf({ orders }: Print, madeAt: Date): Promise<Buffer> {
  const { pdf, bytes } = openSheet({ title: "Ярлыки", author: "CDEK", madeAt, size: "A6" });
  orders.forEach(({ cdekNumber, number, content }, index) => {
    if (index > 0) pdf.addPage();
    pdf.font("medium").fontSize(20).text(cdekNumber);
    pdf.font("regular").fontSize(11).text(`Заказ ${number}`);
    pdf.text(content.recipient?.name ?? "").text(content.delivery_point ?? content.to_location?.address ?? "");
  });
  pdf.end();
  return bytes;
}
