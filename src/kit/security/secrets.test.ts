import { describe, expect, test } from "vitest";
import { createSecrets } from "./secrets.ts";

type Purpose = "order-key" | "alert";
const [first, second, third] = ["a".repeat(32), "b".repeat(32), "c".repeat(32)] as const;
const plain = createSecrets<Purpose>({ common: [first], own: {} });

test("the same text has another signature for each purpose and each key", () => {
  const other = createSecrets<Purpose>({ common: [second], own: {} });
  expect(
    new Set([plain.sign("order-key", "1"), plain.sign("alert", "1"), other.sign("order-key", "1"), plain.sign("order-key", "2")]).size,
  ).toBe(4);
  expect([
    plain.isSigned("order-key", "1", plain.sign("order-key", "1")),
    plain.isSigned("order-key", "1", plain.sign("alert", "1")),
    plain.isSigned("order-key", "1", ""),
  ]).toEqual([true, false, false]);
});

test("links of orders outlive the change of another purpose's key, and of the common one where it is still accepted", () => {
  const link = plain.sign("order-key", "order-1");
  const rotatedElsewhere = createSecrets<Purpose>({ common: [first], own: { alert: [second] } });
  expect([
    rotatedElsewhere.isSigned("order-key", "order-1", link),
    rotatedElsewhere.isSigned("alert", "1", plain.sign("alert", "1")),
  ]).toEqual([true, false]);
  const rotated = createSecrets<Purpose>({ common: [second, first], own: {} });
  expect([rotated.isSigned("order-key", "order-1", link), rotated.sign("order-key", "order-1") === link]).toEqual([true, false]);
});

test("a purpose's own key is changed in two steps: the old one is accepted beside the new one, then no more", () => {
  const before = createSecrets<Purpose>({ common: [first], own: { alert: [second] } }).sign("alert", "1");
  expect(createSecrets<Purpose>({ common: [first], own: { alert: [third, second] } }).isSigned("alert", "1", before)).toBe(true);
  expect(createSecrets<Purpose>({ common: [first], own: { alert: [third] } }).isSigned("alert", "1", before)).toBe(false);
});

test("a short signature is compared at its own length alone", () => {
  const short = plain.sign("alert", "1", 32);
  expect([
    short.length,
    plain.isSigned("alert", "1", short, 32),
    plain.isSigned("alert", "1", short),
    plain.isSigned("alert", "1", short.slice(0, 8), 32),
  ]).toEqual([32, true, false, false]);
});

describe("sealed text", () => {
  const secrets = createSecrets<"staff" | "alert">({ common: ["the-present-key"], own: {} });

  test("comes back as it was, and looks different each time", () => {
    const [first, second] = [secrets.seal("staff", "тайна"), secrets.seal("staff", "тайна")];
    expect(first).not.toBe(second);
    expect(first).not.toContain("тайна");
    expect([first, second].map((each) => secrets.unseal("staff", each))).toEqual(["тайна", "тайна"]);
  });

  test("cannot be changed, nor read for another purpose", () => {
    const sealed = secrets.seal("staff", "тайна");
    expect(secrets.unseal("alert", sealed)).toBeNull();
    expect(secrets.unseal("staff", `${sealed.slice(0, -2)}${sealed.endsWith("AA") ? "BB" : "AA"}`)).toBeNull();
    expect(secrets.unseal("staff", "")).toBeNull();
  });

  test("is read with the key before, as long as that is accepted", () => {
    const sealed = secrets.seal("staff", "тайна");
    const rotated = createSecrets<"staff">({ common: ["a-new-key", "the-present-key"], own: {} });
    expect(rotated.unseal("staff", sealed)).toBe("тайна");
    expect(createSecrets<"staff">({ common: ["a-new-key"], own: {} }).unseal("staff", sealed)).toBeNull();
  });
});
