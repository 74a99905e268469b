import { expect, test } from "vitest";
import { actorText } from "./words.ts";

test("who did something is named in Russian, also where no person did it", () => {
  expect(
    ["staff:ivanova", "ivanova", "job:server", "provider:1c", "provider:cdek", "customer:17", "visitor", null].map((actor) =>
      actorText(actor),
    ),
  ).toEqual(["ivanova", "ivanova", "магазин", "1С", "СДЭК", "покупатель", "покупатель", ""]);
  expect(actorText("staff:ivanova", [{ login: "ivanova", name: "Мария Иванова" }])).toBe("Мария Иванова");
});
