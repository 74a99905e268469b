import { expect, test } from "vitest";
import { localPath } from "./local-path.ts";

test("a return path stays on the shop's own pages", () => {
  expect(localPath("/products/a?x=1")).toBe("/products/a?x=1");
  for (const text of [
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "https://evil.example",
    "javascript:alert(1)",
    "/\t/evil.example",
    "/%09/evil.example/..//evil.example",
    "",
    null,
    undefined,
    5,
    "evil",
    " /a",
    "/".padEnd(600, "a"),
    "/\n/evil.example",
    "http:/evil.example",
    "/..//evil.example",
    "data:text/html,1",
  ]) {
    const path = localPath(text);
    expect(new URL(path, "https://shop.example").origin).toBe("https://shop.example");
    expect(path.startsWith("//")).toBe(false);
  }
});
