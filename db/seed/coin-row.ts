import { z } from "zod";
import { catalogueNumberPattern, contradictions, slugPattern, type CoinProblem } from "#shop/catalog/coin-rules.ts";

const positive = z.number().positive();
const text = z.string().trim().min(1).max(4000);
const slug = z.string().max(120).regex(slugPattern, "lower-case Latin words joined by hyphens");
const oneDecimal = (value: number) => Math.abs(value * 10 - Math.round(value * 10)) < 1e-6;

/** The faults that the rules of the catalogue find, in the words of the file. */
const faults: Partial<Record<CoinProblem["code"], { path: string[]; message: (row: FaultyRow) => string }>> = {
  mass: { path: ["pureMassG"], message: (row) => `${row.pureMassG} g do not fit ${row.totalMassG} g of fineness ${row.fineness}` },
  round_without_diameter: { path: ["diameterMm"], message: () => "a round coin needs a diameter" },
  value_without_currency: { path: ["denomination", "currency"], message: () => "a face value needs a currency" },
  own_metal_missing: { path: ["categories"], message: ({ metal }) => `does not name the coin's own metal, "${metal}"` },
  other_metal: { path: ["categories"], message: ({ metal }) => `names a category of ${metal === "gold" ? "silver" : "gold"}` },
};
type FaultyRow = { pureMassG: number; totalMassG: number; fineness: number; metal: "gold" | "silver" };

/** One row of a coin file, in the owner's units: grams, millimetres, parts per thousand, percent. Other keys are refused. */
const coinRow = z
  .strictObject({
    id: z.int().min(1).max(2_000_000_000),
    slug,
    title: text.max(200),
    metal: z.enum(["gold", "silver"]),
    kind: z.enum(["bullion", "memorable"]),
    country: text,
    issuer: text,
    mint: text.nullable(),
    year: z.int().min(1700).max(2100),
    denomination: z.strictObject({
      value: positive.nullable(),
      currency: z
        .string()
        .regex(/^[A-Z]{3}$/, "a three-letter currency code")
        .nullable(),
    }),
    series: text.nullable(),
    catalogueNumber: z.string().regex(catalogueNumberPattern, "NNNN-NNNN or NNNN-NNNN-YY").nullable(),
    fineness: z.number().min(1).max(1000).refine(oneDecimal, "at most one decimal"),
    pureMassG: positive,
    totalMassG: positive,
    diameterMm: positive.nullable(),
    thicknessMm: positive.nullable(),
    shape: z.enum(["round", "rectangle"]).nullable(),
    lengthMm: positive.nullable(),
    widthMm: positive.nullable(),
    mintage: z.int().positive().nullable(),
    quality: text,
    edge: text.nullable(),
    artist: text.nullable(),
    description: text,
    categories: z.array(z.string()).min(1),
    motif: z.string().regex(/^[a-z0-9-]+$/),
    premium: z.strictObject({
      basis: z.literal("spot*pureMassG"),
      typicalPct: z.number().gt(-100),
      minPct: z.number().gt(-100),
      maxPct: z.number().gt(-100),
      buybackPct: z.number().gt(-100).nullable(),
    }),
    stock: z.int().min(0).max(1_000_000),
    /** Maximum pieces in one order; absent: by the shop's rule. */
    purchaseLimit: z.int().min(1).max(999).optional(),
    source: text,
    verifiedFields: z.array(z.string()),
  })
  .check(({ value: row, issues }) => {
    const wrong = (message: string, ...path: string[]) => issues.push({ code: "custom", message, path, input: row });
    const facts = {
      ...row,
      totalMassMg: row.totalMassG * 1000,
      pureMassMg: row.pureMassG * 1000,
      finenessTenths: row.fineness * 10,
      denominationValue: row.denomination.value,
      denominationCurrency: row.denomination.currency,
    };
    for (const { code } of contradictions(facts)) {
      const fault = faults[code];
      if (fault) wrong(fault.message(row), ...fault.path);
    }
    const { minPct, typicalPct, maxPct, buybackPct } = row.premium;
    if (!(minPct <= typicalPct && typicalPct <= maxPct)) wrong("must lie between minPct and maxPct", "premium", "typicalPct");
    if (buybackPct !== null && buybackPct >= typicalPct) wrong("the shop would pay more than it asks", "premium", "buybackPct");
  });
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
      return;
    }
    const row = parsed.data;
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
