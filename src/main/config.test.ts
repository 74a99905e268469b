import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { realEnvironment } from "#tests/real-settings.ts";
import { readConfig, type ConfigError } from "./config.ts";
import { demoSettingsPath } from "./production.ts";

const demo = (env: Record<string, string> = {}) =>
  readConfig({ SHOP_DEMO: "1", DATA_DIR: mkdtempSync(join(tmpdir(), "chekan-config-")), ...env });

test("a demo logs errors only, unless LOG_LEVEL is set", () => {
  expect([demo().logLevel, demo({ LOG_LEVEL: "info" }).logLevel, demo({ LOG_LEVEL: "silent" }).logLevel]).toEqual([
    "warn",
    "info",
    "silent",
  ]);
});

test("a demo polls the exchange every second, unless the interval is set", () => {
  expect([demo().ratesPollSeconds, demo({ RATES_POLL_SECONDS: "60" }).ratesPollSeconds]).toEqual([1, 60]);
});

test("a demo has the exchange with 1C under a password of its own, which survives a restart; without demo it is off unless set", () => {
  const accessOf = (env: Record<string, string>) => {
    const { COMMERCEML_LOGIN, COMMERCEML_PASSWORD } = readConfig(env);
    return [COMMERCEML_LOGIN, COMMERCEML_PASSWORD];
  };
  const DATA_DIR = mkdtempSync(join(tmpdir(), "chekan-config-"));
  const first = accessOf({ SHOP_DEMO: "1", DATA_DIR });
  expect(first).toEqual(["1c", expect.stringMatching(/^[0-9a-f]{16}$/)]);
  expect(accessOf({ SHOP_DEMO: "1", DATA_DIR })).toEqual(first);
  expect(demo().COMMERCEML_PASSWORD).not.toBe(first[1]);
  const own = { COMMERCEML_LOGIN: "accounting", COMMERCEML_PASSWORD: "a-long-password" };
  expect(accessOf({ SHOP_DEMO: "1", DATA_DIR, ...own })).toEqual(["accounting", "a-long-password"]);
  expect([accessOf(real), accessOf({ ...real, ...own })]).toEqual([
    [undefined, undefined],
    ["accounting", "a-long-password"],
  ]);
});

const folder = mkdtempSync(join(tmpdir(), "chekan-config-"));
const real = realEnvironment(folder);
const faultsOf = (env: Record<string, string>): string[] => {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    return (error as ConfigError).message.split("\n");
  }
};
const named = (env: Record<string, string>): string[] => faultsOf(env).map((line) => line.split(" ", 2).join(" "));

test("a shop with its own values starts without demo, on this machine also by http", () => {
  expect([faultsOf(real), faultsOf({ ...real, PUBLIC_URL: "http://localhost:3000" })]).toEqual([[], []]);
});

test("without demo the back office is on this machine only, or at an https address", () => {
  expect(faultsOf({ ...real, STAFF_URL: "https://office.chekan.trial" })).toEqual([]);
  expect(faultsOf({ ...real, STAFF_HOST: "0.0.0.0", STAFF_URL: "https://office.chekan.trial" })).toEqual([]);
  expect(faultsOf({ ...real, STAFF_PORT: "off", STAFF_URL: "http://localhost:3024" })).toEqual([]);
  expect(named({ ...real, STAFF_URL: "http://office.chekan.trial" })).toEqual(["STAFF_URL: must"]);
  expect(named({ ...real, STAFF_HOST: "0.0.0.0" })).toEqual(["STAFF_HOST: the"]);
  expect(named({ ...real, STAFF_URL: "https://office.chekan.trial/office" })).toEqual(["STAFF_URL: an"]);
});

test("without demo the database, the address, the settings and the sender are required, each named in its own line", () => {
  for (const name of ["DATABASE_URL", "PUBLIC_URL", "SHOP_SETTINGS", "SESSION_SECRET", "SMTP_URL", "MAIL_FROM"]) {
    const { [name]: _, ...rest } = real;
    expect(faultsOf(rest)).toEqual([`${name}: missing without SHOP_DEMO=1 (see .env.example)`]);
  }
  expect(named({ ...real, PUBLIC_URL: "http://chekan.trial", MAIL_FROM: "Чекан <orders@chekan.example>" })).toEqual([
    "PUBLIC_URL: must",
    "MAIL_FROM: is",
  ]);
});

test("without demo the seller details, phones and mailboxes of the demo are refused by name", () => {
  expect(named({ ...real, SHOP_SETTINGS: demoSettingsPath })).toEqual(
    expect.arrayContaining(
      [
        "placeholders.INN",
        "placeholders.ACCOUNT",
        "phones.0.display",
        "phones.1.href",
        "email",
        "messengers.0.href",
        "placeholders.EMAIL_ORDERS",
        "placeholders.LEGAL_NAME",
        "placeholders.BANK",
      ].map((place) => `SHOP_SETTINGS: ${place}`),
    ),
  );
  const own = JSON.parse(readFileSync(real.SHOP_SETTINGS ?? "", "utf8")) as { placeholders: Record<string, string> };
  const path = join(folder, "almost.json");
  writeFileSync(path, JSON.stringify({ ...own, placeholders: { ...own.placeholders, OGRN: "1207700000001" } }));
  expect(faultsOf({ ...real, SHOP_SETTINGS: path })).toEqual([`SHOP_SETTINGS: placeholders.OGRN is that of the demo (${path})`]);
});

test("a purpose may have its own keys, and the previous common key is still accepted", () => {
  const keys = demo({
    SESSION_SECRET: "a".repeat(32),
    SESSION_SECRET_PREVIOUS: "b".repeat(32),
    ORDER_KEY_SECRET: `${"c".repeat(32)}, ${"d".repeat(32)}`,
  }).secrets;
  expect(keys).toEqual({ common: ["a".repeat(32), "b".repeat(32)], own: { "order-key": ["c".repeat(32), "d".repeat(32)] } });
  expect(faultsOf({ SHOP_DEMO: "1", DATA_DIR: folder, ALERT_SECRET: "short" })[0]).toMatch(/^ALERT_SECRET/);
});

test("the tax system is read from the settings file; an unknown, missing or contradictory one stops the start", () => {
  const file = JSON.parse(readFileSync(join(import.meta.dirname, "../../config/shop.json"), "utf8")) as Record<string, unknown>;
  const withTax = (tax: unknown) => {
    const path = join(mkdtempSync(join(tmpdir(), "chekan-settings-")), "shop.json");
    writeFileSync(path, JSON.stringify({ ...file, tax }));
    return demo({ SHOP_SETTINGS: path });
  };
  const simplified = { system: "simplified_income", simplifiedVatPercent: 5, prepaymentVat: "computed", sendsTaxSystem: true };
  expect(withTax(simplified).seller.tax).toEqual(simplified);
  expect(() => withTax(undefined)).toThrow("tax");
  expect(() => withTax({ ...simplified, system: "envd" })).toThrow("system");
  expect(() => withTax({ ...simplified, simplifiedVatPercent: 6 })).toThrow("simplifiedVatPercent");
  expect(() => withTax({ ...simplified, system: "general" })).toThrow("tax.simplifiedVatPercent is for the simplified system");
  expect(() => withTax({ ...simplified, system: "patent", simplifiedVatPercent: null })).toThrow("sole traders");
});

test("behind a pooler nothing is prepared unless that is set", () => {
  const [direct, pooled] = [{ DATABASE_URL: "postgres://shop@db/shop" }, { DATABASE_DIRECT_URL: "postgres://shop@primary/shop" }];
  expect([
    demo(direct).DATABASE_PREPARE,
    demo({ ...direct, ...pooled }).DATABASE_PREPARE,
    demo({ ...direct, ...pooled, DATABASE_PREPARE: "1" }).DATABASE_PREPARE,
    demo({ ...direct, DATABASE_PREPARE: "0" }).DATABASE_PREPARE,
  ]).toEqual([true, false, true, false]);
  expect(faultsOf({ SHOP_DEMO: "1", DATA_DIR: folder, ...pooled })).toEqual(["DATABASE_DIRECT_URL: only beside DATABASE_URL"]);
});

test("a process has ten connections unless the size is set, and two at least", () => {
  expect([demo().DATABASE_POOL, demo({ DATABASE_POOL: "30" }).DATABASE_POOL]).toEqual([10, 30]);
  expect(named({ ...real, DATABASE_POOL: "1" })).toEqual(["DATABASE_POOL: Too"]);
});

test("a process may serve or work only, but not in a demo", () => {
  expect(["all", "web", "office", "worker"].map((role) => readConfig({ ...real, PROCESS: role }).PROCESS)).toEqual([
    "all",
    "web",
    "office",
    "worker",
  ]);
  expect([readConfig({ ...real, STAFF_PORT: "off" }).STAFF_PORT, readConfig(real).STAFF_PORT]).toEqual([null, 3001]);
  expect(named({ ...real, PROCESS: "office", STAFF_PORT: "off" })).toEqual(["STAFF_PORT: a"]);
  expect(named({ ...real, PROCESS: "sweeper" })).toEqual(["PROCESS: Invalid"]);
  expect(named({ SHOP_DEMO: "1", DATA_DIR: folder, PROCESS: "web" })).toEqual(["PROCESS: a"]);
});

test("a storage of pictures has its address with the bucket, its key and its secret, or is off", () => {
  const storage = { IMAGE_S3_URL: "https://s3.chekan.trial/pictures", IMAGE_S3_KEY_ID: "k", IMAGE_S3_SECRET_KEY: "s" };
  expect(faultsOf({ ...real, ...storage })).toEqual([]);
  const { IMAGE_S3_SECRET_KEY: _, ...half } = storage;
  expect(faultsOf({ ...real, ...half })).toEqual(["IMAGE_S3_URL, IMAGE_S3_KEY_ID, IMAGE_S3_SECRET_KEY: all or none"]);
  expect(named({ ...real, ...storage, IMAGE_S3_URL: "https://s3.chekan.trial" })).toEqual(["IMAGE_S3_URL: an"]);
});
