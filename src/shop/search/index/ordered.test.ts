import * as fc from "fast-check";
import { expect, test } from "vitest";
import { bitsOf, commonBits, documentsOf, hasBit, sizeOf } from "./bits.ts";
import { allOf, beginningOf, inOrder, listed, ranked, reordered, scoreKey, smallestKeys, walk, writeAmong } from "./ordered.ts";

const anyKeys = fc.array(fc.integer({ min: -1_000_000, max: 1_000_000 }), { maxLength: 500 });

test("the smallest keys are the beginning of the sorted ones, however few are wanted", () => {
  fc.assert(
    fc.property(anyKeys, fc.integer({ min: 1, max: 60 }), (keys, count) => {
      const sorted = [...keys].sort((a, b) => a - b);
      expect([...smallestKeys(Float64Array.from(keys), count)].slice(0, count)).toEqual(sorted.slice(0, count));
    }),
  );
});

test("a ranking goes by score, equal scores by rank, and a named document comes first; the beginning is that of the whole", () => {
  const anyRanking = fc.integer({ min: 1, max: 400 }).chain((size) => {
    const all = Array.from({ length: size }, (_, i) => i);
    return fc.record({
      inRankOrder: fc.shuffledSubarray(all, { minLength: size }),
      scores: fc.array(fc.integer({ min: 0, max: 5 }), { minLength: size, maxLength: size }),
      found: fc.subarray(all),
      named: fc.option(fc.integer({ min: 0, max: size - 1 })),
      count: fc.integer({ min: 1, max: 40 }),
    });
  });
  fc.assert(
    fc.property(anyRanking, ({ inRankOrder, scores, found, named, count }) => {
      const rankOf = (document: number) => inRankOrder.indexOf(document);
      const documents = found.filter((document) => document !== named);
      const expected = documents.toSorted((a, b) => scores[b]! - scores[a]! || rankOf(a) - rankOf(b));
      if (named !== null) expected.unshift(named);
      const keys = Float64Array.from(documents, (document) => scoreKey(scores[document]!, rankOf(document)));
      const ranking = ranked(Int32Array.from(documents), keys, inRankOrder, named);
      expect(Array.from(ranking.prefix(count)).slice(0, count)).toEqual(expected.slice(0, count));
      expect(allOf(ranking)).toEqual(expected);
      expect(Array.from(ranking.members!).toSorted((a, b) => a - b)).toEqual(expected.toSorted((a, b) => a - b));
    }),
  );
});

test("a walk visits every place once, in order, until the callback ends it", () => {
  const order = Int32Array.from({ length: 3_000 }, (_, i) => i);
  const keys = Float64Array.from(order);
  const visited: number[] = [];
  const every = bitsOf(order, order.length);
  walk(ranked(order, keys, order), every, (document) => visited.push(document) < 2_500);
  expect(visited).toEqual([...order.subarray(0, 2_500)]);
  expect(allOf(reordered(listed([1]), order))).toEqual([...order]);
});

test("the beginning of an order is that of the whole, and the whole is made again only for what is beyond it", () => {
  const size = 1_000;
  const anyOrder = fc.subarray(
    Array.from({ length: size }, (_, i) => i),
    { maxLength: size },
  );
  fc.assert(
    fc.property(
      anyOrder.chain((documents) => fc.shuffledSubarray(documents, { minLength: documents.length })),
      fc.nat(size),
      (order, most) => {
        let made = 0;
        const beginning = beginningOf(listed(order), size, () => {
          made += 1;
          return listed(order);
        });
        expect([beginning.length, Array.from(beginning.members!)]).toEqual([order.length, order.toSorted((a, b) => a - b)]);
        expect(order.every((document) => hasBit(beginning.set!, document))).toBe(true);
        const visited: number[] = [];
        if (most > 0) walk(beginning, bitsOf(order, size), (document) => visited.push(document) < most);
        expect(visited).toEqual(order.slice(0, most));
        expect(made).toBe(order.length > 256 && most > 256 ? 1 : 0);
        expect(allOf(beginning)).toEqual(order);
      },
    ),
  );
});

test("the documents of an order that are in a set keep their order", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(99)), fc.uniqueArray(fc.nat(99)), (order, among) => {
      const target = new Int32Array(100);
      const count = writeAmong(Int32Array.from(order), bitsOf(among, 100), target);
      expect([...target.subarray(0, count)]).toEqual(order.filter((document) => among.includes(document)));
    }),
  );
});

test("the documents of a set in an order are the places of the order that are in the set, however many are read first", () => {
  const all = Array.from({ length: 100 }, (_, i) => i);
  fc.assert(
    fc.property(fc.shuffledSubarray(all, { minLength: 100 }), fc.subarray(all), fc.array(fc.nat(120)), (order, among, reads) => {
      const expected = order.filter((document) => among.includes(document));
      const ordered = inOrder(bitsOf(among, 100), Int32Array.from(order));
      for (const count of reads) expect(Array.from(ordered.prefix(count)).slice(0, count)).toEqual(expected.slice(0, count));
      expect([allOf(ordered), ordered.length, Array.from(ordered.members!)]).toEqual([expected, among.length, among]);
    }),
  );
});

test("two sets have the documents in common that both were made of", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(99)), fc.uniqueArray(fc.nat(99)), (some, others) => {
      const common = some.filter((document) => others.includes(document)).toSorted((a, b) => a - b);
      const bits = commonBits(bitsOf(some, 100), bitsOf(others, 100));
      expect([[...documentsOf(bits)], sizeOf(bits)]).toEqual([common, common.length]);
    }),
  );
});

test("a set of bits has the documents that it was made of", () => {
  const bits = bitsOf([0, 31, 32, 63, 64], 70);
  expect(Array.from({ length: 70 }, (_, i) => i).filter((i) => hasBit(bits, i))).toEqual([0, 31, 32, 63, 64]);
});
