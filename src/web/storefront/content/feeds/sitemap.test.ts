import { XMLValidator } from "fast-xml-parser";
import { expect, test } from "vitest";
import { sitemap } from "./sitemap.ts";

const base = "https://shop.example";
const addresses = Array.from({ length: 7 }, (_, n) => ({ path: `/products/coin-${n}`, day: n === 0 ? "2026-11-20" : null }));
const located = (xml: string | null) => {
  expect(XMLValidator.validate(xml ?? "")).toBe(true);
  return [...(xml ?? "").matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address);
};
const all = addresses.map(({ path }) => `${base}${path}`);

test("what fits into one file is one file without parts", () => {
  const map = sitemap(addresses, base, null, 7);
  expect(map).toContain("<urlset");
  expect(map).toContain("<lastmod>2026-11-20</lastmod>");
  expect(located(map)).toEqual(all);
  expect(sitemap(addresses, base, 1, 7)).toBeNull();
});

test("more is an index of parts, which have every address once", () => {
  const index = sitemap(addresses, base, null, 3);
  expect(index).toContain("<sitemapindex");
  expect(located(index)).toEqual([1, 2, 3].map((part) => `${base}/sitemap.xml?part=${part}`));
  expect([1, 2, 3].flatMap((part) => located(sitemap(addresses, base, part, 3)))).toEqual(all);
  for (const part of [0, 4, Number.NaN]) expect(sitemap(addresses, base, part, 3)).toBeNull();
});
