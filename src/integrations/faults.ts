import type { ServerResponse } from "node:http";

/**
 * The fault modes of simulators, as named by `POST /_demo/faults`. `slow` answers correctly but late; all others replace the answer:
 * `shape` is JSON of an unknown shape, `unauthorized` an expired token, `timeout` never answers.
 */
export const faultModes = [
  "ok",
  "slow",
  "error",
  "garbage",
  "html",
  "empty",
  "shape",
  "unauthorized",
  "too_many",
  "reset",
  "timeout",
] as const;
export type FaultMode = (typeof faultModes)[number];

/** How late `slow` answers. */
export const slowAnswerMs = 2_000;

/** The current fault of one simulator. A change of mode closes the requests that `timeout` left open, as a restarted server does. */
export function createFault() {
  let mode: FaultMode = "ok";
  const swallowed = new Set<ServerResponse>();
  return {
    set(next: FaultMode): void {
      mode = next;
      for (const response of swallowed) response.destroy();
    },
    /**
     * Applies the fault to an incoming request. True: the request was answered (or left open) and the simulator must not answer;
     * false: continue as usual (for `slow`, after the delay).
     */
    async apply(response: ServerResponse): Promise<boolean> {
      if (mode === "timeout") {
        swallowed.add(response);
        response.once("close", () => swallowed.delete(response));
      }
      return applyFault(mode, response);
    },
  };
}

async function applyFault(mode: FaultMode, response: ServerResponse): Promise<boolean> {
  switch (mode) {
    case "ok":
      return false;
    case "slow":
      await new Promise((resolve) => setTimeout(resolve, slowAnswerMs));
      return response.destroyed;
    case "error":
      response.writeHead(500, { "content-type": "text/html" }).end("<html><body>502 Bad Gateway</body></html>");
      return true;
    case "garbage":
      response.writeHead(200, { "content-type": "application/json" }).end('{"data": [1, 2, {"unfinished"');
      return true;
    case "html":
      response
        .writeHead(200, { "content-type": "text/html; charset=utf-8" })
        .end("<!doctype html><html><body><h1>Технические работы</h1></body></html>");
      return true;
    case "empty":
      response.writeHead(200, { "content-type": "application/json", "content-length": "0" }).end();
      return true;
    case "shape":
      response
        .writeHead(200, { "content-type": "application/json" })
        .end('{"id":5,"status":{},"amount":[],"items":"many","requests":1,"sms":[],"access_token":7}');
      return true;
    case "unauthorized":
      response
        .writeHead(401, { "content-type": "application/json" })
        .end('{"type":"error","code":"invalid_credentials","description":"The token has run out"}');
      return true;
    case "too_many":
      response
        .writeHead(429, { "content-type": "application/json", "retry-after": "1" })
        .end('{"type":"error","code":"too_many_requests"}');
      return true;
    case "reset":
      response.socket?.resetAndDestroy();
      return true;
    case "timeout":
      return true;
  }
}
