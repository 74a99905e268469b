import { afterAll, beforeAll, expect, test } from "vitest";
import { moscowCode } from "#shop/delivery/delivery.ts";
import * as shipping from "#shop/delivery/shipping.service.ts";
import { openHttpBench, type HttpBench } from "../testing.ts";

let bench: HttpBench;
let secretAddress = "";
beforeAll(async () => {
  bench = await openHttpBench();
  bench.ctx.gateways.delivery = {
    ...bench.ctx.gateways.delivery,
    subscribe: async (url) => {
      secretAddress = new URL(url).pathname;
    },
  };
  await shipping.subscribe(bench.ctx);
});
afterAll(() => bench.close());

test("the carrier's secret address accepts its webhooks; other addresses are not found", async () => {
  const call = (url: string) =>
    bench.app.inject({
      method: "POST",
      url,
      headers: { host: "localhost:3000", "content-type": "application/json" },
      payload: '{"type":"ORDER_STATUS"}',
    });
  expect(secretAddress).toMatch(/^\/api\/delivery\/cdek\/webhook\/[0-9a-f]{40}$/);
  expect(await call(secretAddress)).toMatchObject({ statusCode: 200 });
  for (const wrong of [`${secretAddress}0`, secretAddress.slice(0, -1), "/api/delivery/cdek/webhook/x", "/api/delivery/cdek/webhook/"])
    expect((await call(wrong)).statusCode).toBe(404);
});

test("a city is found by coordinates; incomplete or impossible coordinates are refused", async () => {
  const who = bench.visitor();
  const near = await who.request("GET", "/api/locations/cities?lat=55.8&lon=37.5");
  expect(near.json<{ data: { code: string }[] }>().data[0]?.code).toBe(moscowCode);
  for (const query of ["lat=91&lon=37", "lat=55&lon=-181", "lat=NaN&lon=37", "lat=1e3&lon=37", "lat=55.8", "lon=37.5"]) {
    expect([query, (await who.request("GET", `/api/locations/cities?${query}`)).statusCode]).toEqual([query, 422]);
  }
});
