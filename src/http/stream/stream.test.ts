import { request, type ClientRequest, type IncomingMessage } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { CoursesView } from "#contract/public/rates.ts";
import { seconds } from "#kit/time.ts";
import { openHttpBench, uidCookie, type HttpBench } from "../testing.ts";

type Stream = { status: number; headers: IncomingMessage["headers"]; text: () => string; isOpen: () => boolean; close(): void };

let bench: HttpBench;
let port: number;
const open: ClientRequest[] = [];
beforeEach(async () => {
  bench = await openHttpBench({ config: { port: 0 }, limits: { streams: 200, streamsPerVisitor: 6, requestsPerMinute: 1e6 } });
  await bench.app.listen({ port: 0, host: "127.0.0.1" });
  ({ port } = bench.app.server.address() as AddressInfo);
});
afterEach(async () => {
  for (const each of open.splice(0)) each.destroy();
  await bench.close();
});

const uid = (name: string): string => uidCookie(bench.ctx, name);

function listen(headers: Record<string, string> = {}): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ port, host: "127.0.0.1", path: "/api/courses/stream", headers, agent: false }, (answer) => {
      let text = "";
      let isOpen = true;
      answer
        .setEncoding("utf8")
        .on("data", (chunk: string) => {
          text += chunk;
        })
        .on("error", () => {})
        .on("close", () => {
          isOpen = false;
        });
      resolve({
        status: answer.statusCode ?? 0,
        headers: answer.headers,
        text: () => text,
        isOpen: () => isOpen,
        close: () => outgoing.destroy(),
      });
    });
    outgoing.on("error", reject).end();
    open.push(outgoing);
  });
}

/** Events in order, as a browser would read them. */
const events = (stream: Stream): { id: string; courses: CoursesView }[] =>
  [...stream.text().matchAll(/id: (\S+)\nevent: courses\ndata: (.+)\n\n/g)].map(([, id = "", data = "null"]) => ({
    id,
    courses: JSON.parse(data) as CoursesView,
  }));
const until = async (isSo: () => boolean, what: string): Promise<void> => {
  for (let tries = 0; tries < 200; tries += 1) {
    if (isSo()) return;
    await sleep(25);
  }
  throw new Error(`never: ${what}`);
};

test("a new client gets the content of /api/courses at once, and the time to wait before reconnecting", async () => {
  const stream = await listen();
  expect(stream.status).toBe(200);
  expect(stream.headers).toMatchObject({
    "content-type": "text/event-stream; charset=utf-8",
    "x-accel-buffering": "no",
    "cache-control": "private, no-store, no-transform",
  });
  expect(stream.headers["content-encoding"]).toBeUndefined();
  await until(() => events(stream).length === 1, "the first event");
  const answered = (await (await fetch(`http://127.0.0.1:${port}/api/courses`)).json()) as CoursesView;
  expect(events(stream)[0]?.courses).toEqual(answered);
  const retry = Number(/^retry: (\d+)$/m.exec(stream.text())?.[1]);
  expect(retry).toBeGreaterThanOrEqual(3_000);
  expect(retry).toBeLessThanOrEqual(8_000);
  expect(stream.text()).toContain('event: work\ndata: {"work":true');
});

test("a closed market is sent to every client; a client that reconnects with the newest id gets nothing twice", async () => {
  const [one, two] = [await listen(), await listen()];
  await until(() => events(one).length === 1 && events(two).length === 1, "the first event");
  bench.market.isOpen = false;
  bench.clock.advance(seconds(2));
  await bench.fetchRates();
  await until(() => one.text().includes('"work":false') && two.text().includes('"work":false'), "the closed market");
  const newest = events(one).at(-1)?.id ?? "";
  const back = await listen({ "last-event-id": newest });
  await until(() => back.text().includes(":\n\nevent: beat\n"), "the sign of life, for the proxy and for the page");
  expect(events(back)).toEqual([]);
  const late = await listen({ "last-event-id": "1.1" });
  await until(() => events(late).length === 1, "the event that was missed");
  expect(events(late)[0]?.id).toBe(newest);
});

test("the seventh stream of one visitor is refused, another visitor's is not, and a closed one makes room", async () => {
  const streams = await Promise.all(Array.from({ length: 6 }, () => listen({ cookie: uid("anna") })));
  expect(streams.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
  const seventh = await listen({ cookie: uid("anna") });
  expect(seventh.status).toBe(429);
  expect(Number(seventh.headers["retry-after"])).toBeGreaterThan(0);
  expect((await listen({ cookie: uid("boris") })).status).toBe(200);
  streams[0]?.close();
  await sleep(100);
  expect((await listen({ cookie: uid("anna") })).status).toBe(200);
});

test("after waves of clients that connect and vanish the server has room for the next wave", async () => {
  for (let wave = 0; wave < 4; wave += 1) {
    const streams = await Promise.all(Array.from({ length: 200 }, (_, each) => listen({ cookie: uid(`wave${wave}n${each}`) })));
    expect(
      streams.every(({ status }) => status === 200),
      `wave ${wave}`,
    ).toBe(true);
    expect((await listen({ cookie: uid("one-too-many") })).status).toBe(429);
    for (const stream of streams) stream.close();
    await sleep(150);
  }
});

test("a client that never reads does not delay the others", async () => {
  const lazy = Array.from({ length: 50 }, (_, each) => {
    const socket = connect(port, "127.0.0.1", () =>
      socket.write(`GET /api/courses/stream HTTP/1.1\r\nHost: localhost:${port}\r\nCookie: ${uid(`lazy${each}`)}\r\n\r\n`),
    );
    return socket.pause().on("error", () => {});
  });
  const healthy = await listen({ cookie: uid("healthy") });
  await until(() => events(healthy).length === 1, "the first event");
  for (let turn = 0; turn < 3; turn += 1) {
    const before = events(healthy).length;
    bench.market.isOpen = !bench.market.isOpen;
    bench.clock.advance(seconds(2));
    await bench.fetchRates();
    await until(() => events(healthy).length > before, `tick ${turn}`);
  }
  for (const socket of lazy) socket.destroy();
});

test("when the shop stops, streams end first", async () => {
  const stream = await listen();
  await until(() => events(stream).length === 1, "the first event");
  const from = performance.now();
  await bench.app.close();
  await until(() => !stream.isOpen(), "the end");
  expect(performance.now() - from).toBeLessThan(3_000);
});
