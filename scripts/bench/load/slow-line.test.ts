import { connect, createServer, type AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { openSlowLine } from "./slow-line.ts";

/** 200 KB in which each four bytes are different ones. */
const body = Buffer.from(Uint32Array.from({ length: 50_000 }, (_, index) => index).buffer);

function receive(port: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    const client = connect(port, "127.0.0.1", () => client.write("request"));
    client.on("data", (part: Buffer) => parts.push(part));
    client.on("end", () => resolve(Buffer.concat(parts)));
    client.on("error", reject);
  });
}

test("all bytes of an answer arrive in order, also when the process is busy and the server closes the connection", async () => {
  const server = createServer((socket) => socket.once("data", () => socket.end(body)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const line = await openSlowLine((server.address() as AddressInfo).port, { roundTripMs: 20, bytesPerSecond: 4_000_000 });
  let turn = 0;
  const busy = setInterval(() => {
    const until = performance.now() + 5 * (turn++ % 7);
    while (performance.now() < until);
  }, 3);
  try {
    expect((await receive(line.port)).equals(body)).toBe(true);
  } finally {
    clearInterval(busy);
    line.close();
    server.close();
  }
});
