import { createConnection, createServer, type AddressInfo, type Socket } from "node:net";

export type RoundTripCounter = {
  port: number;
  /** How many sequential round trips to the database `work` makes (queries sent together count once), and how many statements. */
  roundsOf<T>(work: () => Promise<T>): Promise<{ rounds: number; statements: number; result: T }>;
  close(): Promise<void>;
};

/**
 * A proxy to PostgreSQL that counts round trips: while counting, answers are withheld until every query is answered and no further one is
 * sent; then all are delivered at once. A call makes as many round trips on a slow network as it takes rounds here. Caller and proxy must
 * run in one process.
 */
export async function startRoundTripCounter(target: { host: string; port: number }): Promise<RoundTripCounter> {
  const withheld: { client: Socket; answer: Buffer }[] = [];
  const sockets = new Set<Socket>();
  let isCounting = false;
  let rounds = 0;
  let statements = 0;
  /** Queries on their way to the database or being processed there. */
  let open = 0;
  let turn = 0;

  async function passOn(): Promise<void> {
    turn += 1;
    const seen = turn;
    await pause(8); // every caller is in this process and sends at once
    await pause(2);
    if (turn !== seen || open > 0 || withheld.length === 0) return;
    rounds += 1;
    for (const { client, answer } of withheld.splice(0)) client.write(answer);
  }

  const server = createServer((client) => {
    const peer = createConnection(target);
    const requests = countQueries();
    const answers = splitMessages(false);
    for (const socket of [client, peer]) {
      sockets.add(socket);
      socket.on("error", () => {
        client.destroy();
        peer.destroy();
      });
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        peer.destroy();
      });
    }
    client.on("data", (chunk: Buffer) => {
      turn += 1;
      const sent = requests(chunk);
      statements += sent;
      open += sent;
      peer.write(chunk);
      if (open === 0) void passOn();
    });
    peer.on("data", (chunk: Buffer) => {
      open -= answers(chunk).filter(({ kind, code }) => kind === "Z" || (kind === "R" && code !== 0 && code !== 12)).length;
      if (!isCounting) return void client.write(chunk);
      withheld.push({ client, answer: chunk });
      if (open === 0) void passOn();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  return {
    port: (server.address() as AddressInfo).port,
    async roundsOf(work) {
      [isCounting, rounds, statements] = [true, 0, 0];
      try {
        const result = await work();
        return { rounds, statements, result };
      } finally {
        isCounting = false;
        for (const { client, answer } of withheld.splice(0)) client.write(answer);
      }
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * Counts client messages that the server answers with ReadyForQuery or the next step of authentication: queries, syncs and session
 * messages.
 */
function countQueries(): (chunk: Buffer) => number {
  const read = splitMessages(true);
  return (chunk) => read(chunk).filter(({ kind }) => kind === "" || kind === "Q" || kind === "S" || kind === "p").length;
}

/**
 * Splits a stream into messages (PostgreSQL, "Message Formats"): a type byte and a length that includes itself; a client's first message
 * has no type. `code`: the number after the type `R`.
 */
function splitMessages(isClient: boolean): (chunk: Buffer) => { kind: string; code: number }[] {
  let rest: Buffer = Buffer.alloc(0);
  let isFirst = isClient;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const found: { kind: string; code: number }[] = [];
    for (;;) {
      const letters = isFirst ? 0 : 1;
      if (rest.length < letters + 4) return found;
      const end = letters + rest.readInt32BE(letters);
      if (rest.length < end) return found;
      const kind = isFirst ? "" : String.fromCharCode(rest[0] ?? 0);
      found.push({ kind, code: kind === "R" ? rest.readInt32BE(5) : 0 });
      rest = rest.subarray(end);
      isFirst = false;
    }
  };
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
