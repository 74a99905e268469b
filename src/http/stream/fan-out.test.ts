import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { createFanOut } from "./fan-out.ts";

/** A socket that accepts data only when the test says so. */
function fakeSocket() {
  const got: string[] = [];
  let flush: (() => void) | null = null;
  let isDestroyed = false;
  const response = {
    writableLength: 0,
    write(bytes: Buffer, taken: () => void) {
      got.push(bytes.toString());
      flush = taken;
      return true;
    },
    destroy() {
      isDestroyed = true;
    },
    end() {
      isDestroyed = true;
    },
  };
  return {
    response: response as unknown as ServerResponse,
    got,
    read: () => {
      const now = flush;
      flush = null;
      now?.();
    },
    isDestroyed: () => isDestroyed,
    hold: (bytes: number) => {
      response.writableLength = bytes;
    },
  };
}

const limits = { streams: 10, streamsPerVisitor: 6, streamsPerAddress: 100 };
const first = Buffer.from("first");

test("a slow reader gets the newest message when there is room, and none in between", async () => {
  const fanOut = createFanOut(limits);
  const [quick, slow] = [fakeSocket(), fakeSocket()];
  for (const reader of [quick, slow]) fanOut.enter("v", "a")?.open(reader.response, first);
  quick.read();
  for (const text of ["a", "b", "c"]) {
    await fanOut.publish(Buffer.from(text));
    quick.read();
  }
  expect(quick.got).toEqual(["first", "a", "b", "c"]);
  slow.read();
  expect(slow.got).toEqual(["first", "c"]);
});

test("a client with more than 64 KiB unsent is dropped, and one that is still full after three heartbeats", async () => {
  const fanOut = createFanOut(limits);
  const [full, stuck] = [fakeSocket(), fakeSocket()];
  full.hold(64 * 1024 + 1);
  fanOut.enter("v", "a")?.open(full.response, first);
  expect(full.isDestroyed()).toBe(true);
  fanOut.enter("v", "a")?.open(stuck.response, first);
  for (let beats = 0; beats < 3; beats += 1) {
    expect(stuck.isDestroyed()).toBe(false);
    await fanOut.beat();
  }
  expect(stuck.isDestroyed()).toBe(true);
});

test("a message is written in slices: other work runs in between", async () => {
  const fanOut = createFanOut({ streams: 2_000, streamsPerVisitor: 2_000, streamsPerAddress: 2_000 });
  const readers = Array.from({ length: 1_200 }, fakeSocket);
  for (const reader of readers) {
    fanOut.enter("v", "a")?.open(reader.response, first);
    reader.read();
  }
  const running = fanOut.publish(Buffer.from("news"));
  expect(readers.filter(({ got }) => got.includes("news"))).toHaveLength(500);
  await running;
  expect(readers.every(({ got }) => got.includes("news"))).toBe(true);
});

test("a released slot is free, however often it is released", () => {
  const fanOut = createFanOut({ streams: 1, streamsPerVisitor: 1, streamsPerAddress: 1 });
  const place = fanOut.enter("v", "a");
  expect(fanOut.enter("w", "a")).toBeNull();
  place?.leave();
  place?.leave();
  expect(fanOut.size()).toEqual({ listeners: 0, taken: 0, visitors: 0 });
  const late = fakeSocket();
  place?.open(late.response, first); // it left before the stream began
  expect(late.got).toEqual([]);
});

test("an address has a limit of streams, whatever browser ids its visitors have", () => {
  const fanOut = createFanOut({ streams: 10, streamsPerVisitor: 2, streamsPerAddress: 3 });
  const places = ["v", "w", "x"].map((visitor) => fanOut.enter(visitor, "a"));
  expect([places.every((place) => place !== null), fanOut.enter("y", "a"), fanOut.enter("y", "b")?.leave !== undefined]).toEqual([
    true,
    null,
    true,
  ]);
  places[0]?.leave();
  expect(fanOut.enter("y", "a")).not.toBeNull();
});
