import { describe, expect, test } from "vitest";
import { withReceiptMode, taxFault, taxSystemCodeOf, vatCodeForMode, vatCodeOf, type SellerTax } from "./tax.ts";

const general: SellerTax = { system: "general", simplifiedVatPercent: null, prepaymentVat: "computed", sendsTaxSystem: false };
const simplified = (simplifiedVatPercent: SellerTax["simplifiedVatPercent"]): SellerTax => ({
  ...general,
  system: "simplified_income",
  simplifiedVatPercent,
});

describe("the VAT of a line", () => {
  test.each<[string, SellerTax, number, number]>([
    ["is the goods' own on the general system", general, 11, 11],
    ["is none without VAT on the simplified system", simplified(null), 11, 1],
    ["is 5 % on the simplified system with it", simplified(5), 11, 7],
    ["is 7 % on the simplified system with it", simplified(7), 11, 8],
    ["is the full rate on the simplified system that chose it", simplified(22), 11, 11],
    ["is none on a patent", { ...general, system: "patent" }, 11, 1],
    ["of exempt coins is none on the general system", general, 1, 1],
    ["of exempt coins is none on the simplified system with 5 %", simplified(5), 1, 1],
  ])("%s", (_, tax, code, expected) => {
    expect(vatCodeOf(tax, code)).toBe(expected);
  });
});

describe("on a receipt", () => {
  test.each([
    [1, 1],
    [2, 2],
    [3, 5],
    [4, 6],
    [7, 9],
    [8, 10],
    [11, 12],
  ])("code %i of goods is code %i of their prepayment, and back at hand-over", (full, computed) => {
    for (const mode of ["full_prepayment", "partial_prepayment"] as const) {
      expect(vatCodeForMode(general, mode, full)).toBe(computed);
      expect(vatCodeForMode(general, mode, computed)).toBe(computed);
    }
    expect(vatCodeForMode(general, "full_payment", computed)).toBe(full);
    expect(vatCodeForMode(general, "full_payment", full)).toBe(full);
  });

  test("a seller may choose to name the full rate of a prepayment", () => {
    expect(
      withReceiptMode({ ...general, prepaymentVat: "full" }, "full_prepayment", { lines: [{ vatCode: 11 }, { vatCode: 1 }] }).lines,
    ).toEqual([{ vatCode: 11 }, { vatCode: 1 }]);
  });

  test("the tax system is named where the register wants it", () => {
    expect([taxSystemCodeOf(general), taxSystemCodeOf({ ...simplified(5), sendsTaxSystem: true })]).toEqual([undefined, 2]);
  });
});

test("settings that contradict themselves are a fault", () => {
  expect(taxFault(general, "7700000009")).toBeNull();
  expect(taxFault({ ...general, simplifiedVatPercent: 5 }, "7700000009")).toContain("simplifiedVatPercent");
  expect(taxFault({ ...general, system: "patent" }, "7700000009")).toContain("twelve digits");
  expect(taxFault({ ...general, system: "patent" }, "500100732259")).toBeNull();
});
