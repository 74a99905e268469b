import type { Coin } from "../coin.ts";
import type { CoinProblem, FactField } from "../coin-rules.ts";
import { isDrawing, type PhotoSide } from "../image.ts";

/** What a coin lacks to be shown: pictures of both sides, a price. */
export type NotReady = "pictures" | "price";

/** What is missing before a coin may be put on sale. Coins with drawings may always be shown. */
export function notReady(coin: Pick<Coin, "hasDrawing" | "pictures" | "kind" | "fixedPriceKopecks">): NotReady[] {
  const missing: NotReady[] = [];
  if (!coin.hasDrawing && isDrawing(coin)) missing.push("pictures");
  if (coin.kind === "memorable" && coin.fixedPriceKopecks === null) missing.push("price");
  return missing;
}

/** An existing coin that the row seems to be. `number`: the same catalogue number and mint; `issue`: the same product, year and mint. */
export type Duplicate = { why: "number" | "issue"; id: number; slug: string; title: string };

/** Why an edit of a coin is refused. `fields`: those that differ from what the editor saw. */
export type EditError =
  | { code: "coin.not_found" }
  | { code: "staff.stale"; current: Coin; fields: FactField[] }
  | { code: "coin.invalid"; problems: CoinProblem[] }
  | { code: "coin.duplicate"; duplicate: Duplicate }
  | { code: "coin.picture_wrong"; side: PhotoSide }
  | { code: "coin.not_ready"; reasons: NotReady[] };
