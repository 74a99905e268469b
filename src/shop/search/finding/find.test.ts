import * as fc from "fast-check";
import { expect, test } from "vitest";
import { allOf, bytesOf } from "../index/ordered.ts";
import { find } from "./find.ts";
import type { Finder } from "./finder.ts";
import { createTextIndex } from "../index/text-index.ts";
import { stem } from "../text/words.ts";

/** Each has a stem of its own, and some are the beginning of others. */
const words = ["аист", "барсук", "барс", "волк", "дрозд", "журавль", "зубр", "зяблик", "кабан", "кабарга"];
/** The weight of each word in a document; absent: it does not have the word. */
type Text = Partial<Record<string, number>>;
const anyText: fc.Arbitrary<Text> = fc.dictionary(fc.constantFrom(...words), fc.constantFrom(1, 2, 4, 10, 12), { maxKeys: 4 });
const anyQuery = fc.uniqueArray(fc.constantFrom(...words), { minLength: 1, maxLength: 7 });

async function finderOf(texts: readonly Text[], inRankOrder: readonly number[]): Promise<Finder> {
  const index = await createTextIndex(texts.length, (document) => ({
    fields: Object.entries(texts[document] ?? {}).map(([word, weight]) => [word, weight ?? 0] as const),
  }));
  const rankOf = Int32Array.from(inRankOrder, (_, document) => inRankOrder.indexOf(document));
  return { index, synonyms: { meanings: new Map(), longest: 0 }, exact: new Map(), inRankOrder, rankOf, isKnownElsewhere: () => false };
}

/** Weights of one word by document; of a word that is being typed also of those that begin with it. */
const weightsOf = (texts: readonly Text[], typed: string, isUnfinished: boolean): number[] =>
  texts.map((text) =>
    Math.max(
      0,
      ...Object.entries(text).map(([word, weight = 0]) =>
        stem(word) === stem(typed) ? weight : isUnfinished && word.startsWith(typed) ? Math.fround(weight * 0.7) : 0,
      ),
    ),
  );

/** The rule for the order, computed for every document and without lists. */
function plainOrder(finder: Finder, weights: readonly number[][]): number[] {
  const size = Math.log(2 + finder.index.size);
  const rarity = weights.map((each) => 1 + (size - Math.log(1 + each.filter((weight) => weight > 0).length)) / size);
  const all = Array.from({ length: finder.index.size }, (_, document) => document);
  const meeting = all.filter((document) => weights.every((each) => each[document]! > 0));
  const least = weights.map((each) => Math.max(0, ...meeting.map((document) => each[document]!)) * 0.15);
  const score = (document: number) => Math.round(weights.reduce((sum, each, i) => sum + each[document]! * rarity[i]!, 0) * 10_000);
  return meeting
    .filter((document) => weights.every((each, i) => each[document]! >= least[i]!))
    .toSorted((a, b) => score(b) - score(a) || finder.rankOf[a]! - finder.rankOf[b]!);
}

/** The words that one document has and that are longest together; of equal ones the rarer, then those of the heaviest document. */
function plainSubset(weights: readonly number[][], query: readonly string[]): number[] {
  const count = (each: readonly number[]) => each.filter((weight) => weight > 0).length;
  let best = { met: [] as number[], kept: 0, many: Infinity, sum: 0 };
  for (const document of weights[0]!.keys()) {
    const met = query.flatMap((_, i) => (weights[i]![document]! > 0 ? [i] : []));
    const kept = met.reduce((sum, i) => sum + query[i]!.length, 0);
    const many = Math.min(...met.map((i) => count(weights[i]!)));
    const sum = met.reduce((total, i) => total + weights[i]![document]!, 0);
    const isBetter = kept === best.kept ? many < best.many || (many === best.many && sum > best.sum) : kept > best.kept;
    if (met.length > 0 && isBetter) best = { met, kept, many, sum };
  }
  return best.met;
}

const anyShop = fc.integer({ min: 2, max: 400 }).chain((size) =>
  fc.record({
    texts: fc.array(anyText, { minLength: size, maxLength: size }),
    inRankOrder: fc.shuffledSubarray(
      Array.from({ length: size }, (_, i) => i),
      { minLength: size },
    ),
    queries: fc.array(fc.record({ words: anyQuery, isTyping: fc.boolean(), letters: fc.integer({ min: 3, max: 7 }) }), {
      minLength: 1,
      maxLength: 6,
    }),
  }),
);

test("a search finds what a look at every document finds, and later searches do not change it", async () => {
  await fc.assert(
    fc.asyncProperty(anyShop, async ({ texts, inRankOrder, queries }) => {
      const finder = await finderOf(texts, inRankOrder);
      const checks = queries.map(({ words: all, isTyping, letters }) => {
        const query = isTyping ? [...all.slice(0, -1), all.at(-1)!.slice(0, letters)] : all;
        const weights = query.map((word, i) => weightsOf(texts, word, isTyping && i === query.length - 1));
        const found = find(finder, query.join(" "), { isTyping });
        const isKnown = weights.every((each) => each.some((weight) => weight > 0));
        return { query, weights, found, isKnown };
      });
      for (const { query, weights, found, isKnown } of checks) {
        if (!isKnown) continue; // the corrections have tests of their own
        const expected = plainOrder(finder, weights);
        if (expected.length > 0) {
          expect([allOf(found.documents), found.corrected]).toEqual([expected, null]);
          expect(Array.from(found.documents.members!).toSorted((a, b) => a - b)).toEqual(expected.toSorted((a, b) => a - b));
          continue;
        }
        const kept = plainSubset(weights, query);
        const rest = plainOrder(
          finder,
          kept.map((i) => weights[i]!),
        );
        const lengthOf = (some: readonly string[]) => some.join("").length;
        const isAnswer =
          lengthOf(kept.map((i) => query[i]!)) * 2 >= lengthOf(query) && rest.length > 0 && rest.length <= texts.length * 0.6;
        expect([allOf(found.documents), found.corrected?.to]).toEqual(
          isAnswer ? [rest, kept.map((i) => query[i]!).join(" ")] : [[], undefined],
        );
      }
    }),
    { numRuns: 300 },
  );
});

test("of words that no document has together and that are worth the same, the word of the first document is searched", async () => {
  const texts: Text[] = [{ кабан: 5 }, { олень: 5 }];
  for (const ordered of [texts, texts.toReversed()]) {
    const found = find(await finderOf(ordered, [0, 1]), "кабан олень");
    expect([allOf(found.documents), found.corrected?.to]).toEqual([[0], Object.keys(ordered[0]!)[0]]);
  }
});

test.each([true, false])("all places of a query with many results can be read, also after other searches; typing: %s", async (isTyping) => {
  const texts = Array.from({ length: 1_600 }, (_, document): Text => ({ волк: 1 + (document % 7), кабан: 1 + (document % 3) }));
  const finder = await finderOf(
    texts,
    texts.map((_, document) => (document * 7) % 1_600),
  );
  const found = find(finder, isTyping ? "кабан вол" : "кабан волк", { isTyping });
  const whole = found.documents.whole?.();
  find(finder, "каб", { isTyping });
  const expected = plainOrder(finder, [weightsOf(texts, "кабан", false), weightsOf(texts, isTyping ? "вол" : "волк", isTyping)]);
  expect(expected.length).toBeGreaterThan(1_000);
  expect([whole && allOf(whole), allOf(found.documents)]).toEqual([expected, expected]);
});

test("of a query with many results the set and the first places are stored, of one with few the whole order", async () => {
  const texts = Array.from({ length: 3_000 }, (_, document): Text => (document % 10 === 0 ? { волк: 1, барс: 1 } : { волк: 1 }));
  const finder = await finderOf(
    texts,
    texts.map((_, document) => document),
  );
  const sizes = ["волк", "барс"].map((query) => bytesOf(find(finder, query).documents));
  expect(sizes).toEqual([3_008 / 8 + 256 * 4, 300 * 12]);
});
