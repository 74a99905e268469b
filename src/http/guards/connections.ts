import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Limits } from "#shop/settings.ts";
import { addressKey, addressList, plainAddress } from "../request/addresses.ts";

/** Requests of one connection that may wait for their answers. Browsers send the next request when they have the answer; only a flood pipelines. */
const mostPipelined = 16;

/** Descriptors left for files, the database, providers and the log. */
const otherDescriptors = 500;

/**
 * How many connections fit into the descriptors of this process (`ulimit -n`, systemd's `LimitNOFILE`): as many as wanted, or what is left
 * beside the other descriptors, half of all at least.
 */
export const allowedConnections = (wanted: number, descriptors: number): number =>
  Math.min(wanted, Math.max(descriptors - otherDescriptors, Math.floor(descriptors / 2)));

/** The soft limit of this process; infinite where there is none, or where the system does not say. */
export function descriptorLimit(): number {
  Object.assign(process.report, { excludeNetwork: true }); // it would look up names
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === "number" ? soft : Infinity;
}

/**
 * Bounds the connections of the whole server and of each address, and the requests of each connection. This machine itself and trusted proxies
 * are not bound by the second: behind their addresses stand all the visitors there are.
 */
export function limitConnections(
  server: Server,
  limits: Pick<Limits, "connections" | "connectionsPerAddress">,
  trustProxy: readonly string[],
): void {
  const isProxy = addressList(["127.0.0.0/8", "::1", ...trustProxy]);
  const open = new Map<string, number>();
  server.maxConnections = limits.connections;
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
}

/** A connection with too many unanswered requests is cut: Node reads them all out of one packet before it answers the first. */
function limitPipelines(server: Server): void {
  const unanswered = new WeakMap<Socket, number>();
  // Before the framework, so that a gate sees the connection as cut.
  server.prependListener("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    const count = (unanswered.get(socket) ?? 0) + 1;
    unanswered.set(socket, count);
    if (count > mostPipelined) socket.destroy();
    response.once("close", () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
  });
}

/**
 * Ends a connection with a last answer. The other side has `lingerMs` to read it and close its own end; then the descriptor is taken back,
 * whether or not it did.
 */
export function endAndDestroy(socket: Socket, lastWords: string, lingerMs: number): void {
  socket.end(lastWords);
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  timer.unref();
  socket.once("close", () => clearTimeout(timer));
}
