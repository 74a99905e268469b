import { createConnection, createServer, type AddressInfo } from "node:net";

export type StatementCounter = {
  url: string;
  /** Statements since the last call of `take`, by their text without numbers of parameters; the most frequent first. */
  take(): { total: number; texts: [text: string, times: number][] };
  stop(): Promise<void>;
};

/** A TCP proxy before PostgreSQL that counts statements: a query of the simple protocol, or an execution of the extended one. */
export async function startStatementCounter(server: string): Promise<StatementCounter> {
  const target = new URL(server);
  let total = 0;
  const texts = new Map<string, number>();
  const count = (text: string): void => {
    total += 1;
    const short = text.replaceAll(/\s+/g, " ").trim().slice(0, 160);
    texts.set(short, (texts.get(short) ?? 0) + 1);
  };
  const sockets = new Set<{ destroy(): unknown }>();
  const proxy = createServer((client) => {
    const peer = createConnection(Number(target.port), target.hostname);
    for (const side of [client, peer]) {
      sockets.add(side);
      side.on("error", () => {});
      side.on("close", () => {
        sockets.delete(side);
        client.destroy();
        peer.destroy();
      });
    }
    peer.pipe(client);
    const read = readMessages(count);
    client.on("data", (chunk: Buffer) => {
      read(chunk);
      peer.write(chunk);
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const url = new URL(server);
  url.port = String((proxy.address() as AddressInfo).port);
  return {
    url: url.href,
    take() {
      const taken = { total, texts: [...texts].toSorted(([, a], [, b]) => b - a) };
      total = 0;
      texts.clear();
      return taken;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

/** Reads what a client sends (PostgreSQL, "Message Formats"): one message without a type first, then type, length and body. */
function readMessages(count: (text: string) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  let hasStarted = false;
  let prepared = "";
  const named = new Map<string, string>();
  const textAt = (body: Buffer, from: number): string => body.toString("utf8", from, body.indexOf(0, from));
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const head = hasStarted ? 1 : 0;
      if (rest.length < head + 4) return;
      const length = head + rest.readInt32BE(head);
      if (rest.length < length) return;
      const [type, body] = [hasStarted ? String.fromCharCode(rest[0] ?? 0) : "", rest.subarray(head + 4, length)];
      hasStarted = true;
      rest = rest.subarray(length);
      if (type === "Q") count(textAt(body, 0));
      if (type === "P") {
        const name = textAt(body, 0);
        named.set(name, textAt(body, Buffer.byteLength(name) + 1));
      }
      if (type === "B") prepared = textAt(body, body.indexOf(0) + 1);
      if (type === "E") count(named.get(prepared) ?? "?");
    }
  };
}
