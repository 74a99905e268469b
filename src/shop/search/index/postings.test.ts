import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createPostings } from "./postings.ts";

test("each key has its documents, ascending, with the highest weight that was put; any number of keys and entries", () => {
  const anyEntries = fc.array(
    fc.record({
      key: fc.integer({ min: 0, max: 2_000 }).map((n) => `word ${n}`),
      document: fc.integer({ min: 0, max: 40 }),
      weight: fc.integer({ min: 1, max: 12 }),
    }),
    { maxLength: 3_000, size: "max" },
  );
  fc.assert(
    fc.property(anyEntries, (entries) => {
      const postings = createPostings();
      const expected = new Map<string, Map<number, number>>();
      for (const { key, document, weight } of entries.toSorted((a, b) => a.document - b.document)) {
        postings.put(key, document, weight);
        const weights = expected.get(key) ?? new Map<number, number>();
        expected.set(key, weights.set(document, Math.max(weight, weights.get(document) ?? 0)));
      }
      expect([...postings.keys()]).toEqual([...expected.keys()]);
      const hits = postings.freeze();
      for (const [key, weights] of expected) {
        const found = hits(key);
        expect([...(found?.documents ?? [])]).toEqual([...weights.keys()]);
        expect([...(found?.weights ?? [])]).toEqual([...weights.values()]);
      }
      expect(hits("no such word")).toBeUndefined();
    }),
    { numRuns: 30 },
  );
});
