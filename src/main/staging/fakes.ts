import { createHmac, randomBytes } from "node:crypto";

const firstNames = ["Анна", "Борис", "Вера", "Глеб", "Дарья", "Егор", "Жанна", "Захар", "Ирина", "Кирилл"] as const;
const lastNames = ["Первый", "Второй", "Третий", "Четвёртый", "Пятый", "Шестой", "Седьмой", "Восьмой", "Девятый", "Десятый"] as const;
const secondName = "Тестович";
const staffPrefix = "staff:";

/**
 * Invented values in place of real ones. Equal values get equal ones within a run, different values different ones, so that joins and
 * unique constraints hold. Nothing is derived from a phone or a name: they are numbered. Long random values are hashed with a key of the
 * run.
 */
export function createFakes(key: Buffer = randomBytes(32)) {
  const numbers = new Map<string, number>();
  const counts = new Map<string, number>();
  function numberOf(kind: string, value: string): number {
    const known = numbers.get(`${kind} ${value}`);
    if (known !== undefined) return known;
    const next = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, next);
    numbers.set(`${kind} ${value}`, next);
    return next;
  }
  const unlessEmpty =
    (make: (value: string) => string) =>
    (value: string): string =>
      value === "" ? "" : make(value);
  const secret = unlessEmpty((value) => createHmac("sha256", key).update(value).digest("base64url").slice(0, 32));
  const login = unlessEmpty((value) => `staff${numberOf("login", value)}`);
  const fakes = {
    secret,
    login,
    phone: unlessEmpty((value) =>
      // An erased account has its own id in place of the phone.
      value.startsWith("erased:") ? value : `+7900${String(numberOf("phone", value)).padStart(7, "0")}`,
    ),
    email: unlessEmpty((value) => `person${numberOf("email", value.toLowerCase())}@example.invalid`),
    firstName: unlessEmpty((value) => firstNames[numberOf("first name", value) % firstNames.length] ?? ""),
    lastName: unlessEmpty((value) => lastNames[numberOf("last name", value) % lastNames.length] ?? ""),
    secondName: unlessEmpty(() => secondName),
    account: unlessEmpty((value) => String(numberOf("account", value)).padStart(20, "0")),
    /** `visitor:<hash of a cookie>`; `customer:<id>` stays. */
    owner: (value: string): string => (value.startsWith("customer:") ? value : `visitor:${secret(value)}`),
    /** As `actorText` writes it; some columns have the bare login. */
    actor(value: string): string {
      if (value.startsWith(staffPrefix)) return staffPrefix + login(value.slice(staffPrefix.length));
      return value === "visitor" || /^(customer|job|provider):/.test(value) ? value : login(value);
    },
    /** What a message is about: ids of orders, payments and accounts stay, the hash of a session does not. */
    subject: (value: string): string =>
      /^(order|payment|refund|handover|account|alert|review|inquiry|again):/.test(value) && !value.includes("sign-in")
        ? value
        : secret(value),
  };
  return fakes;
}
export type Fakes = ReturnType<typeof createFakes>;

/** JSON with every string replaced, except under `kept` keys. Numbers, booleans and the shape stay. */
export function scrub(value: unknown, kept: ReadonlySet<string>, fakes: Fakes, under = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => scrub(item, kept, fakes, under));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, scrub(item, kept, fakes, name)]));
  if (typeof value !== "string" || kept.has(under) || value === "") return value;
  if (under === "phone") return fakes.phone(value);
  if (under === "email") return fakes.email(value);
  if (under === "name") return fakes.firstName(value);
  if (under === "lastName") return fakes.lastName(value);
  if (under === "secondName") return fakes.secondName(value);
  return "—";
}
