import { createServer, type AddressInfo, type Socket } from "node:net";
import { expect, test } from "vitest";
import { openStreams } from "./open-streams.ts";

const head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
const opening = `${head}retry: 1\nid: 1\nevent: courses\ndata: {}\n\n`;

/** A server that answers each connection with the next of `answers`, then keeps it; streams to it are at a clock that `answer` may move. */
async function play(answers: readonly (() => string)[], now: () => number) {
  const connections: Socket[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => {});
    const answer = answers[connections.length];
    connections.push(socket);
    socket.once("data", () => (answer ? socket.write(answer()) : socket.destroy()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const streams = openStreams(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 1, now);
  const until = async (is: () => boolean) => {
    for (let tries = 0; !is(); tries += 1) {
      if (tries > 1_000) throw new Error("it does not come to that");
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  return {
    streams,
    until,
    breakOff: () => connections.at(-1)?.destroy(),
    async close() {
      streams.close();
      for (const each of connections) each.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test("a gap of a stream lasts from its break to the first event afterwards, over connections that bring none", async () => {
  let at = 0;
  const after = (milliseconds: number, text: string) => () => {
    at += milliseconds;
    return text;
  };
  const { streams, until, breakOff, close } = await play(
    [after(500, opening), after(40_000, `${head}retry: 1\n: kept\n\n`), after(1_000, opening), after(5_000, opening)],
    () => at,
  );
  await until(() => streams.open() === 1);
  expect([streams.longestGapMs(), streams.faults(30_000)]).toEqual([0, []]); // the first opening is not a gap

  breakOff();
  await until(() => at === 40_500);
  breakOff(); // without an event it was not open
  await until(() => streams.open() === 1);
  expect([streams.breaks(), streams.longestGapMs()]).toEqual([1, 41_000]);
  expect(streams.faults(30_000)).toEqual(["a stream was broken for 41.0 s, at most 30 s are permitted"]);
  expect(streams.faults(41_000)).toEqual([]);

  breakOff();
  await until(() => at === 46_500 && streams.open() === 1);
  expect([streams.breaks(), streams.longestGapMs()]).toEqual([2, 41_000]);
  await close();
});

test("a stream that does not come back is a fault, and its gap grows", async () => {
  let at = 0;
  const { streams, until, breakOff, close } = await play([() => opening], () => at);
  await until(() => streams.open() === 1);
  breakOff();
  await until(() => streams.breaks() === 1);
  at += 2_000;
  expect([streams.longestGapMs(), streams.faults(30_000)]).toEqual([2_000, ["1 of 1 streams are not open at the end"]]);
  at += 29_000;
  expect(streams.faults(30_000)).toHaveLength(2);
  await close();
});
