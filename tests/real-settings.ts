import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { demoSettingsPath } from "#main/production.ts";
import { sellerOf } from "#shop/seller.ts";
import type { SellerTax } from "#shop/tax.ts";

const generalTax: SellerTax = { system: "general", simplifiedVatPercent: null, prepaymentVat: "computed", sendsTaxSystem: false };

/** Writes settings of an invented shop that is no demo, for processes that run without it. Returns the path of the file. */
export function writeRealSettings(folder: string): string {
  const text = readFileSync(demoSettingsPath, "utf8")
    .replaceAll(/([._])example/g, "$1trial")
    .replaceAll("000-00-00", "123-45-67")
    .replaceAll(/\b7(495|800)0000000/g, "7$11234567")
    .replaceAll(" (демонстрационный магазин)", "")
    .replaceAll("Демонстрационный", "Пробный");
  const settings = JSON.parse(text) as { placeholders: Record<string, string> };
  settings.placeholders = withCheckDigits({ ...settings.placeholders, KPP: "780001001", OGRN: "1207800000002", BIK: "044030888" });
  const path = join(folder, "shop.json");
  writeFileSync(path, JSON.stringify(settings));
  return path;
}

/** Finds check digits for the tax number and both accounts. */
function withCheckDigits(values: Record<string, string>): Record<string, string> {
  for (let digits = 0; digits < 1000; digits += 1) {
    const [a, b, c] = String(digits).padStart(3, "0");
    const tried = { ...values, INN: `780000001${a}`, ACCOUNT: `40702810${b}00000000002`, CORR_ACCOUNT: `30101810${c}00000000888` };
    if (sellerOf(tried, generalTax).seller) return tried;
  }
  throw new Error("no check digits fit");
}
