import { expect, test } from "vitest";
import { untilAnswered } from "./until-answered.ts";

test("a scan whose answer was lost is sent again under the same key, and counts once", async () => {
  const keys: string[] = [];
  const counted = new Set<string>();
  let lost = 0;
  const answer = await untilAnswered(
    async (key) => {
      keys.push(key);
      counted.add(key);
      return keys.length < 3 ? { ok: false, error: { code: "network.failed" } } : { ok: true };
    },
    {
      onLost: () => {
        lost += 1;
      },
      wait: async () => {},
      mark: () => () => {},
    },
  );
  expect([answer.ok, keys.length, counted.size, lost]).toEqual([true, 3, 1, 2]);
});

test("a refusal is an answer and is not sent again", async () => {
  let sent = 0;
  const answer = await untilAnswered(
    async () => {
      sent += 1;
      return { ok: false, error: { code: "packing.wrong_piece" } };
    },
    { onLost: () => {}, wait: async () => {}, mark: () => () => {} },
  );
  expect([answer.error.code, sent]).toEqual(["packing.wrong_piece", 1]);
});
