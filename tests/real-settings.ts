import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { demoSettingsPath } from "#main/production.ts";
import { sellerOf } from "#shop/seller.ts";
import type { SellerTax } from "#shop/tax.ts";

const generalTax: SellerTax = { system: "general", simplifiedVatPercent: null, prepaymentVat: "computed", sendsTaxSystem: false };

/** Writes settings of an invented shop that is not a demo, for processes that run without it. Returns the path of the file. */
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

/** The environment of a production process with such settings, without addresses of providers: nothing may be called with it. */
export const realEnvironment = (folder: string): Record<string, string> => ({
  SHOP_DEMO: "0",
  DATA_DIR: folder,
  DATABASE_URL: "postgres://shop@localhost/shop",
  PUBLIC_URL: "https://chekan.trial",
  SHOP_SETTINGS: writeRealSettings(folder),
  SESSION_SECRET: "s".repeat(32),
  YOOKASSA_SHOP_ID: "1",
  YOOKASSA_SECRET_KEY: "k",
  SMSRU_API_ID: "i",
  CDEK_CLIENT_ID: "c",
  CDEK_CLIENT_SECRET: "c",
  SMTP_URL: "smtps://mail.chekan.trial",
  MAIL_FROM: "Чекан <orders@chekan.trial>",
});

/** Finds check digits for the tax number and both accounts. */
function withCheckDigits(values: Record<string, string>): Record<string, string> {
  for (let digits = 0; digits < 1000; digits += 1) {
    const [a, b, c] = String(digits).padStart(3, "0");
    const tried = { ...values, INN: `780000001${a}`, ACCOUNT: `40702810${b}00000000002`, CORR_ACCOUNT: `30101810${c}00000000888` };
    if (sellerOf(tried, generalTax).seller) return tried;
  }
  throw new Error("no check digits fit");
}
