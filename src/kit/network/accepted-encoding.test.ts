import { expect, test } from "vitest";
import { acceptsBr, acceptsGzip } from "./accepted-encoding.ts";

test.each(["br", "gzip, deflate, br", "gzip,br;q=0.001", "BR ; q=1", "br;q=0.5, gzip;q=0"])("Accept-Encoding: %s takes Brotli", (header) =>
  expect(acceptsBr(header)).toBe(true),
);
test.each(["", "gzip", "br;q=0", "gzip, br ; q=0.000", "br;q=0.0, gzip", "x-br", "br-x", "*"])("Accept-Encoding: %s does not", (header) =>
  expect(acceptsBr(header)).toBe(false),
);
test("gzip is read in the same way", () => {
  expect([acceptsGzip("br;q=0, gzip"), acceptsGzip("br, gzip;q=0")]).toEqual([true, false]);
});
