import { expect, test } from "vitest";
import { hasCopy } from "./etag.ts";

test.each(['"a"', 'W/"a"', '"x", W/"a"', '"x","a"', "*", ' "a" '])("If-None-Match: %s knows the version", (header) =>
  expect(hasCopy(header, '"a"')).toBe(true),
);
test("a weak tag of ours is met as well", () => expect(hasCopy('"a"', 'W/"a"')).toBe(true));
test.each([undefined, "", '"b"', '"ab"', 'W/"b", "c"'])("If-None-Match: %s does not", (header) =>
  expect(hasCopy(header, '"a"')).toBe(false),
);
