import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Limits } from "#shop/settings.ts";
import { addressKey, addressList, plainAddress } from "../request/addresses.ts";

/** Maximum unanswered requests of one connection. Browsers send the next request after the answer; only an attack pipelines more. */
const maxPipelinedRequests = 16;

/** Descriptors reserved for files, the database, providers and the log. */
const otherDescriptors = 500;

/**
 * How many connections fit into the file descriptors of this process (`ulimit -n`, systemd's `LimitNOFILE`): the wanted number, or what is
 * left beside the reserved descriptors, but at least half of all.
 */
export const allowedConnections = (wanted: number, descriptors: number): number =>
  Math.min(wanted, Math.max(descriptors - otherDescriptors, Math.floor(descriptors / 2)));

/** The soft limit of this process; infinite if there is none or it is unknown. */
export function descriptorLimit(): number {
  Object.assign(process.report, { excludeNetwork: true }); // the report would resolve host names otherwise
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === "number" ? soft : Infinity;
}

/**
 * Limits the connections of the server and of each address, and the requests of each connection. The limit per address does not apply to
 * this machine and to trusted proxies, which carry the connections of all visitors.
 */
export function limitConnections(
  server: Server,
  connections: number,
  limits: Pick<Limits, "connectionsPerAddress">,
  trustProxy: readonly string[],
): void {
  const isProxy = addressList(["127.0.0.0/8", "::1", ...trustProxy]);
  const open = new Map<string, number>();
  server.maxConnections = connections;
  server.on("connection", (socket: Socket) => {
    const plain = plainAddress(socket.remoteAddress ?? "");
    if (plain === "" || isProxy(plain)) return;
    const address = addressKey(plain);
    const count = (open.get(address) ?? 0) + 1;
    if (count > limits.connectionsPerAddress) {
      socket.destroy();
      return;
    }
    open.set(address, count);
    socket.once("close", () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
  });
  limitPipelines(server);
  // Node would answer another expectation than `100-continue` with a 417 that has none of the headers of the shop's answers. A server may
  // as well pass over it (RFC 9110, 10.1.1).
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
}

/** Closes a connection with too many unanswered requests: Node reads them all from one packet before it answers the first. */
function limitPipelines(server: Server): void {
  const unanswered = new WeakMap<Socket, { count: number }>();
  /** One listener for all answers: a closure for each would be made for every request. */
  function onClose(this: ServerResponse): void {
    const open = unanswered.get(this.req.socket);
    if (open) open.count -= 1;
  }
  // Registered before the framework, so that the guards see the connection as closed.
  server.prependListener("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    let open = unanswered.get(socket);
    if (!open) unanswered.set(socket, (open = { count: 0 }));
    open.count += 1;
    if (open.count > maxPipelinedRequests) socket.destroy();
    response.on("close", onClose);
  });
}

/** Ends a connection with a last answer. The client has `lingerMs` to read it and close; then the socket is destroyed in any case. */
export function endAndDestroy(socket: Socket, lastWords: string, lingerMs: number): void {
  socket.end(lastWords);
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  timer.unref();
  socket.once("close", () => clearTimeout(timer));
}
