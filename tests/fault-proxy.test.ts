import { once } from "node:events";
import { createConnection, createServer, type AddressInfo, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { startFaultProxy, type FaultProxy } from "./fault-proxy.ts";

const echo = createServer((socket) => {
  socket.on("error", () => {}).pipe(socket);
});
let proxy: FaultProxy;
let sockets: Socket[] = [];
beforeAll(async () => {
  await once(echo.listen(0, "127.0.0.1"), "listening");
});
afterAll(() => {
  echo.close();
});
beforeEach(async () => {
  proxy = await startFaultProxy({ host: "127.0.0.1", port: (echo.address() as AddressInfo).port });
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await proxy.close();
});

async function call(): Promise<Socket> {
  const socket = createConnection({ host: "127.0.0.1", port: proxy.port });
  sockets.push(socket);
  socket.on("error", () => {});
  await new Promise((resolve) => socket.once("connect", resolve).once("close", resolve));
  return socket;
}

/** What was received within `ms`, in how many parts, after how long, and whether the connection is still open. */
async function exchange(socket: Socket, text: string, ms: number) {
  const pieces: string[] = [];
  let firstAt = Infinity;
  const from = performance.now();
  const onData = (chunk: Buffer) => {
    firstAt = Math.min(firstAt, performance.now() - from);
    pieces.push(chunk.toString());
  };
  socket.on("data", onData);
  socket.write(text);
  await new Promise((resolve) => setTimeout(resolve, ms));
  socket.off("data", onData);
  return { text: pieces.join(""), pieces: pieces.length, firstAt, isOpen: !socket.destroyed };
}

test("without a fault the proxy forwards data unchanged", async () => {
  expect(await exchange(await call(), "hello", 50)).toMatchObject({ text: "hello", isOpen: true });
  expect(proxy.open()).toBe(1);
});

test("latency delays every answer, also on open connections", async () => {
  const socket = await call();
  proxy.setFault({ kind: "latency", ms: 80 });
  const { text, firstAt } = await exchange(socket, "hello", 200);
  expect(text).toBe("hello");
  expect(firstAt).toBeGreaterThan(70);
});

test("a swallowed answer never arrives, and the connection stays open", async () => {
  const socket = await call();
  proxy.setFault({ kind: "timeout" });
  expect(await exchange(socket, "hello", 80)).toMatchObject({ text: "", isOpen: true });
  proxy.setFault({ kind: "none" });
  expect(await exchange(socket, "again", 80)).toMatchObject({ text: "again" });
});

test("a reset and a peer that is down close open connections and refuse new ones", async () => {
  for (const kind of ["reset", "down"] as const) {
    const socket = await call();
    proxy.setFault({ kind });
    expect((await exchange(socket, "hello", 60)).isOpen).toBe(false);
    expect((await exchange(await call(), "hello", 60)).isOpen).toBe(false);
    proxy.setFault({ kind: "none" });
  }
});

test("a cut connection breaks in the middle of an answer", async () => {
  const socket = await call();
  proxy.setFault({ kind: "cut", afterBytes: 3 });
  const { text, isOpen } = await exchange(socket, "hello", 80);
  expect("hel".startsWith(text)).toBe(true);
  expect(isOpen).toBe(false);
});

test("a sliced answer is complete, in many parts; low bandwidth is slow; a late end is late", async () => {
  proxy.setFault({ kind: "slicer" });
  const sliced = await exchange(await call(), "abcdefghij", 200);
  expect(sliced.text).toBe("abcdefghij");
  expect(sliced.pieces).toBeGreaterThan(1);

  proxy.setFault({ kind: "bandwidth", bytesPerSecond: 100 });
  expect((await exchange(await call(), "abcdefghij", 250)).firstAt).toBeGreaterThan(80);

  proxy.setFault({ kind: "slow_close", ms: 100 });
  const socket = await call();
  const from = performance.now();
  socket.resume().end();
  await once(socket, "end");
  expect(performance.now() - from).toBeGreaterThan(80);
});
