import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { create } from "fontkit";
import { expect, test } from "vitest";

const tokens = readFileSync(resolve(import.meta.dirname, "tokens.css"), "utf8");

/** The faces with a file and a range of characters: family, file, code points. */
const faces = [...tokens.matchAll(/@font-face \{([^}]+)\}/g)].flatMap(([, face = ""]) => {
  const part = (pattern: RegExp): string => pattern.exec(face)?.[1] ?? "";
  const [file, range] = [part(/url\("([^"]+)"\)/), part(/unicode-range:\s*([^;]+);/)];
  const points = [...range.matchAll(/U\+([0-9A-F]+)(?:-([0-9A-F]+))?/g)].flatMap(([, from = "", to = from]) =>
    Array.from({ length: Number.parseInt(to, 16) - Number.parseInt(from, 16) + 1 }, (_, index) => Number.parseInt(from, 16) + index),
  );
  return file && range ? [{ family: part(/font-family: "([^"]+)"/), file: resolve(import.meta.dirname, file), points }] : [];
});

test("every character that a font of the first view is named for is in its file", () => {
  const first = faces.filter(({ family }) => !family.endsWith(" More"));
  expect(first.map(({ family }) => family)).toEqual(["Oranienbaum", "Golos Signs", "Golos Text"]);
  for (const { family, file, points } of first) {
    const font = create(readFileSync(file));
    const missing = points.map((point) => String.fromCodePoint(point)).filter((letter) => letter.trim() !== "" && !has(font, letter));
    expect([family, missing]).toEqual([family, []]);
  }
});

test("a heading has the rouble sign and the minus of the shop's own fonts", () => {
  const families =
    /--serif: ([^;]+);/
      .exec(tokens)?.[1]
      ?.split(", ")
      .map((family) => family.replaceAll('"', "")) ?? [];
  for (const sign of ["₽", "−"]) {
    const own = families.filter((family) => faces.some((face) => face.family === family && face.points.includes(sign.codePointAt(0) ?? 0)));
    expect([sign, own]).toEqual([sign, ["Golos Signs"]]);
  }
});

const has = (font: { characterSet: number[] }, letter: string): boolean => font.characterSet.includes(letter.codePointAt(0) ?? 0);
