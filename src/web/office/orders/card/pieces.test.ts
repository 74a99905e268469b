import { expect, test } from "vitest";
import { piecesLeft, piecesToRefund } from "./pieces.ts";

test("a coin that the buyer gave back cannot come back again, and its money can be refunded by the piece", () => {
  const line = { count: 3, dropped: 1, returned: 2 };
  expect([piecesLeft(line), piecesToRefund(line)]).toEqual([0, 2]);
});
