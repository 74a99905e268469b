import * as contract from "#contract/staff/exchange.ts";
import { fromMoscow, isoMoscow } from "#kit/moscow-time.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { tableTypes, type TableFormat } from "#kit/documents/spreadsheet/table.ts";
import { days, plus } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import * as accounting from "#shop/exchange/accounting/accounting.service.ts";
import * as offers from "#shop/exchange/accounting/offers.service.ts";
import * as exports from "#shop/exchange/exports/export.service.ts";
import { partnerPriceList } from "#shop/exchange/exports/price-list.service.ts";
import { columnsOf, type Import, type ImportApplier, type ImportError, type ImportKind } from "#shop/exchange/imports/import.ts";
import * as imports from "#shop/exchange/imports/import.service.ts";
import type { OrderState } from "#shop/orders/order.ts";
import type { Grant, Permission } from "#shop/staff/role.ts";
import type { Named } from "#shop/staff/people/colleagues.service.ts";
import { pageOf, readNumberCursor, viewPage } from "./cursor.ts";
import { staffChange, staffRead, type StaffEndpoint, type StaffFile, type StaffRefusal } from "./endpoint.ts";
import { namedIn, nameOrNull } from "./names.ts";

type May = (permission: Permission) => Grant | null;
const pageSize = 50;
const rowsShown = 100;

/** What applying needs. A stocktake with receipts in it needs both. */
const permissionOf: Readonly<Record<ImportApplier, Permission>> = {
  coins: "coins",
  prices: "prices",
  stock: "stock.post",
  stocktake: "stock.correct",
};
const checkPermissions: Readonly<Record<ImportKind, readonly Permission[]>> = {
  coins: ["coins"],
  prices: ["prices"],
  stock: ["stock.post", "stock.correct"],
};

async function view(ctx: Ctx, made: Import, may: May) {
  const isOpen = made.state === "checked" && made.counts.errors === 0 && made.counts.new + made.counts.changed > 0;
  const applier = isOpen ? await imports.applierOf(ctx, made) : null;
  const isAllowed = applier !== null && may(permissionOf[applier]) !== null;
  return {
    ...listView(made, await namedIn(ctx, [made.createdBy, made.appliedBy])),
    applyBy: isAllowed ? applier : null,
    approvalReason: isAllowed ? await imports.approvalReason(ctx, made) : null,
  };
}

const listView = (made: Import, named: Named) => ({
  ...made,
  createdAt: isoMoscow(made.createdAt),
  createdBy: named(made.createdBy).name,
  appliedBy: nameOrNull(named, made.appliedBy),
  appliedAt: made.appliedAt && isoMoscow(made.appliedAt),
  applyBy: null,
  approvalReason: null,
});

function refusal(error: ImportError): StaffRefusal {
  switch (error.code) {
    case "exchange.not_found":
      return { code: "staff.not_found" };
    case "exchange.file_refused":
      return { code: "request.invalid", fields: { content: error.message } };
    case "exchange.stale":
      return { code: error.code, data: { rows: error.rows.slice(0, 100) } };
    case "exchange.refused":
      return { code: error.code, data: { why: error.message } };
    default:
      return { code: error.code };
  }
}

const table = (format: TableFormat, { name, bytes }: { name: string; bytes: Buffer }): Result<StaffFile, StaffRefusal> =>
  done({ type: tableTypes[format], name, bytes });

type ApplyCall =
  | typeof contract.applyCoinImport
  | typeof contract.applyPriceImport
  | typeof contract.applyStockImport
  | typeof contract.applyStocktakeImport;

/** Applies imports of this applier. Any other import is not found here, so that each is applied under the permission of its own call. */
const applyEndpoint = (call: ApplyCall, applier: ImportApplier): StaffEndpoint =>
  staffChange(call as typeof contract.applyCoinImport, {
    approval: async (ctx, { params: { id }, may }) => {
      const found = may("exchange") === null ? null : await imports.find(ctx, id);
      return found && (await imports.applierOf(ctx, found)) === applier ? imports.approvalReason(ctx, found) : null;
    },
    shown: async (ctx, { params: { id }, may }) => {
      const found = may("exchange") === null ? null : await imports.find(ctx, id);
      return found && imports.shownOf(ctx, found);
    },
    change: async (ctx, { params: { id }, body: { hash }, may, audit }) => {
      if (may("exchange") === null) return fail({ code: "staff.forbidden" as const });
      const found = await imports.find(ctx, id);
      if (!found || (await imports.applierOf(ctx, found)) !== applier) return fail({ code: "staff.not_found" as const });
      const applied = await imports.apply(ctx, { id, hash });
      if (!applied.ok) return fail(refusal(applied.error));
      const { counts, fileName, kind, result } = applied.value.import;
      audit({ subject: `import:${id}`, before: { state: found.state }, after: { state: "applied", kind, fileName, counts, result } });
      return done(await view(ctx, applied.value.import, may));
    },
  });

type OrderExportRequest = {
  from: string;
  till: string;
  states: OrderState[];
  deliveries: number[];
  payments: number[];
  format: TableFormat;
};

/** A year and a day at once: longer periods are exported in parts. */
const maxPeriodDays = 366;

async function ordersFile(
  ctx: Ctx,
  request: OrderExportRequest,
  withPersonal: boolean,
): Promise<Result<exports.ExportedFile, StaffRefusal>> {
  const from = fromMoscow(request.from);
  const till = plus(fromMoscow(request.till), days(1));
  if (till <= from) return fail({ code: "request.invalid", fields: { till: "Конец периода раньше начала" } });
  if (till > plus(from, days(maxPeriodDays))) return fail({ code: "request.invalid", fields: { till: "Период не больше года" } });
  const { states, deliveries, payments, format } = request;
  const made = await exports.exportOrders(ctx, { filter: { from, till, states, deliveries, payments }, format, withPersonal });
  return made.ok ? made : fail({ code: made.error.code, data: { limit: made.error.limit } });
}

/** Imports, exports, price lists and the accounting system. */
export const exchangeEndpoints: readonly StaffEndpoint[] = [
  staffChange(contract.checkImport, {
    prepare: async (ctx, { body: { kind, name, content }, may }) =>
      checkPermissions[kind].some((permission) => may(permission) !== null)
        ? imports.checkFile(ctx, { kind, fileName: name, bytes: Buffer.from(content, "base64") })
        : null,
    change: async (ctx, { may, audit }, checked: Awaited<ReturnType<typeof imports.checkFile>> | null) => {
      if (!checked) return fail({ code: "staff.forbidden" as const });
      if (!checked.ok) return fail(refusal(checked.error));
      const made = await imports.storeCheck(ctx, checked.value);
      const { kind, fileName, counts } = made;
      audit({ subject: `import:${made.id}`, after: { kind, fileName, counts } });
      return done(await view(ctx, made, may));
    },
  }),
  staffRead(contract.readImports, async (ctx, { query: { cursor } }) => {
    const found = await imports.list(ctx, { before: readNumberCursor(cursor), limit: pageSize + 1 });
    const named = await namedIn(
      ctx,
      found.flatMap(({ createdBy, appliedBy }) => [createdBy, appliedBy]),
    );
    return done(
      viewPage(
        pageSize,
        found,
        (made) => listView(made, named),
        ({ id }) => id,
      ),
    );
  }),
  staffRead(contract.readImport, async (ctx, { params: { id }, query: { show, cursor }, may }) => {
    const made = await imports.find(ctx, id);
    if (!made) return fail({ code: "staff.not_found" });
    const outcomes = show === "warning" ? [] : show === "all" ? (["new", "changed", "error", "unchanged"] as const) : ([show] as const);
    const filter = { outcomes, hasWarnings: show === "warning", after: readNumberCursor(cursor) ?? 0, limit: rowsShown + 1 };
    const found = await imports.rowsOf(ctx, id, filter);
    return done({
      import: await view(ctx, made, may),
      heads: Object.fromEntries(columnsOf[made.kind].map(({ key, head }) => [key, head])),
      ...pageOf(rowsShown, found, ({ line }) => line),
    });
  }),
  applyEndpoint(contract.applyCoinImport, "coins"),
  applyEndpoint(contract.applyPriceImport, "prices"),
  applyEndpoint(contract.applyStockImport, "stock"),
  applyEndpoint(contract.applyStocktakeImport, "stocktake"),
  staffChange(contract.publishImported, {
    change: async (ctx, { params: { id }, may, audit }) => {
      // For a role that may not see imports there is none.
      if (may("exchange") === null) return fail({ code: "staff.not_found" as const });
      const published = await imports.publishAdded(ctx, id);
      if (!published.ok) return fail(refusal(published.error));
      const countOf = (outcome: string): number => published.value.filter((each) => each.outcome === outcome).length;
      audit({ subject: `import:${id}`, after: { published: countOf("published"), notReady: countOf("not_ready") } });
      return done({ items: published.value });
    },
  }),
  staffChange(contract.discardImport, {
    change: async (ctx, { params: { id }, may, audit }) => {
      const discarded = await imports.discard(ctx, id);
      if (!discarded.ok) return fail(refusal(discarded.error));
      audit({ subject: `import:${id}`, after: { state: "discarded" } });
      return done(await view(ctx, discarded.value, may));
    },
  }),

  staffChange(contract.exportGoods, {
    change: async (ctx, { body: { kind, format }, audit }) => {
      const made = await exports.exportTable(ctx, kind, format);
      audit({ subject: `export:${kind}`, after: { format, rows: made.rows } });
      return table(format, made);
    },
  }),
  staffChange(contract.exportOrders, {
    change: async (ctx, { body, audit }) => {
      const made = await ordersFile(ctx, body, false);
      if (!made.ok) return made;
      audit({ subject: "export:orders", after: { ...body, rows: made.value.rows } });
      return table(body.format, made.value);
    },
  }),
  staffChange(contract.exportOrdersWithBuyers, {
    change: async (ctx, { body, audit }) => {
      const made = await ordersFile(ctx, body, true);
      if (!made.ok) return made;
      audit({ subject: "export:orders", after: { ...body, rows: made.value.rows, withBuyers: true } });
      return table(body.format, made.value);
    },
  }),
  staffRead(contract.printPriceList, async (ctx, { query: { format } }) => {
    const { name, bytes } = await partnerPriceList(ctx, format);
    return done(format === "pdf" ? { type: "application/pdf", name, bytes, isInline: true } : { type: tableTypes.xlsx, name, bytes });
  }),

  staffRead(contract.readAccounting, async (ctx) => {
    const { calls, documents, ...counts } = await accounting.status(ctx);
    const numbers = await accounting.orderNumbers(
      ctx,
      documents.flatMap(({ orderId }) => orderId ?? []),
    );
    return done({
      ...counts,
      address: ctx.settings.accountingUrl ?? null,
      lastCallAt: calls[0] ? isoMoscow(calls[0].at) : null,
      calls: calls.map((call) => ({ ...call, at: isoMoscow(call.at) })),
      documents: documents.map(({ orderId, receivedAt, ...document }) => {
        const number = orderId === null ? undefined : numbers.get(orderId);
        return {
          ...document,
          order: orderId === null || number === undefined ? null : { id: orderId, number: String(number) },
          receivedAt: isoMoscow(receivedAt),
        };
      }),
    });
  }),
  staffChange(contract.recheckAccounting, {
    prepare: (ctx) => offers.compare(ctx),
    change: async (ctx, { may, audit }, compared: offers.Comparison) => {
      const waiting = await offers.store(ctx, compared);
      audit({ subject: "exchange:1c", after: Object.fromEntries(waiting.map(({ kind, id }) => [kind, id])) });
      const views = [];
      for (const each of waiting) views.push(await view(ctx, each, may));
      return done({ imports: views });
    },
  }),
  staffRead(contract.readGoods, async (ctx, { query: { show, cursor } }) => {
    const found = await accounting.goods(ctx, show, { after: cursor ?? "", limit: pageSize + 1 });
    const { items, next } = pageOf(pageSize, found, ({ good }) => good.guid);
    return done({
      items: items.map(({ good, coin }) => ({
        guid: good.guid,
        article: good.article,
        name: good.name,
        coin,
        isIgnored: good.isIgnored,
        isDeleted: good.isDeleted,
        seenAt: isoMoscow(good.seenAt),
      })),
      next,
    });
  }),
  staffChange(contract.mapGood, {
    change: async (ctx, { body, audit }) => {
      const mapped = await accounting.mapGood(ctx, body);
      if (!mapped.ok && mapped.error.code === "coin.not_found")
        return fail({ code: "request.invalid" as const, fields: { coinId: "Монеты с таким артикулом нет" } });
      if (!mapped.ok) return fail({ code: "staff.not_found" as const });
      audit({
        subject: `good:${body.guid}`,
        before: mapped.value.before,
        after: { coinId: body.coinId, isIgnored: body.isIgnored },
      });
      return done(true as const);
    },
  }),
];
