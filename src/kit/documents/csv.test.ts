import { expect, test } from "vitest";
import { csvOf } from "./csv.ts";

test("formulas are neutralised and separators quoted", () => {
  expect(csvOf([["=1+1", "+7", "a;b", 'say "hi"', "plain"]]).toString()).toBe(`\uFEFF'=1+1;'+7;"a;b";"say ""hi""";plain\r\n`);
});
