import { inTransaction } from "#kit/db.ts";
import { faultFields } from "#kit/network/outbound.ts";
import { moscow } from "#kit/moscow-time.ts";
import { hours, minutes, plus } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import { cityCodeOf, type City } from "./delivery.ts";
import type { CountryPoint } from "./gateway.ts";
import * as rows from "./repository.ts";

/** The points of the whole country are imported at night (Moscow time), when the shop makes few other calls to the carrier. */
const nightFrom = 3;
const nightTill = 6;
/** Delay before the next import after a failed one. */
const retryAfter = minutes(10);
/** Largest share of points that one import may remove: a shorter list is treated as a fault of the carrier. */
const maxRemovedShare = 0.3;

/**
 * Imports all points of the country once a night, and immediately when no import has finished yet. Each page is one transaction, so that
 * locks are short; the last transaction removes the points that were not seen. An import that fails, or that sees far fewer points than
 * are stored, removes nothing.
 */
export async function importWhenDue(ctx: Ctx): Promise<void> {
  const { finished, started } = await rows.lastImports(ctx.db);
  const now = ctx.now();
  const isTried = started !== null && started > plus(now, -retryAfter);
  const { hour } = moscow(now);
  const isNight = hour >= nightFrom && hour < nightTill;
  const isDue = finished === null || (isNight && finished < plus(now, -hours(12))) || finished < plus(now, -hours(30));
  if (isDue && !isTried) await importPoints(ctx);
}

/** Imports all points of the country now. Returns how many points were seen and removed, or null when the import failed. */
export async function importPoints(ctx: Ctx): Promise<{ seen: number; removed: number } | null> {
  const startedAt = ctx.now();
  const id = await rows.startImport(ctx.db, startedAt);
  const known = await rows.countAllPoints(ctx.db);
  let seen = 0;
  try {
    for await (const page of ctx.gateways.delivery.countryPoints()) {
      await inTransaction(ctx.db, async (tx) => {
        await rows.addCities(tx, citiesOf(page));
        await rows.saveImportedPage(tx, id, page, (point) => cityCodeOf(point.carrierCityCode));
      });
      seen += page.length;
    }
    if (seen < known * (1 - maxRemovedShare)) throw new Error(`the carrier sent ${seen} points, ${known} are stored`);
    const removed = await inTransaction(ctx.db, (tx) => rows.finishImport(tx, { id, startedAt, seen }, ctx.now()));
    ctx.log.info({ seen, removed }, "imported the points of the country");
    return { seen, removed };
  } catch (error) {
    await rows.failImport(ctx.db, id, seen, error instanceof Error ? error.message.slice(0, 500) : String(error));
    ctx.log.warn({ ...faultFields(error), seen }, "the import of the country's points failed");
    return null;
  }
}

/** The cities of these points. A city is placed at the mean of its points until its own coordinates are known. */
function citiesOf(points: readonly CountryPoint[]): City[] {
  return [...Map.groupBy(points, (point) => point.carrierCityCode)].flatMap(([carrierCode, own]) => {
    const [first] = own;
    if (!first) return [];
    const mean = (value: (point: CountryPoint) => number): number => own.reduce((sum, point) => sum + value(point), 0) / own.length;
    return [
      {
        code: cityCodeOf(carrierCode),
        carrierCode,
        name: first.cityName,
        region: first.region,
        lat: mean(({ lat }) => lat),
        lon: mean(({ lon }) => lon),
      },
    ];
  });
}
