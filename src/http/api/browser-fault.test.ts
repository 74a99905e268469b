import { expect, test } from "vitest";
import { openHttpBench } from "../testing.ts";

test("a fault reported by a browser is logged without phones, e-mail addresses and keys of orders", async () => {
  const bench = await openHttpBench();
  const stack = "at https://shop.example/order/abc?key=7a1fd4da-f5:1:2";
  const answer = await bench
    .visitor()
    .request("POST", "/api/faults", { message: "+7 916 123-45-67 or ivan@example.ru is not defined", stack, path: "/order/:id" });
  expect(answer.json()).toEqual({ data: true });
  expect(bench.faults).toMatchObject([
    { kind: "browser", err: { message: "<digits> or <mail> is not defined", stack: "at https://shop.example/order/abc?key=<key>:1:2" } },
  ]);
  await bench.close();
});
