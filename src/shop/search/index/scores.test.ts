import * as fc from "fast-check";
import { expect, test } from "vitest";
import { resetArenas } from "./arena.ts";
import { haveCommon, intersectionOf, unionOf, withBonus, type Scores } from "./scores.ts";

const size = 300;
const anyScores: fc.Arbitrary<Scores> = fc
  .subarray(Array.from({ length: size }, (_, i) => i))
  .chain((documents) =>
    fc
      .array(fc.integer({ min: 1, max: 12 }), { minLength: documents.length, maxLength: documents.length })
      .map((weights) => ({ documents: Int32Array.from(documents), weights: Float32Array.from(weights) })),
  );
const weightIn = ({ documents, weights }: Scores, document: number): number => {
  const at = documents.indexOf(document);
  return at < 0 ? 0 : weights[at]!;
};
const all = Array.from({ length: size }, (_, i) => i);

test("a union has each document once, with the highest of its weights", () => {
  fc.assert(
    fc.property(fc.array(fc.record({ scores: anyScores, factor: fc.constantFrom(0.7, 0.9, 1) }), { maxLength: 5 }), (lists) => {
      resetArenas(); // as before each search
      const found = unionOf(
        size,
        lists.map(({ scores, factor }) => ({ ...scores, factor })),
      );
      const best = (document: number) =>
        Math.max(0, ...lists.map(({ scores, factor }) => Math.fround(weightIn(scores, document) * factor)));
      expect([...found.documents]).toEqual(all.filter((document) => best(document) > 0));
      expect([...found.weights]).toEqual([...found.documents].map(best));
    }),
  );
});

test("an intersection has the documents of all lists, with the weights of each list", () => {
  fc.assert(
    fc.property(fc.array(anyScores, { minLength: 1, maxLength: 4 }), (lists) => {
      resetArenas();
      const { documents, weights } = intersectionOf(lists);
      expect([...documents]).toEqual(all.filter((document) => lists.every((list) => weightIn(list, document) > 0)));
      expect(weights.map((each) => [...each])).toEqual(lists.map((list) => [...documents].map((document) => weightIn(list, document))));
    }),
  );
});

test("lists have something in common if their intersection is not empty", () => {
  const fewOf = fc.uniqueArray(fc.nat(30), { maxLength: 12 }).map((documents) => Int32Array.from(documents).sort());
  fc.assert(
    fc.property(fc.array(fewOf, { maxLength: 4 }), (lists) => {
      const [first = [], ...others] = lists.map((list) => [...list]);
      expect(haveCommon(lists)).toBe(first.some((document) => others.every((other) => other.includes(document))));
    }),
  );
});

test("a bonus raises what both lists have and adds no document", () => {
  fc.assert(
    fc.property(anyScores, anyScores, (scores, others) => {
      resetArenas();
      const raised = withBonus(scores, others, 0.5);
      expect(raised.documents).toEqual(scores.documents);
      expect([...raised.weights]).toEqual(
        [...scores.documents].map((document) => weightIn(scores, document) + weightIn(others, document) / 2),
      );
    }),
  );
});
