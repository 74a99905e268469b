import { inTransaction } from "#kit/db.ts";
import { faultFields } from "#kit/outbound.ts";
import { moscow } from "#kit/moscow-time.ts";
import { hours, minutes, plus } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import { cityCodeOf, type City } from "./delivery.ts";
import type { CountryPoint } from "./gateway.ts";
import * as rows from "./repository.ts";

/** The country is read in the small hours of Moscow, when nobody else asks the carrier. */
const nightFrom = 3;
const nightTill = 6;
/** A reading that broke off is tried again so much later. */
const retryAfter = minutes(10);
/** A country does not lose more of its points in a night: a shorter list is a fault of the carrier's. */
const mostLoss = 0.3;

/**
 * Reads all points of the country once a night, and at once where that never happened. Each page is one transaction, so that nobody waits
 * for the whole; points that are gone are removed by the last one, after everything was seen. A reading that breaks off, or that
 * sees far fewer points than we know, removes nothing: what was known before goes on serving.
 */
export async function readCountryWhenDue(ctx: Ctx): Promise<void> {
  const { finished, started } = await rows.lastReadings(ctx.db);
  const now = ctx.now();
  const isTried = started !== null && started > plus(now, -retryAfter);
  const { hour } = moscow(now);
  const isNight = hour >= nightFrom && hour < nightTill;
  const isDue = finished === null || (isNight && finished < plus(now, -hours(12))) || finished < plus(now, -hours(30));
  if (isDue && !isTried) await readCountry(ctx);
}

/** Reads the country now. Answers how many points were seen and removed, or null when the reading broke off. */
export async function readCountry(ctx: Ctx): Promise<{ seen: number; removed: number } | null> {
  const startedAt = ctx.now();
  const id = await rows.beginReading(ctx.db, startedAt);
  const known = await rows.countAllPoints(ctx.db);
  let seen = 0;
  try {
    for await (const page of ctx.gateways.delivery.countryPoints()) {
      await inTransaction(ctx.db, async (tx) => {
        await rows.addTowns(tx, townsOf(page));
        await rows.saveReadPage(tx, id, page, (point) => cityCodeOf(point.carrierCityCode));
      });
      seen += page.length;
    }
    if (seen < known * (1 - mostLoss)) throw new Error(`the carrier told of ${seen} points, ${known} are known`);
    const removed = await inTransaction(ctx.db, (tx) => rows.finishReading(tx, { id, startedAt, seen }, ctx.now()));
    ctx.log.info({ seen, removed }, "the country's points were read");
    return { seen, removed };
  } catch (error) {
    await rows.failReading(ctx.db, id, seen, error instanceof Error ? error.message.slice(0, 500) : String(error));
    ctx.log.warn({ ...faultFields(error), seen }, "the reading of the country's points broke off");
    return null;
  }
}

/** The towns of these points, each in the middle of them until somebody tells its own coordinates. */
function townsOf(points: readonly CountryPoint[]): City[] {
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
