import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cleanText } from "#kit/text/clean-text.ts";
import { cleanJson, maxDepth, parseJson, UncleanInput } from "./clean.ts";

test("text is trimmed, composed and freed of invisible characters", () => {
  expect(cleanText("  Иванов\u0000\u0007 ")).toBe("Иванов");
  expect(cleanText("и\u0306")).toBe("й");
  expect(cleanText("\uFEFFанна\u202E")).toBe("анна");
  expect(cleanText(" \u200B\u2060 \u00AD")).toBe("");
  expect(cleanText("\u200B Анна-\u00ADМария")).toBe("Анна-Мария");
  expect(cleanText("a\uD800b")).toBe("a\uFFFDb");
  expect(cleanText("строка\r\nдругая\rтретья")).toBe("строка\nдругая\nтретья");
});

test("cleaning is idempotent and leaves complete characters", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 40 }), (text) => {
      const clean = cleanText(text);
      expect(clean.isWellFormed()).toBe(true);
      expect(clean).not.toMatch(/[^\P{Cc}\n]/u);
      expect(cleanText(clean)).toBe(clean);
    }),
  );
});

test("a body nested deeper than any call is refused, also with 30,000 levels", () => {
  const nested = (levels: number) => Buffer.from("[".repeat(levels) + "]".repeat(levels));
  expect(() => parseJson(nested(maxDepth))).not.toThrow();
  expect(() => parseJson(nested(maxDepth + 1))).toThrow(UncleanInput);
  expect(() => parseJson(nested(30_000))).toThrow(UncleanInput);
});

test("prototype keys are refused as field names", () => {
  for (const key of ["__proto__", "constructor", "prototype", "proto\\u0000type", " __proto__ "]) {
    expect(() => parseJson(Buffer.from(`{"a":{"${key}":{"isAdmin":true}}}`))).toThrow(UncleanInput);
  }
});

test("invalid UTF-8 and text that is not JSON are refused", () => {
  for (const bytes of [
    Buffer.from([0x22, 0xc3, 0x28, 0x22]),
    Buffer.from([0x22, 0xc0, 0x80, 0x22]),
    Buffer.from("{"),
    Buffer.from("undefined"),
    Buffer.from("{'a':1}"),
  ]) {
    expect(() => parseJson(bytes)).toThrow(UncleanInput);
  }
  expect(parseJson(Buffer.alloc(0))).toBeUndefined();
});

test("numbers, booleans, null and clean texts are unchanged", () => {
  const body = { n: 1.5, t: true, z: null, list: [1, "два", { c: "три" }] };
  expect(cleanJson(body)).toEqual(body);
});
