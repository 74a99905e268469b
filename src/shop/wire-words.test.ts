import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Words of the HTTP contract for which the shop has words of its own (docs/glossary.md). */
const wireWords = /sdek|specialcontact|pvzId|pvzinfo|userinfo|usercomment|select_dlv_service|locinfo|\bcourses?\b|\bCourses?\b/;

/** Stored data keeps the names under which earlier releases wrote it: the profile, a column, and the payload of queued letters. */
const stored = [
  "src/shop/customers/repository.ts",
  "src/shop/customers/stored-profile.ts",
  "src/shop/customers/stored-profile.test.ts",
  "src/shop/alerts/tables.ts",
  "src/shop/notifications/alert-letter.ts",
  "src/shop/notifications/alert-texts.ru.ts",
];

test("the shop does not use the contract's words", () => {
  const files = globSync("src/shop/**/*.ts").filter((path) => !stored.includes(path) && !path.endsWith("wire-words.test.ts"));
  expect(files.length).toBeGreaterThan(200);
  const found = files.flatMap((path) =>
    readFileSync(path, "utf8")
      .split("\n")
      .flatMap((line, at) => (wireWords.test(line.replace("course: rateCode", "")) ? [`${path}:${at + 1} ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});
