import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { processorMs } from "#tests/processor-time.ts";
import { otherLayout } from "./keyboard-layout.ts";
import { nearestWord, russianReadings, editDistance } from "./spelling.ts";
import { readQuery } from "../query.ts";
import { lettersOf, maxQueryLength, normalise, stem, tokens } from "./words.ts";

const hitsOf = (size: number) => () => ({ documents: new Int32Array(size), weights: new Uint8Array(size) });

describe("words", () => {
  test.each([
    ["червонец червонца червонцы червонцев червонцем"],
    ["победоносец победоносца победоносцы"],
    ["рысь рыси рысью"],
    ["унция унции унций унцию"],
    ["соболь соболя соболем"],
    ["золото золота золотой золотая золотые золотых"],
    ["монастырь монастыря монастыри"],
    ["змея змеи змею змей"],
    ["телец тельца"],
    ["белка белки белок белкой"],
    ["юбилей юбилея"],
    ["церковь церкви церквей"],
    ["орел орла орлы"],
    ["лев льва"],
    ["георгий георгия георгию георгием"],
  ])("forms of one word are one word: %s", (forms) => {
    expect(new Set(forms.split(" ").map(stem)).size).toBe(1);
  });

  test.each([
    ["рак", "ракета"],
    ["рубль", "рыба"],
    ["золото", "золушка"],
    ["орел", "ордена"],
  ])("%s and %s stay apart", (a, b) => {
    expect(stem(a)).not.toBe(stem(b));
  });

  test("ё, capitals, wide spaces, thousands and Latin twins make no difference", () => {
    expect(normalise("  КЁРЛИНГ\u00a010 000 рублей ")).toBe("керлинг 10000 рублей");
    expect(normalise("cоболь")).toBe("соболь");
    expect(normalise("½ унции")).toBe("1/2 унции");
  });

  test("wildcards and quotes are gaps, never patterns", () => {
    expect(tokens(normalise("%_*?'\"\\ .* [a-z]+ соболь%")).map(({ text }) => text)).toEqual(["a", "z", "соболь"]);
  });
});

describe("the conditions of a query", () => {
  const kinds = (query: string) =>
    readQuery(normalise(query)).map((condition) =>
      condition.kind === "word"
        ? condition.word
        : condition.kind === "mass"
          ? `${Math.round(condition.grams * 100) / 100} g`
          : condition.kind === "either"
            ? "either"
            : condition.key,
    );
  test.each([
    ["50 рублей золото", ["#roubles 50", "золото"]],
    ["50р", ["#roubles 50"]],
    ["10 000 руб.", ["#roubles 10000"]],
    ["7,78 г", ["7.78 g"]],
    ["7.78 грамма", ["7.78 g"]],
    ["унция", ["31.1 g"]],
    ["1/4 унции", ["7.78 g"]],
    ["четверть унции", ["7.78 g"]],
    ["пол унции", ["15.55 g"]],
    ["1 кг серебра", ["1000 g", "серебра"]],
    ["2024 года", ["#year 2024"]],
    ["2024 г", ["#year 2024"]],
    ["39 мм", ["#mm 39"]],
    ["5216-0060", ["#number 5216-0060"]],
    ["купить монету соболь", ["соболь"]],
    ["constructor г", ["constructor", "г"]],
  ])("%s", (query, conditions) => expect(kinds(query)).toEqual(conditions));

  test("any text is parsed quickly and safely", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), (text) => {
        for (const condition of readQuery(normalise(text.slice(0, maxQueryLength)))) expect(condition.end).toBeGreaterThan(condition.start);
      }),
      { numRuns: 20 },
    );
    const took = processorMs(() => {
      for (const text of ["а".repeat(50_000), "1 ".repeat(25_000), "1/".repeat(25_000), "a'".repeat(25_000)])
        readQuery(normalise(text.slice(0, maxQueryLength)));
    });
    expect(took).toBeLessThan(100);
  });
});

describe("correction", () => {
  test("the other keyboard layout, both ways", () => {
    expect(otherLayout("gj,tljyjctw")).toBe("победоносец");
    expect(otherLayout("[jrrtq yf kmle")).toBe("хоккей на льду");
    expect(otherLayout("лкгпуккфтв")).toBe("krugerrand");
    expect(otherLayout("2026")).toBeNull();
  });

  test("Latin spellings are read in Russian", () => {
    expect(russianReadings("georgij")).toContain("георгий");
    expect(russianReadings("georgiy")).toContain("георгий");
    expect(russianReadings("seyatel")).toContain("сеятел");
    expect(russianReadings("chervonets")).toContain("червонец");
    expect(russianReadings("соболь")).toEqual([]);
  });

  test("the edit distance counts letters added, lost, changed or swapped", () => {
    expect(editDistance("победаносец", "победоносец", 2)).toBe(1);
    expect(editDistance("сбооль", "соболь", 2)).toBe(1);
    expect(editDistance("сабаль", "соболь", 2)).toBe(2);
    expect(editDistance("осболь", "соболь", 2)).toBe(1);
    expect(editDistance("рысь", "монастырь", 2)).toBe(3);
    const word = fc.string({ unit: fc.constantFrom("а", "б", "в"), maxLength: 8 });
    fc.assert(
      fc.property(word, word, (a, b) => editDistance(a, b, 8) === editDistance(b, a, 8) && (editDistance(a, b, 8) === 0) === (a === b)),
    );
  });

  test("a short word is never corrected, nor one with too many typos", () => {
    const stems = [
      { stem: "рак", word: "рак", weight: 10, best: 10 },
      { stem: "собол", word: "соболь", weight: 10, best: 10 },
      { stem: "кобол", word: "коболь", weight: 90, best: 1 },
    ].map((each) => ({ ...each, letters: lettersOf(each.stem) }));
    const index = { stems, hits: hitsOf(1) };
    expect(nearestWord("мак", index)).toBeNull();
    expect(nearestWord("биткоин", index)).toBeNull();
    expect(nearestWord("собаль", index)?.word).toBe("соболь");
  });

  test("a short word is not corrected to a word that only one or two coins have", () => {
    const stems = [{ stem: "мал", word: "малый", weight: 10, best: 10, letters: lettersOf("мал") }];
    expect(nearestWord("мама", { stems, hits: hitsOf(1) })).toBeNull();
    expect(nearestWord("мама", { stems, hits: hitsOf(20) })?.word).toBe("малый");
  });
});
