import { afterAll, beforeAll, expect, test } from "vitest";
import { aCoin, putCoins } from "#shop/catalog/testing.ts";
import { aPageContext } from "#web/testing.ts";
import { testShop, type TestShop } from "#tests/shop.ts";
import { listingOf } from "../listing/listing-data.ts";
import { loader } from "./search-page.tsx";

let shop: TestShop;
beforeAll(async () => {
  shop = await testShop();
  await putCoins(shop.ctx.db, [aCoin({ id: 1, title: "Соболь", slug: "sobol" })]);
});
afterAll(() => shop.close());

function open(query: string): ReturnType<typeof loader> {
  const context = aPageContext(shop.ctx);
  const request = new Request(`http://localhost:3000/search?${query}`);
  return loader({ request, context, params: {} } as unknown as Parameters<typeof loader>[0]);
}

test("a page past the last one does not exist, however large its number is", async () => {
  const q = `q=${encodeURIComponent("соболь")}`;
  const shown = async (query: string) => {
    const { page, found } = await open(query);
    return { page, total: found === null ? null : listingOf(found).total };
  };
  expect(await shown(q)).toEqual({ page: 1, total: 1 });
  for (const page of ["2", "9999", "10000", "99999999999999999999"])
    await expect(open(`${q}&page=${page}`), page).rejects.toMatchObject({ init: { status: 404 } });
  for (const page of ["", "0", "-1", "1.5", "1e9", "x"]) expect(await shown(`${q}&page=${page}`)).toEqual({ page: 1, total: 1 });
});
