import { expect, test } from "vitest";
import { cutText } from "./cut-text.ts";

test("a cut text ends with a whole character", () => {
  expect(cutText("монета", 10)).toBe("монета");
  expect(cutText("монета", 3)).toBe("мон");
  expect(cutText("ab😀", 4)).toBe("ab😀");
  expect(cutText("ab😀", 3)).toBe("ab");
});
