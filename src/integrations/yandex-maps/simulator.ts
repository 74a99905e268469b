import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createFault } from "#integrations/faults.ts";
import { browserMaps } from "./browser.ts";

/**
 * The script of Yandex Maps 2.1 on a separate host: the part of it that the checkout uses, drawn without tiles from the given points.
 * `/2.1/?apikey=…&lang=ru_RU` like the original; 403 without a key, as there.
 */
export async function startMapsSimulator(options: { port?: number } = {}) {
  const script = `(${browserMaps.toString()})();`;
  const fault = createFault();
  const server = createServer((request, response) => {
    void (async () => {
      if (await fault.apply(response)) return;
      const { pathname, searchParams } = new URL(request.url ?? "/", "http://loopback");
      if (pathname !== "/2.1/") return void response.writeHead(404).end();
      if (!searchParams.get("apikey") || searchParams.get("lang") !== "ru_RU") return void response.writeHead(403).end();
      response.writeHead(200, { "content-type": "text/javascript; charset=utf-8", "cache-control": "no-cache" }).end(script);
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(options.port ?? 0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setFault: fault.set,
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
