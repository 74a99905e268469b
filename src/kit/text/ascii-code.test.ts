import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { asciiCode } from "./ascii-code.ts";

test("code that needs one byte a character means the same", () => {
  const code = [
    String.raw`["Ёлка – 5 ₽", 'a\\–', "\–", "\\\–", "\uFEFF", "😀", `,
    "`цена: ${1 + 1} ₽`,",
    String.raw`"ёж – Ж".replace(/[а-яё]+/giu, "x"), /^[😀\–]$/u.test("😀"), /^\–$/.test("–"), { ключ: 1 }, (() => { const имя = 2; return имя })()]`,
  ].join("\n");
  const escaped = asciiCode(code);
  expect(escaped).toMatch(/^[\0-\u007f]+$/);
  expect(JSON.stringify(runInNewContext(escaped))).toBe(JSON.stringify(runInNewContext(code.replace("[😀\\–]", "[😀–]"))));
  expect(asciiCode("const a = 1;")).toBe("const a = 1;");
});
