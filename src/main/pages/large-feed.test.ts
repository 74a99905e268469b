import { createHash } from "node:crypto";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import type { Readable } from "node:stream";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { FastifyInstance } from "fastify";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { testShop, type TestShop } from "#tests/shop.ts";
import { buildOf, serveBuild } from "./testing.ts";

/** More than a socket and its reader hold. */
const parts = 64;
const part = (n: number): Buffer => Buffer.from(`<offer id="${n}">Монета</offer>\n`.repeat(20_000));
const whole = Buffer.concat(Array.from({ length: parts }, (_, n) => part(n)));
let renders = 0;
/** The parts that were read of the feed that was made last, at most `failsAt`. */
let read = 0;
let failsAt = Infinity;

async function loader(): Promise<Response> {
  renders += 1;
  read = 0;
  const body = new ReadableStream({
    pull(controller) {
      if (read === failsAt) throw new Error("no catalogue");
      if (read === parts) controller.close();
      else controller.enqueue(new Uint8Array(part(read++)));
    },
  });
  return new Response(body, { headers: { "content-type": "application/xml" } });
}
/** A page, which is cached in the same form. */
const html = "<!doctype html><p>Монета</p>".repeat(2_000);
const page = async (): Promise<Response> => {
  renders += 1;
  return new Response(html, { headers: { "content-type": "text/html" } });
};
const build = buildOf({
  page: { path: "page", module: { loader: page, handle: { isPublic: true } } },
  feed: { path: "feed", module: { loader, handle: { isPublic: true, isFeed: true } } },
});

let shop: TestShop;
let app: FastifyInstance;
let port: number;
/** What the server sends for the last request. */
let sent: { text: Readable; response: ServerResponse };
const clients: Socket[] = [];
beforeAll(async () => {
  shop = await testShop();
  ({ app } = serveBuild(shop.ctx, build));
  app.addHook("onSend", async (_, reply, text) => {
    sent = { text: text as Readable, response: reply.raw };
    return text;
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  ({ port } = app.server.address() as AddressInfo);
});
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
});
afterAll(async () => {
  await app.close();
  await shop.close();
});

/** A client that has read the begin of the feed and reads no more. */
async function slowReader(): Promise<Socket> {
  const client = connect(port, "127.0.0.1", () => client.write("GET /feed HTTP/1.1\r\nhost: shop\r\nconnection: close\r\n\r\n"));
  clients.push(client);
  await once(client, "data");
  client.pause();
  return client;
}

test("a feed that fails while it is made is a fault, and nothing of it is cached", async () => {
  failsAt = parts / 2;
  expect((await app.inject({ url: "/feed" })).statusCode).toBe(500);
  failsAt = Infinity;
  const again = await app.inject({ url: "/feed" });
  expect([again.statusCode, again.rawPayload.equals(whole)]).toEqual([200, true]);
});

test.each([
  ["large feed", "/feed", "application/xml", whole],
  ["page", "/page", "text/html", Buffer.from(html)],
])("a %s has the same bytes in every coding, and is made once", async (_, url, type, whole) => {
  await app.inject({ url });
  renders = 0;
  const get = (headers: Record<string, string>, method: "GET" | "HEAD" = "GET") => app.inject({ url, method, headers });
  const [plain, br, gzip] = [await get({}), await get({ "accept-encoding": "gzip, br" }), await get({ "accept-encoding": "gzip" })];
  expect(plain.rawPayload.equals(whole)).toBe(true);
  expect(brotliDecompressSync(br.rawPayload).equals(whole)).toBe(true);
  expect(gunzipSync(gzip.rawPayload).equals(whole)).toBe(true);
  const etag = `W/"${createHash("sha256").update(whole).digest("base64url").slice(0, 22)}"`;
  for (const { statusCode, headers } of [plain, br, gzip]) {
    expect([statusCode, headers["content-type"], headers.etag, headers.vary]).toEqual([200, type, etag, "Accept-Encoding"]);
    expect(headers["cache-control"]).toBe("public, max-age=0, must-revalidate");
  }
  expect([plain, br, gzip].map(({ headers }) => headers["content-encoding"])).toEqual([undefined, "br", "gzip"]);
  expect([plain, br, gzip].map(({ headers }) => Number(headers["content-length"]))).toEqual([
    whole.length,
    br.rawPayload.length,
    gzip.rawPayload.length,
  ]);

  const head = await get({}, "HEAD");
  expect([head.statusCode, head.headers["content-length"], head.rawPayload.length]).toEqual([200, String(whole.length), 0]);
  const unchanged = await get({ "if-none-match": etag });
  expect([unchanged.statusCode, unchanged.rawPayload.length]).toEqual([304, 0]);
  expect(renders).toBe(0);
});

test("a slow reader costs a few parts of the text, not all of it, and gets all in the end", async () => {
  const client = await slowReader();
  const { text, response } = sent;
  await vi.waitFor(() => expect(response.writableNeedDrain).toBe(true), { timeout: 20_000 });
  // Meanwhile another reader gets all of it: there would have been time to unpack the whole.
  expect((await app.inject({ url: "/feed" })).rawPayload.length).toBe(whole.length);
  expect(text.readableEnded).toBe(false);
  expect(text.readableLength + response.writableLength).toBeLessThan(1024 * 1024);

  let bytes = 0;
  client.on("data", (more: Buffer) => (bytes += more.length));
  client.resume();
  await once(client, "close");
  expect(bytes).toBeGreaterThan(whole.length - 512 * 1024); // what came before the pause
});

test("a reader that leaves ends the work for it", async () => {
  const client = await slowReader();
  const { text } = sent;
  expect(text.destroyed).toBe(false);
  const ended = once(text, "close");
  client.destroy();
  await ended;
  expect(text.readableEnded).toBe(false);
});
