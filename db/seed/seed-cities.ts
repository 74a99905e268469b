import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Ctx } from "#shop/context.ts";
import { cityCodeOf } from "#shop/delivery/delivery.ts";
import * as delivery from "#shop/delivery/service.ts";

// Codes: the carrier's own (CDEK). Coordinates: the cities' centres. Weight: thousands of inhabitants, largest first in suggestions.
const file = z.array(
  z.strictObject({
    carrierCode: z.number().int().positive(),
    name: z.string().min(2),
    region: z.string().min(2),
    lat: z.number().min(41).max(82),
    lon: z.number().min(19).max(180),
    weight: z.number().int().positive(),
  }),
);

/** Adds the cities that are known before the carrier was queried. Idempotent. Returns how many. */
export async function seedCities(ctx: Pick<Ctx, "db" | "now">): Promise<number> {
  const list = file.parse(JSON.parse(await readFile(join(import.meta.dirname, "data", "cities.json"), "utf8")));
  await delivery.addCities(
    ctx,
    list.map((each) => ({ ...each, code: cityCodeOf(each.carrierCode) })),
  );
  return list.length;
}
