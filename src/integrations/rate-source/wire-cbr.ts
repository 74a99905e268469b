import { XMLParser, XMLValidator } from "fast-xml-parser";
import { z } from "zod";
import type { OfficialMetal } from "#shop/rates/gateway.ts";
import { InvalidRatesError } from "#shop/rates/gateway.ts";
import type { MetalCode } from "#shop/rates/rate.ts";

/**
 * Bank of Russia, https://www.cbr.ru/development/SXML/ : XML in windows-1251, decimal commas, dates of the day from which
 * a value holds. On days without a new value the last one comes with its own date.
 */
export const dailyPath = (day: string): string => `/XML_daily.asp?date_req=${slashed(day)}`;
export const metalsPath = (from: string, to: string): string => `/xml_metall.asp?date_req1=${slashed(from)}&date_req2=${slashed(to)}`;

const slashed = (day: string): string => day.split("-").reverse().join("/");

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
  isArray: (name) => name === "Valute" || name === "Record",
});

const valute = z.object({ "@ID": z.string(), CharCode: z.string(), Nominal: z.string(), Value: z.string() });
const daily = z.object({ ValCurs: z.object({ "@Date": z.string(), Valute: z.array(valute).max(1000) }) });
const record = z.object({ "@Date": z.string(), "@Code": z.string(), Buy: z.string() });
const metals = z.object({ Metall: z.union([z.object({ Record: z.array(record).max(10_000).optional() }), z.string()]) });

/** The dollar in an answer of `XML_daily.asp`: 1/10 000 ₽ and the day from which it holds. Throws `InvalidRatesError`. */
export function readDaily(bytes: Uint8Array): { valueE4: number; effectiveOn: string } {
  const { ValCurs } = parsed(bytes, daily, "XML_daily");
  const dollar = ValCurs.Valute.find(({ CharCode }) => CharCode === "USD");
  if (!dollar || dollar["@ID"] !== "R01235") throw new InvalidRatesError("cbr: no dollar in the list");
  const nominal = /^\d{1,6}$/.test(dollar.Nominal) ? Number(dollar.Nominal) : 0;
  if (nominal === 0) throw new InvalidRatesError("cbr: a dollar without a nominal");
  return { valueE4: Math.round(decimalE4(dollar.Value) / nominal), effectiveOn: isoDay(ValCurs["@Date"]) };
}

const metalOf: Record<string, MetalCode | undefined> = { 1: "XAU_RUB", 2: "XAG_RUB" }; // 3 platinum, 4 palladium

/** Gold and silver in an answer of `xml_metall.asp`, roubles per gram; an empty range is an empty list. Throws `InvalidRatesError`. */
export function readMetals(bytes: Uint8Array): OfficialMetal[] {
  const { Metall } = parsed(bytes, metals, "xml_metall");
  const records = typeof Metall === "string" ? [] : (Metall.Record ?? []);
  return records.flatMap((each) => {
    const code = metalOf[each["@Code"]];
    return code ? [{ code, valueE4: decimalE4(each.Buy), effectiveOn: isoDay(each["@Date"]) }] : [];
  });
}

function parsed<T>(bytes: Uint8Array, schema: z.ZodType<T>, name: string): T {
  const text = new TextDecoder("windows-1251").decode(bytes);
  if (XMLValidator.validate(text) !== true) throw new InvalidRatesError(`cbr: ${name} is not XML`);
  const result = schema.safeParse(parser.parse(text));
  if (!result.success) throw new InvalidRatesError(`cbr: not the shape of ${name}`);
  return result.data;
}

/** "78,1727" → 781 727; one to eight decimals occur. */
function decimalE4(text: string): number {
  const match = /^(\d{1,8})(?:,(\d{1,8}))?$/.exec(text.trim());
  const value = match ? Math.round(Number(`${match[1]}.${match[2] ?? "0"}`) * 10_000) : 0;
  if (value <= 0) throw new InvalidRatesError(`cbr: ${text.slice(0, 20)} is not a price`);
  return value;
}

function isoDay(text: string): string {
  const match = /^(\d{2})\.(\d{2})\.(\d{4})$/.exec(text);
  const day = match ? `${match[3]}-${match[2]}-${match[1]}` : "";
  if (new Date(`${day}T00:00:00Z`).toString() === "Invalid Date") throw new InvalidRatesError(`cbr: ${text.slice(0, 20)} is not a day`);
  return day;
}
