import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { request as undiciRequest } from "undici";

export type Balancer = {
  url: string;
  /** How many processes it sends requests to. A restart waits until the previous process is included again. */
  ready(): number;
  close(): Promise<void>;
};

const pollIntervalMs = 200;

/**
 * A minimal load balancer: polls `/readyz` of each process, sends requests to the ready ones in turn, and to the other one when a
 * connection is refused, which is safe for every request. It repeats nothing that may have arrived. `at`: the public address of processes
 * that have one in common, which is listened at and passed on as the host; without it each process has its own.
 */
export async function startBalancer(targets: readonly string[], at?: string): Promise<Balancer> {
  const commonHost = at === undefined ? null : new URL(at).host;
  const ready = new Set(targets);
  const looking = setInterval(() => {
    for (const target of targets) {
      void undiciRequest(`${target}/readyz`, {
        signal: AbortSignal.timeout(1_000),
        headers: commonHost === null ? {} : { host: commonHost },
      })
        .then(
          async ({ statusCode, body }) => {
            await body.dump();
            return statusCode === 200;
          },
          () => false,
        )
        .then((isReady) => (isReady ? ready.add(target) : ready.delete(target)));
    }
  }, pollIntervalMs);
  let turn = 0;

  function pass(request: IncomingMessage, response: ServerResponse, tried: readonly string[]): void {
    // With none ready every process is tried: a late poll must not refuse all requests.
    const untried = (all: Iterable<string>): string[] => [...all].filter((each) => !tried.includes(each));
    const open = untried(ready).length > 0 ? untried(ready) : untried(targets);
    const target = open[(turn += 1) % Math.max(1, open.length)];
    if (!target) return void response.writeHead(502).end();
    const { hostname, port, host } = new URL(target);
    const upstream = httpRequest({
      hostname,
      port,
      method: request.method,
      path: request.url,
      headers: { ...request.headers, host: commonHost ?? host, connection: "close" },
      agent: false,
    });
    upstream.on("response", (answer) => {
      const { connection: _, ...headers } = answer.headers;
      // Without a length the end of the answer is the end of the connection, as for streams.
      response.writeHead(answer.statusCode ?? 502, {
        ...headers,
        ...(headers["content-length"] === undefined ? { connection: "close" } : {}),
      });
      answer.pipe(response);
      answer.on("error", () => response.destroy());
    });
    upstream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED") return pass(request, response, [...tried, target]);
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end(error.message);
    });
    response.on("close", () => upstream.destroy());
    // The body is sent after the connection is established, so a refused connection has received nothing of it.
    upstream.on("socket", (socket) => socket.once("connect", () => request.pipe(upstream)));
  }

  const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => pass(request, response, []));
  await new Promise<void>((resolve) => server.listen(at === undefined ? 0 : Number(new URL(at).port), "127.0.0.1", resolve));
  return {
    url: at ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ready: () => ready.size,
    async close() {
      clearInterval(looking);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
