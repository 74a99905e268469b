import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** The line of Lighthouse's mobile profile, «slow 4G» (lighthouse, core/config/constants.js, `mobileSlow4G`). */
const slow4g = { roundTripMs: 150, bytesPerSecond: (1.6 * 1024 * 1024) / 8 };

/** How many bytes a server may send on a new connection before the first acknowledgement: ten segments (RFC 6928). */
const initialWindow = 10 * 1_460;

/**
 * A function that passes bytes on after a delay, in the order of its calls. A timer does not carry the bytes itself: in a busy process
 * timers of different delays may fire in another order than they are due.
 */
function inOrder(write: (bytes: Buffer) => unknown): (bytes: Buffer, delayMs: number) => void {
  const sent: Buffer[] = [];
  const passNext = (): void => {
    const next = sent.shift();
    if (next) write(next);
  };
  return (bytes, delayMs) => {
    sent.push(bytes);
    setTimeout(passNext, delayMs);
  };
}

/**
 * A proxy on loopback that delays and limits what goes through it, as one slow line that all connections share: a round trip to open a
 * connection, half of one for what is sent in each direction, TCP's slow start towards the client, and a common limit of bytes per second.
 * Losses are not simulated.
 */
export async function openSlowLine(targetPort: number, { roundTripMs, bytesPerSecond } = slow4g): Promise<{ port: number; close(): void }> {
  const halfMs = roundTripMs / 2;
  const sockets = new Set<Socket>();
  /** When the line has sent everything that was given to it so far, in milliseconds. */
  let freeAt = 0;

  function forward(client: Socket): void {
    sockets.add(client);
    const server = connect(targetPort, "127.0.0.1");
    for (const socket of [client, server]) socket.setNoDelay(true).on("error", () => socket.destroy());
    client.on("close", () => {
      sockets.delete(client);
      server.destroy();
    });
    // The client's handshake on loopback takes no time, so its first bytes wait for that round trip as well.
    const openAt = performance.now() + roundTripMs;
    // A request on a connection that the server has closed meanwhile gets no answer, so the browser sends it again on another one.
    const toServer = inOrder((bytes) => (server.writable ? server.write(bytes) : client.destroy()));
    client.on("data", (bytes: Buffer) => toServer(bytes, Math.max(0, openAt - performance.now()) + halfMs));

    let window = initialWindow;
    let inFlight = 0;
    const waiting: Buffer[] = [];
    const toClient = inOrder((bytes) => client.write(bytes));
    const endWhenEmpty = (): unknown => server.readableEnded && waiting.length === 0 && inFlight === 0 && client.end();
    function send(): void {
      for (let next = waiting[0]; next !== undefined && inFlight < window; next = waiting[0]) {
        const part = next.subarray(0, Math.min(1_460, window - inFlight));
        if (part.length === next.length) waiting.shift();
        else waiting[0] = next.subarray(part.length);
        inFlight += part.length;
        freeAt = Math.max(freeAt, performance.now()) + (part.length / bytesPerSecond) * 1_000;
        const arrivesIn = freeAt - performance.now() + halfMs;
        toClient(part, arrivesIn);
        setTimeout(() => {
          inFlight -= part.length;
          window += part.length;
          send();
          endWhenEmpty();
        }, arrivesIn + halfMs);
      }
    }
    server.on("end", endWhenEmpty);
    server.on("data", (bytes: Buffer) => {
      waiting.push(bytes);
      send();
    });
  }

  const proxy = createServer(forward);
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const { port } = proxy.address() as AddressInfo;
  return {
    port,
    close() {
      proxy.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
