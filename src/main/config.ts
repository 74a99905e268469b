import { randomBytes } from "node:crypto";
import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import type { SecretKeys } from "#kit/security/secrets.ts";
import { weekdays } from "#kit/moscow-time.ts";
import { secretPurposes, type SecretPurpose } from "#shop/context.ts";
import type { MarketCalendar } from "#shop/rates/calendar.ts";
import type { CourierVisits, OfficeHours } from "#shop/working-hours.ts";
import { sellerOf, type Seller } from "#shop/seller.ts";
import { simplifiedVatRates, taxSystems, type TaxSystem } from "#shop/tax.ts";
import { defaultLimits, type Limits, type ShopIdentity } from "#shop/settings.ts";
import { demoSettingsPath, productionFaults } from "./production.ts";
import { shutdownMs } from "./process/shutdown.ts";

/** Faults of the environment. Each is one line of the message, written for the person who starts the shop. */
export class ConfigError extends Error {}

const text = z.string().trim().min(1);
const list = z
  .string()
  .default("")
  .transform((text) =>
    text
      .split(",")
      .map((each) => each.trim())
      .filter(Boolean),
  );
const flag = z.enum(["0", "1"]).transform((value) => value === "1");

const secret = z.string().min(32, "at least 32 characters");
const secrets = list.pipe(z.array(secret));

const isBareOrigin = (value: string): boolean => new URL(value).href === `${new URL(value).origin}/`;

const environment = z.object({
  PORT: z.coerce.number().int().min(0).max(65535).default(3000),
  HOST: text.default("localhost"),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** `off`, null: this process has no back office. */
  STAFF_PORT: z.preprocess((value) => (value === "off" ? null : value), z.coerce.number().int().min(0).max(65535).nullable()).default(3001),
  STAFF_HOST: text.default("127.0.0.1"),
  STAFF_URL: z
    .url({ protocol: /^https?$/ })
    .refine(isBareOrigin, "an origin such as https://office.example, nothing behind it")
    .optional(),
  DATA_DIR: text.default("./data"),
  ASSETS_DIR: text.optional(),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_DIRECT_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_POOL: z.coerce.number().int().min(2).max(500).default(10),
  DATABASE_DIR: text.optional(),
  DATABASE_PREPARE: flag.optional(),
  DATABASE_WAIT_SECONDS: z.coerce.number().min(0).default(60),
  DRAIN_SECONDS: z.coerce
    .number()
    .min(0)
    .max(shutdownMs.drain / 1000)
    .optional(),
  PROCESS: z.enum(["all", "web", "office", "worker"]).default("all"),
  SHOP_DEMO: flag.default(false),
  SHOP_SETTINGS: text.default(demoSettingsPath),
  SESSION_SECRET: secret.optional(),
  SESSION_SECRET_PREVIOUS: secret.optional(),
  TRUST_PROXY: list,
  RATES_POLL_SECONDS: z.coerce.number().positive().optional(),
  METRICS_TOKEN: text.optional(),
  SENTRY_DSN: z.url().optional(),
  LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).optional(),

  YOOKASSA_BASE_URL: z.url().default("https://api.yookassa.ru/v3"),
  YOOKASSA_SHOP_ID: text.optional(),
  YOOKASSA_SECRET_KEY: text.optional(),
  YOOKASSA_TEST_SHOP: flag.default(false),
  YOOKASSA_WEBHOOK_SENDERS: list,
  YOOKASSA_PAYMENT_PAGE_ORIGIN: z.url().default("https://yoomoney.ru"),
  SMSRU_BASE_URL: z.url().default("https://sms.ru"),
  SMSRU_API_ID: text.optional(),
  SMSRU_FROM: text.optional(),
  CDEK_BASE_URL: z.url().default("https://api.cdek.ru/v2"),
  CDEK_CLIENT_ID: text.optional(),
  CDEK_CLIENT_SECRET: text.optional(),
  CDEK_FROM_CITY: z.coerce.number().int().positive().default(44),
  CDEK_SHIPMENT_POINT: text.optional(),
  YMAPS_SCRIPT_URL: z.url({ protocol: /^https?$/ }).default("https://api-maps.yandex.ru/2.1/"),
  YMAPS_API_KEY: text.optional(),
  MOEX_ISS_BASE_URL: z.url().default("https://iss.moex.com/iss"),
  CBR_BASE_URL: z.url().default("https://www.cbr.ru/scripts"),
  IMAGE_ORIGIN: z
    .url({ protocol: /^https?$/ })
    .refine(isBareOrigin, "an origin such as https://pictures.example, nothing behind it")
    .optional(),
  IMAGE_ORIGIN_ALLOW_PRIVATE: flag.default(false),
  IMAGE_CACHE_MB: z.coerce.number().positive().default(1024),
  IMAGE_CACHE_DIR: text.optional(),
  IMAGE_S3_URL: z
    .url({ protocol: /^https?$/ })
    .refine(
      (value) => /^\/[\w.-]+(\/[\w.-]+)*\/?$/.test(new URL(value).pathname),
      "an address with the bucket, https://s3.example/pictures",
    )
    .optional(),
  IMAGE_S3_REGION: text.default("us-east-1"),
  IMAGE_S3_KEY_ID: text.optional(),
  IMAGE_S3_SECRET_KEY: text.optional(),
  METRIKA_COUNTER: z.coerce.number().int().positive().optional(),
  METRIKA_SCRIPT_URL: z.url({ protocol: /^https?$/ }).default("https://mc.yandex.ru/metrika/tag.js"),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: text.default("Чекан <orders@chekan.example>"),

  COMMERCEML_LOGIN: text.optional(),
  COMMERCEML_PASSWORD: z.string().min(12, "at least 12 characters").optional(),

  ORDER_KEY_SECRET: secrets,
  ALERT_SECRET: secrets,
  NEWSLETTER_SECRET: secrets,
  SIGN_IN_CODE_SECRET: secrets,
  SIGN_IN_PUZZLE_SECRET: secrets,
  LIMITS_SECRET: secrets,
  CARRIER_WEBHOOK_SECRET: secrets,
  FORM_STAMP_SECRET: secrets,
  BROWSER_SECRET: secrets,
  STAFF_SECRET: secrets,
  PREVIEW_SECRET: secrets,
  BUYBACK_SECRET: secrets,
});
/** For values that are parsed once: compiling a parser takes longer than parsing without. */
const parsedOnce = { jitless: true };

type Environment = z.infer<typeof environment>;
/** Names of all variables except the limits, which `limitVariable` names. */
export const environmentVariables: readonly string[] = Object.keys(environment.shape);

export type Config = Omit<Environment, "SESSION_SECRET" | "SESSION_SECRET_PREVIOUS" | SecretVariable | "LOG_LEVEL" | "DATABASE_PREPARE"> & {
  secrets: SecretKeys<SecretPurpose>;
  limits: Limits;
  /** Names of the limits that the environment sets. */
  fixedLimits: string[];
  identity: ShopIdentity;
  seller: Seller;
  market: MarketCalendar;
  office: OfficeHours;
  courier: CourierVisits;
  dataDir: string;
  /** The shop's own absolute addresses are built from this, never from a request. */
  publicUrl: string;
  counter: { id: number; script: string } | null;
  isDemo: boolean;
  /** Without the variable: not behind a pooler, because not every pooler knows prepared statements. */
  DATABASE_PREPARE: boolean;
  /** Without `LOG_LEVEL` a demo logs errors only, because it is started by hand in a terminal. */
  logLevel: NonNullable<Environment["LOG_LEVEL"]>;
  ratesPollSeconds: number;
  /** How long a stopping process keeps serving, so that a load balancer can take it out of rotation first. */
  drainSeconds: number;
};

const identity: z.ZodType<ShopIdentity> = z.object({
  name: text,
  placeholders: z.record(z.string(), z.string()),
  phones: z.array(z.object({ display: text, href: text })).min(1),
  supportExtension: text,
  email: text,
  address: text,
  coords: z.object({ lat: z.number(), lon: z.number() }).optional(),
  hours: z.array(text),
  messengers: z.array(z.object({ id: text, title: text, href: z.url() })),
  ratings: z.array(z.object({ platform: text, value: text, isSample: z.boolean() })),
});

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);
const weekday = z.enum(weekdays);
const sessions = z.array(z.object({ days: z.array(weekday), from: timeOfDay, till: timeOfDay }));
/** For settings files that were written before the office's hours belonged to them. */
const usualOfficeHours: OfficeHours = [
  { days: ["Mon", "Tue", "Wed", "Thu"], from: "10:00", till: "18:00" },
  { days: ["Fri"], from: "10:00", till: "17:00" },
];
const settingsFile = z.object({
  tax: z.strictObject({
    system: z.enum(Object.keys(taxSystems) as [TaxSystem, ...TaxSystem[]]),
    simplifiedVatPercent: z.literal(simplifiedVatRates).nullable(),
    prepaymentVat: z.enum(["computed", "full"]),
    sendsTaxSystem: z.boolean(),
  }),
  market: z.object({
    sessions,
    closed: z.array(z.iso.date()),
    extra: z.array(z.iso.date()),
  }),
  office: sessions.optional(),
  courier: z.array(z.object({ days: z.array(weekday), at: timeOfDay })).default([]),
});

/**
 * Reads the environment once. A `ConfigError` names all faults together. Without demo no value of the demo is accepted (production.ts); in
 * demo the simulators need no credentials.
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ""));
  const parsed = environment.safeParse(given, parsedOnce);
  if (!parsed.success) throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("\n"));
  const values = parsed.data;
  const faults = values.SHOP_DEMO ? [] : productionFaults(given);
  if (faults.length > 0) throw new ConfigError(faults.join("\n"));
  if ((values.COMMERCEML_LOGIN === undefined) !== (values.COMMERCEML_PASSWORD === undefined))
    throw new ConfigError("COMMERCEML_LOGIN, COMMERCEML_PASSWORD: both or none");
  const storage = [values.IMAGE_S3_URL, values.IMAGE_S3_KEY_ID, values.IMAGE_S3_SECRET_KEY];
  if (storage.includes(undefined) && storage.some((value) => value !== undefined))
    throw new ConfigError("IMAGE_S3_URL, IMAGE_S3_KEY_ID, IMAGE_S3_SECRET_KEY: all or none");
  if (values.DATABASE_DIRECT_URL !== undefined && values.DATABASE_URL === undefined)
    throw new ConfigError("DATABASE_DIRECT_URL: only beside DATABASE_URL");
  if (values.PROCESS !== "all" && (values.SHOP_DEMO || values.DATABASE_URL === undefined))
    throw new ConfigError("PROCESS: a demo has one process with its own simulators, which does everything (all)");
  if (values.PROCESS === "office" && values.STAFF_PORT === null)
    throw new ConfigError("STAFF_PORT: a process with PROCESS=office has nothing but the back office, so it cannot be off");
  const dataDir = createFolder(resolve(values.DATA_DIR));
  return {
    ...values,
    dataDir,
    isDemo: values.SHOP_DEMO,
    DATABASE_PREPARE: values.DATABASE_PREPARE ?? values.DATABASE_DIRECT_URL === undefined,
    limits: readLimits(given),
    fixedLimits: Object.keys(defaultLimits).filter((name) => given[limitVariable(name)] !== undefined),
    ...readSettings(values.SHOP_SETTINGS),
    secrets: secretKeys(values, values.SESSION_SECRET ?? demoSecret(dataDir)),
    ...(values.SHOP_DEMO && values.COMMERCEML_LOGIN === undefined ? demoAccounting(dataDir) : {}),
    publicUrl: (values.PUBLIC_URL ?? `http://localhost:${values.PORT}`).replace(/\/$/, ""),
    counter: values.METRIKA_COUNTER === undefined ? null : { id: values.METRIKA_COUNTER, script: values.METRIKA_SCRIPT_URL },
    logLevel: values.LOG_LEVEL ?? (values.SHOP_DEMO ? "warn" : "info"),
    ratesPollSeconds: values.RATES_POLL_SECONDS ?? (values.SHOP_DEMO ? 1 : 60),
    drainSeconds: values.DRAIN_SECONDS ?? (values.SHOP_DEMO ? 0 : 3),
  };
}

function secretKeys(values: Environment, common: string): SecretKeys<SecretPurpose> {
  const own = secretPurposes.flatMap((purpose): [SecretPurpose, string[]][] => {
    const keys = values[secretVariable(purpose)];
    return keys.length > 0 ? [[purpose, keys]] : [];
  });
  return { common: [common, values.SESSION_SECRET_PREVIOUS ?? []].flat(), own: Object.fromEntries(own) };
}

/** `order-key` → `ORDER_KEY_SECRET`. */
type SecretVariable = Extract<keyof Environment, `${string}_SECRET`> & Exclude<keyof Environment, "SESSION_SECRET" | "CDEK_CLIENT_SECRET">;
const secretVariable = (purpose: SecretPurpose): SecretVariable => `${purpose.replaceAll("-", "_").toUpperCase()}_SECRET` as SecretVariable;

function createFolder(path: string): string {
  try {
    mkdirSync(path, { recursive: true });
    accessSync(path, constants.W_OK);
    return path;
  } catch (error) {
    throw new ConfigError(`DATA_DIR: ${path} cannot be used as a folder: ${(error as Error).message}`);
  }
}

/** The variable that sets a limit: `CODE_TRIES_PER_CODE` sets `codeTriesPerCode`. */
export const limitVariable = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

/** The limits, from the environment where it has them. A value that is negative or no number is a fault; 0 mostly means off. */
function readLimits(env: Record<string, string | undefined>): Limits {
  const limits: Limits = { ...defaultLimits };
  for (const name of Object.keys(defaultLimits) as (keyof Limits)[]) {
    const given = env[limitVariable(name)];
    if (given === undefined) continue;
    const value = Number(given);
    if (!Number.isFinite(value) || value < 0) throw new ConfigError(`${limitVariable(name)}: not a number`);
    limits[name] = value;
  }
  return limits;
}

/** Reads the settings file: the shop's identity, its bank details, its taxes, the hours of its exchange, its office and its courier. */
function readSettings(path: string): Pick<Config, "identity" | "seller" | "market" | "office" | "courier"> {
  try {
    const file: unknown = JSON.parse(readFileSync(path, "utf8"));
    const shop = identity.parse(file, parsedOnce);
    const { tax, market, office = usualOfficeHours, courier } = settingsFile.parse(file, parsedOnce);
    const { seller, fault } = sellerOf(shop.placeholders, tax);
    if (!seller) throw new Error(fault);
    return { identity: shop, seller, market, office, courier };
  } catch (error) {
    throw new ConfigError(`SHOP_SETTINGS: ${path} cannot be read as shop settings: ${settingsFault(error).slice(0, 300)}`);
  }
}

const settingsFault = (error: unknown): string =>
  error instanceof z.ZodError
    ? error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; ")
    : (error as Error).message;

/** Demo only: a secret that is generated once and stored, so that sessions survive a restart. */
const demoSecret = (dataDir: string): string => storedSecret(join(dataDir, "session-secret"), 32);

/**
 * Demo only: the exchange with 1C is on, so that it can be tried. Its password is generated like the secret, because a demo that other
 * machines reach must not hand out orders under a password that everyone knows; it is printed at the start.
 */
const demoAccounting = (dataDir: string) => ({
  COMMERCEML_LOGIN: "1c",
  COMMERCEML_PASSWORD: storedSecret(join(dataDir, "exchange-password"), 8),
});

function storedSecret(path: string, bytes: number): string {
  if (!existsSync(path)) writeFileSync(path, randomBytes(bytes).toString("hex"), { mode: 0o600 });
  return readFileSync(path, "utf8").trim();
}
