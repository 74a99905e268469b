import { createConnection, createServer, type AddressInfo, type Socket } from "node:net";

/** A network fault. Applied to the answers of the peer, because a caller notices it there. */
export type NetworkFault =
  | { kind: "none" }
  /** Delay of every answer, plus or minus `jitterMs`. */
  | { kind: "latency"; ms: number; jitterMs?: number }
  | { kind: "bandwidth"; bytesPerSecond: number }
  /** The end of a connection is forwarded late. */
  | { kind: "slow_close"; ms: number }
  /** Answers are swallowed; the connection stays open. */
  | { kind: "timeout" }
  /** Open and new connections are reset. */
  | { kind: "reset" }
  /** Answers arrive byte by byte. */
  | { kind: "slicer" }
  /** Each connection is reset after this many further bytes of answers. */
  | { kind: "cut"; afterBytes: number }
  /** The peer is down: connections are refused. */
  | { kind: "down" };

export type FaultProxy = {
  port: number;
  setFault(fault: NetworkFault): void;
  /** Another peer from now on; open connections are reset. */
  setTarget(next: { host: string; port: number }): void;
  /** Number of open connections. */
  open(): number;
  close(): Promise<void>;
};

/**
 * A TCP proxy that injects network faults between the shop and any peer, PostgreSQL included. The fault may be changed at any moment and
 * applies to open connections too.
 */
export async function startFaultProxy(target: { host: string; port: number }): Promise<FaultProxy> {
  let fault: NetworkFault = { kind: "none" };
  let peer = target;
  const links = new Set<ProxiedConnection>();
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    if (fault.kind === "down" || fault.kind === "reset") return void client.resetAndDestroy();
    links.add(
      connect(
        client,
        peer,
        () => fault,
        (link) => links.delete(link),
      ),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    setFault(next) {
      fault = next;
      for (const link of links) link.faultChanged();
    },
    setTarget(next) {
      peer = next;
      for (const link of links) link.tear();
    },
    open: () => links.size,
    async close() {
      for (const link of links) link.tear();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type ProxiedConnection = { faultChanged(): void; tear(): void };

function connect(
  client: Socket,
  target: { host: string; port: number },
  faultNow: () => NetworkFault,
  gone: (link: ProxiedConnection) => void,
): ProxiedConnection {
  const peer = createConnection({ ...target, allowHalfOpen: true, noDelay: true });
  let passedSinceChange = 0;
  let answers = Promise.resolve();
  const tear = (): void => {
    client.resetAndDestroy();
    peer.resetAndDestroy();
    gone(link);
  };
  const link: ProxiedConnection = {
    tear,
    faultChanged() {
      passedSinceChange = 0;
      if (faultNow().kind === "reset" || faultNow().kind === "down") tear();
    },
  };

  /** Forwards one part of an answer under the present fault; parts keep their order. */
  async function deliver(chunk: Buffer, heardAt: number): Promise<void> {
    const fault = faultNow();
    switch (fault.kind) {
      case "timeout":
        return;
      case "latency": {
        const wanted = fault.ms + (Math.random() * 2 - 1) * (fault.jitterMs ?? 0);
        await pause(heardAt + wanted - performance.now());
        break;
      }
      case "bandwidth":
        await pause((chunk.length / fault.bytesPerSecond) * 1000);
        break;
      case "slicer":
        for (const byte of chunk) {
          client.write(Buffer.of(byte));
          await new Promise((resolve) => setImmediate(resolve));
        }
        return;
      case "cut":
        client.write(chunk.subarray(0, Math.max(0, fault.afterBytes - passedSinceChange)));
        passedSinceChange += chunk.length;
        if (passedSinceChange > fault.afterBytes) tear();
        return;
      default:
    }
    client.write(chunk);
  }

  client.on("data", (chunk: Buffer) => peer.write(chunk));
  peer.on("data", (chunk: Buffer) => {
    const heardAt = performance.now();
    answers = answers.then(() => deliver(chunk, heardAt));
  });
  client.on("end", () => peer.end());
  peer.on("end", () => {
    answers = answers.then(async () => {
      const fault = faultNow();
      if (fault.kind === "slow_close") await pause(fault.ms);
      client.end();
    });
  });
  for (const side of [client, peer]) {
    side.on("error", tear);
    side.on("close", () => {
      if (client.destroyed && peer.destroyed) gone(link);
    });
  }
  return link;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
