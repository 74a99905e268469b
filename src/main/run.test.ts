import { expect, test } from "vitest";
import { outboxAddress } from "./run.ts";

test("the printed address of the messages can be opened, also when the shop answers under another host", () => {
  expect(outboxAddress({ PUBLIC_URL: undefined }, "http://localhost:3000")).toBe("http://localhost:3000/_demo/outbox");
  expect(outboxAddress({ PUBLIC_URL: "https://shop.example" }, "http://localhost:3000")).toBe(
    "curl -H 'Host: shop.example' http://localhost:3000/_demo/outbox",
  );
});
