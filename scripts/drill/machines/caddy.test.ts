import { existsSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { freePort } from "#tests/postgres.ts";
import { startCaddy } from "./caddy.ts";

const program = "/usr/bin/caddy";

/** A process as the balancer sees it, and how often each path was requested from it. */
async function startProcess(): Promise<{ port: number; paths: Map<string, number>; server: Server }> {
  const paths = new Map<string, number>();
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    if (!path.startsWith("/readyz")) paths.set(path, (paths.get(path) ?? 0) + 1);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: (server.address() as AddressInfo).port, paths, server };
}

test.skipIf(!existsSync(program))(
  "behind Caddy each public page is made by one process, calls go to all, and a process that is gone loses no request",
  async () => {
    const [one, two] = [await startProcess(), await startProcess()];
    const url = `http://localhost:${await freePort()}`;
    const caddy = await startCaddy(program, url, [one.port, two.port]);
    const pages = ["/", "/catalog", "/catalog?page=2", ...Array.from({ length: 17 }, (_, n) => `/products/coin-${n}`)];
    const read = async (path: string) => (await fetch(url + path)).status;
    for (const page of pages) for (let n = 0; n < 3; n += 1) expect(await read(page)).toBe(200);
    await Promise.all(Array.from({ length: 20 }, () => read("/api/cart")));
    const makers = pages.map((page) => [one, two].filter(({ paths }) => paths.get(page) === 3).length);
    expect(makers).toEqual(pages.map(() => 1));
    for (const { paths } of [one, two]) expect(pages.some((page) => paths.has(page)) && paths.has("/api/cart")).toBe(true);

    one.server.closeAllConnections();
    await new Promise((resolve) => one.server.close(resolve));
    expect(await Promise.all(pages.map(read))).toEqual(pages.map(() => 200));
    await caddy.close();
    await new Promise((resolve) => two.server.close(resolve));
  },
  20_000,
);
