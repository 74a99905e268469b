import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The settings of the demo: invented values. */
export const demoSettingsPath = join(import.meta.dirname, "../../config/shop.json");

/** Variables without which the shop could not take orders, or would send buyers to a wrong address. */
const requiredVariables = [
  "DATABASE_URL",
  "PUBLIC_URL",
  "SHOP_SETTINGS",
  "SESSION_SECRET",
  "YOOKASSA_SHOP_ID",
  "YOOKASSA_SECRET_KEY",
  "SMSRU_API_ID",
  "CDEK_CLIENT_ID",
  "CDEK_CLIENT_SECRET",
  "SMTP_URL",
  "MAIL_FROM",
] as const;
const sellerDetails = ["INN", "KPP", "OGRN", "BIK", "ACCOUNT", "CORR_ACCOUNT"] as const;

/** Domains reserved for examples (RFC 2606), and the accounts of the demo. */
const isExample = (value: string): boolean => /[._]example\b/i.test(value);
const isDemoPhone = (value: string): boolean => /^\D*[78]\D*\d{3}\D*0{3}\D*0{2}\D*0{2}\D*$/.test(value);

/** What prevents a start without demo: one line for each variable that is missing or has a value of the demo. */
export function productionFaults(given: Readonly<Record<string, string | undefined>>): string[] {
  const missing = requiredVariables
    .filter((name) => given[name] === undefined)
    .map((name) => `${name}: missing without SHOP_DEMO=1 (see .env.example)`);
  const { PUBLIC_URL, STAFF_URL, MAIL_FROM, SHOP_SETTINGS } = given;
  return [
    ...missing,
    ...(PUBLIC_URL !== undefined && !isPublic(PUBLIC_URL)
      ? ["PUBLIC_URL: must begin with https:// (http:// only for this machine: localhost, 127.0.0.1)"]
      : []),
    ...(STAFF_URL !== undefined && URL.canParse(STAFF_URL) && !isPublic(STAFF_URL)
      ? ["STAFF_URL: must begin with https:// (http:// only for this machine: localhost, 127.0.0.1)"]
      : []),
    ...(STAFF_URL === undefined && !isThisMachine(given.STAFF_HOST)
      ? ["STAFF_HOST: the back office is open to other machines, so STAFF_URL must name its https:// address"]
      : []),
    ...(PUBLIC_URL !== undefined && isExample(PUBLIC_URL) ? ["PUBLIC_URL: is an address for examples"] : []),
    ...(MAIL_FROM !== undefined && isExample(MAIL_FROM) ? ["MAIL_FROM: is an address for examples"] : []),
    ...(SHOP_SETTINGS === undefined ? [] : settingsFaults(SHOP_SETTINGS)),
  ];
}

const loopbackNames = ["localhost", "127.0.0.1", "[::1]", "::1"];

function isPublic(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" || loopbackNames.includes(hostname);
}

const isThisMachine = (host = "127.0.0.1"): boolean => loopbackNames.includes(host);

/** Demo values left in the shop's settings file. A file that cannot be read is reported by its reader. */
function settingsFaults(path: string): string[] {
  const [file, demo] = [read(path), read(demoSettingsPath)];
  const placeholders = (of: unknown): Record<string, unknown> =>
    (of as { placeholders?: Record<string, unknown> } | null)?.placeholders ?? {};
  const same = sellerDetails.filter(
    (name) => placeholders(file)[name] !== undefined && placeholders(file)[name] === placeholders(demo)[name],
  );
  return [
    ...same.map((name) => `placeholders.${name} is that of the demo`),
    ...textsIn(file, "").flatMap(([name, value]) => {
      if (isExample(value)) return [`${name} is an address for examples`];
      if (isDemoPhone(value)) return [`${name} is the phone of the demo`];
      return /демонстрацион/i.test(value) ? [`${name} names the demo`] : [];
    }),
  ].map((fault) => `SHOP_SETTINGS: ${fault} (${path})`);
}

/** All texts of a file with their paths, `phones.0.display`. */
function textsIn(value: unknown, place: string): [place: string, text: string][] {
  if (typeof value === "string") return [[place, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => textsIn(each, place === "" ? name : `${place}.${name}`));
}

function read(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return null;
  }
}
