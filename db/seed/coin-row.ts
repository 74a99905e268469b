import { z } from "zod";
import { contradictions, priceProblems, type CoinFacts, type CoinProblem } from "#shop/catalog/coin-rules.ts";
import { problemText } from "#shop/catalog/coin-texts.ru.ts";
import { coinColumns } from "#shop/exchange/columns/coin-columns.ts";
import { parseCell, type Column, type ColumnValue } from "#shop/exchange/columns/column.ts";
import { stockColumns } from "#shop/exchange/columns/stock-columns.ts";

/**
 * One row of a coin file in the owner's units: grams, millimetres, parts per thousand, percent. Other keys are refused. Here is only which
 * type a field has: its values are checked by the columns of the exchange and the rules of the catalogue, as those of every imported table.
 */
const coinRow = z.strictObject({
  id: z.int(),
  slug: z.string(),
  title: z.string(),
  metal: z.enum(["gold", "silver"]),
  kind: z.enum(["bullion", "memorable"]),
  country: z.string(),
  issuer: z.string(),
  mint: z.string().nullable(),
  year: z.number(),
  denomination: z.strictObject({ value: z.number().nullable(), currency: z.string().nullable() }),
  series: z.string().nullable(),
  catalogueNumber: z.string().nullable(),
  fineness: z.number(),
  pureMassG: z.number(),
  totalMassG: z.number(),
  diameterMm: z.number().nullable(),
  thicknessMm: z.number().nullable(),
  shape: z.enum(["round", "rectangle"]).nullable(),
  lengthMm: z.number().nullable(),
  widthMm: z.number().nullable(),
  mintage: z.number().nullable(),
  quality: z.string(),
  edge: z.string().nullable(),
  artist: z.string().nullable(),
  description: z.string(),
  categories: z.array(z.string()),
  motif: z.string(),
  premium: z.strictObject({
    basis: z.literal("spot*pureMassG"),
    typicalPct: z.number(),
    minPct: z.number(),
    maxPct: z.number(),
    buybackPct: z.number().nullable(),
  }),
  stock: z.number(),
  /** Maximum pieces in one order; absent: by the shop's rule. */
  purchaseLimit: z.number().optional(),
  source: z.string().min(1),
  verifiedFields: z.array(z.string()),
});

/** Where the file has the field of a column. */
const paths: Readonly<Record<string, readonly string[]>> = {
  denominationValue: ["denomination", "value"],
  denominationCurrency: ["denomination", "currency"],
  finenessTenths: ["fineness"],
  pureMassMg: ["pureMassG"],
  totalMassMg: ["totalMassG"],
  premiumBp: ["premium", "typicalPct"],
  buybackBp: ["premium", "buybackPct"],
  counted: ["stock"],
};
const pathOf = (key: string): readonly string[] => paths[key] ?? [key];

/** Columns that the file leaves to the shop. */
const ownedByShop: ReadonlySet<string> = new Set(["vatCode", "featuredPosition", "fixedPriceKopecks", "fixedBuybackKopecks"]);
const columns: readonly Column[] = [
  ...coinColumns.filter(({ key, role }) => role !== "info" && !ownedByShop.has(key)),
  ...stockColumns.filter(({ key }) => key === "counted"),
];

/** A row as the cells of the exchange's tables, which are written as people write them. */
function cellsOf(row: z.infer<typeof coinRow>): { column: Column; path: readonly string[]; cell: string }[] {
  return columns.map((column) => {
    const path = pathOf(column.key);
    const [first = "", second] = path;
    const outer: unknown = row[first as keyof typeof row];
    const value = second === undefined ? outer : (outer as Record<string, unknown> | undefined)?.[second];
    return { column, path, cell: cellOf(column, value) };
  });
}

function cellOf({ type }: Column, value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.join(",");
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  return type.kind === "choice" ? (type.options[text] ?? text) : text;
}

type Fault = { path: readonly string[]; message: string };

/** What is wrong with the values of a row, but not with the fields whose type is wrong already. */
function faultsOf(row: z.infer<typeof coinRow>, ofWrongType: ReadonlySet<string>): Fault[] {
  const faults: Fault[] = [];
  const values: Record<string, ColumnValue> = {};
  for (const { column, path, cell } of cellsOf(row)) {
    if (ofWrongType.has(path[0] ?? "")) continue;
    const parsed = parseCell(column, cell);
    if (parsed.ok) values[column.key] = parsed.value;
    else faults.push({ path, message: parsed.message });
  }
  if (ofWrongType.size > 0) return faults;
  if (faults.length === 0)
    for (const problem of ruleProblems(row, values)) faults.push({ path: pathOf(problem.field), message: problemText(problem) });
  const { minPct, typicalPct, maxPct } = row.premium;
  if (!(minPct <= typicalPct && typicalPct <= maxPct))
    faults.push({ path: ["premium", "typicalPct"], message: "must lie between minPct and maxPct" });
  return faults;
}

/** What the rules of the catalogue say about a row whose cells are right by themselves. */
function ruleProblems(row: z.infer<typeof coinRow>, values: Readonly<Record<string, ColumnValue>>): CoinProblem[] {
  const { premiumBp, buybackBp } = values as { premiumBp: number; buybackBp: number | null };
  const facts = { ...values, categories: row.categories } as unknown as CoinFacts;
  // Fixed prices of memorable coins are computed from the premium.
  return [
    ...contradictions(facts),
    ...priceProblems({ premiumBp, buybackBp, fixedPriceKopecks: null, fixedBuybackKopecks: null }, "bullion"),
  ];
}

export type CoinRow = z.infer<typeof coinRow>;

/** Nothing of the file was written; the message names every invalid row with its number (from 1), slug and field. */
export class ImportRefused extends Error {
  readonly problems: string[];
  constructor(problems: string[]) {
    super(
      `nothing was imported, ${problems.length === 1 ? "1 problem" : `${problems.length} problems`}:\n` +
        problems.map((each) => `  ${each}`).join("\n"),
    );
    this.problems = problems;
  }
}

/** Checks a whole file, then its rows against each other and against the categories; throws `ImportRefused` with all faults. */
export function readCoinRows(file: unknown, knownCategories: ReadonlySet<string>): CoinRow[] {
  if (!Array.isArray(file)) throw new ImportRefused(["the file: must be a list of coins"]);
  const problems: string[] = [];
  const rows: CoinRow[] = [];
  const idOf = new Map<number, number>();
  const slugOf = new Map<string, number>();
  file.forEach((raw: unknown, index) => {
    const report = problemsOf(raw, index + 1, problems);
    const parsed = coinRow.safeParse(raw);
    if (!parsed.success) {
      for (const issue of parsed.error.issues) report(fieldOf(issue), issue.message);
      const isObject = typeof raw === "object" && raw !== null && !Array.isArray(raw);
      const ofWrongType = new Set(parsed.error.issues.map(({ path }) => String(path[0] ?? "")));
      const others = isObject ? faultsOf(raw as z.infer<typeof coinRow>, ofWrongType) : [];
      for (const { path, message } of others) report(path.join("."), message);
      return;
    }
    const row = parsed.data;
    for (const { path, message } of faultsOf(row, new Set())) report(path.join("."), message);
    rows.push(row);
    const sameId = idOf.get(row.id);
    if (sameId) report("id", `${row.id} is also the id of row ${sameId}`);
    const sameSlug = slugOf.get(row.slug);
    if (sameSlug) report("slug", `is also the slug of row ${sameSlug}`);
    idOf.set(row.id, sameId ?? index + 1);
    slugOf.set(row.slug, sameSlug ?? index + 1);
    for (const category of row.categories)
      if (!knownCategories.has(category)) report("categories", `"${category}" is no category of the shop`);
  });
  if (problems.length > 0) throw new ImportRefused(problems);
  return rows;
}

function problemsOf(raw: unknown, number: number, problems: string[]) {
  const slug =
    typeof raw === "object" && raw !== null && "slug" in raw && typeof raw.slug === "string" ? raw.slug.slice(0, 120) : "no slug";
  return (field: string, message: string) => problems.push(`row ${number} (${slug}), ${field}: ${message}`);
}

/** An unknown key is itself the invalid field, not the object around it. */
function fieldOf(issue: z.core.$ZodIssue): string {
  const path = issue.code === "unrecognized_keys" ? [...issue.path, issue.keys.join(", ")] : issue.path;
  return path.length === 0 ? "the row" : path.join(".");
}
