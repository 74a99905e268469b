import { expect, test } from "vitest";
import { aPageContext } from "#web/testing.ts";
import { testShop } from "#tests/shop.ts";
import { frameDataOf } from "./storefront/frame/frame-data.ts";
import { loader } from "./root.tsx";

test("the year of the footer begins at midnight in Moscow", async () => {
  const shop = await testShop({ at: new Date("2026-12-31T20:59:59Z") });
  const yearNow = async () => {
    const context = aPageContext(shop.ctx);
    return frameDataOf(await loader({ context } as unknown as Parameters<typeof loader>[0])).year;
  };
  expect(await yearNow()).toBe(2026);
  shop.clock.advance(1_000);
  expect(await yearNow()).toBe(2027);
  await shop.close();
});
