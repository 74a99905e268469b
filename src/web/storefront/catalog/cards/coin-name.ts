/** The parts of a coin's title, which cards and product pages show on separate lines. */
export type CoinName = { name: string; face: string | null; remark: string | null };

const units = "рубл\\S+|унци\\S+|килограмм\\S*|грамм\\S*|г|тенге|юан\\S+";
/** Name, then `, 10 000 рублей` or ` 1/10 унции`, a metal in brackets, the year, a mint or variant in brackets. */
const withFace = new RegExp(`^(.+?),? (\\d[\\d /\u00A0]*(?:${units}))( \\([^)]+\\))? \\d{4}(?: \\(([^)]+)\\))?$`);
const withoutFace = /^(.+) \d{4}(?: \(([^)]+)\))?$/;

/** `face` is the denomination or the mass in words; `remark` is the text in brackets at the end (mint, variant). */
export function coinName(title: string): CoinName {
  const full = withFace.exec(title);
  if (full?.[1] && full[2]) return { name: full[1], face: full[2].replace(/ /g, "\u00A0"), remark: full[4] ?? null };
  const short = withoutFace.exec(title);
  if (short?.[1]) return { name: short[1], face: null, remark: short[2] ?? null };
  return { name: title, face: null, remark: null };
}

/** `Московский монетный двор (ММД)` → `ММД`; a mint without a short name has none. */
export const mintSign = (mint: string | null): string | null => /\(([^)]+)\)$/.exec(mint ?? "")?.[1] ?? null;
/** `Московский монетный двор (ММД)` → `Московский монетный двор`. */
export const mintName = (mint: string): string => mint.replace(/ \([^)]+\)$/, "");
