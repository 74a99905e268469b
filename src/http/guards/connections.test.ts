import { once } from "node:events";
import type { Server } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, expect, test } from "vitest";
import { allowedConnections, descriptorLimit, limitConnections } from "./connections.ts";
import { serverOptions, type ServerTimeouts } from "../server/server-options.ts";

/** More than the socket buffers of both sides hold. */
const big = Buffer.alloc(24 * 1024 * 1024, "x");
const impatient: Partial<ServerTimeouts> = { silenceMs: 400, lingerMs: 100 };

let app: FastifyInstance | undefined;
const clients: Socket[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  app?.server.closeAllConnections();
  await app?.close();
});

type Opened = { server: Server; answered: () => number; client(bytes: string): Socket; serverSide: () => Promise<Socket> };

async function open(): Promise<Opened> {
  const fastify = Fastify(serverOptions({ trustProxy: [], publicUrl: undefined }, impatient));
  app = fastify;
  let answered = 0;
  limitConnections(fastify.server, 1_000, { connectionsPerAddress: 100 }, []);
  fastify.addHook("onRequest", async (request) => {
    if (!request.raw.socket.destroyed) answered += 1;
  });
  fastify.get("/big", () => big);
  fastify.get("/beats", (_, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { "content-type": "text/event-stream" });
    const timer = setInterval(() => reply.raw.write("data: beat\n\n"), 100);
    reply.raw.once("close", () => clearInterval(timer));
  });
  const connected = once(fastify.server, "connection") as Promise<[Socket]>;
  await fastify.listen({ port: 0, host: "127.0.0.1" });
  const { port } = fastify.server.address() as AddressInfo;
  return {
    server: fastify.server,
    answered: () => answered,
    serverSide: async () => (await connected)[0],
    client(bytes) {
      const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true }, () => socket.write(bytes));
      socket.on("error", () => socket.destroy());
      clients.push(socket);
      return socket;
    },
  };
}
/** Resolves when the client has read enough, or no more data arrives. */
const until = (client: Socket, isEnough: () => boolean): Promise<void> =>
  new Promise((resolve) => {
    client.on("data", () => {
      if (isEnough()) resolve();
    });
    client.once("close", () => resolve());
    client.once("end", () => resolve());
  });
const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

test("a client that sent malformed HTTP and never closes loses its connection", async () => {
  const shop = await open();
  const client = shop.client("nonsense\r\n\r\n");
  const [words] = (await once(client, "data")) as [Buffer];
  expect(words.toString()).toMatch(/^HTTP\/1\.1 400 /);
  const connection = await shop.serverSide();
  if (!connection.destroyed) await once(connection, "close");
  expect(connection.destroyed).toBe(true);
});

test("an answer that is not read is aborted, and its connection closed", async () => {
  const shop = await open();
  shop.client(get("/big")).pause();
  const connection = await shop.serverSide();
  await once(connection, "close");
  expect([connection.destroyed, shop.answered()]).toEqual([true, 1]);
});

test("a slow reader gets the whole answer", async () => {
  const shop = await open();
  const from = performance.now();
  const client = shop.client(get("/big"));
  let bytes = 0;
  let sinceRest = 0;
  client.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    sinceRest += chunk.length;
    if (sinceRest < 3 * 1024 * 1024) return;
    sinceRest = 0;
    client.pause();
    setTimeout(() => client.resume(), 150);
  });
  await until(client, () => bytes >= big.length);
  expect(bytes).toBeGreaterThanOrEqual(big.length);
  expect(performance.now() - from).toBeGreaterThan(2 * (impatient.silenceMs ?? 0));
});

test("a stream that sends data now and then stays open", async () => {
  const shop = await open();
  const client = shop.client(get("/beats"));
  let beats = 0;
  client.on("data", (chunk: Buffer) => {
    beats += chunk.toString().split("data: beat").length - 1;
  });
  await until(client, () => beats >= 12);
  expect([(await shop.serverSide()).destroyed, beats >= 12]).toEqual([false, true]);
});

test("a client that pipelines many requests is disconnected", async () => {
  const shop = await open();
  shop.client(get("/big").repeat(500)).pause();
  const connection = await shop.serverSide();
  if (!connection.destroyed) await once(connection, "close");
  expect(shop.answered()).toBeLessThanOrEqual(16);
});

test("no more connections are accepted than the process may open", () => {
  expect([
    allowedConnections(25_000, 1_048_576),
    allowedConnections(25_000, 20_000),
    allowedConnections(25_000, 1_024),
    allowedConnections(100, 256),
    allowedConnections(25_000, Infinity),
  ]).toEqual([25_000, 19_500, 524, 100, 25_000]);
  expect(descriptorLimit()).toBeGreaterThan(100);
});
