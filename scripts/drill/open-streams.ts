import { connect } from "node:net";

/** Bare stream clients that reconnect after the time that the server gave. */
export function openStreams(url: string, count: number) {
  const { hostname, port } = new URL(url);
  const connects = new Map<number, number>();
  const sockets = new Set<ReturnType<typeof connect>>();
  let breaks = 0;
  let isClosed = false;
  let open = 0;

  function listen(n: number, isFirst: boolean): void {
    if (isClosed) return;
    if (!isFirst) {
      const second = Math.floor(performance.now() / 1000);
      connects.set(second, (connects.get(second) ?? 0) + 1);
    }
    let retryMs = 3_000;
    let isOpen = false;
    const socket = connect(Number(port), hostname, () =>
      socket.write(`GET /api/courses/stream HTTP/1.1\r\nHost: ${hostname}:${port}\r\nCookie: uid=${`restart${n}`.padEnd(32, "x")}\r\n\r\n`),
    );
    sockets.add(socket);
    socket.on("data", (bytes: Buffer) => {
      const text = bytes.toString("latin1");
      // Behind a proxy the answer ends and the connection stays.
      if (text.endsWith("\r\n0\r\n\r\n") || text === "0\r\n\r\n") return void socket.destroy();
      const retry = /retry: (\d+)/.exec(text)?.[1];
      if (retry) retryMs = Number(retry);
      if (retry && !isOpen) {
        isOpen = true;
        open += 1;
      }
    });
    socket.on("error", () => socket.destroy());
    socket.once("close", () => {
      sockets.delete(socket);
      if (isOpen) {
        open -= 1;
        breaks += 1;
      }
      setTimeout(() => listen(n, false), retryMs).unref();
    });
  }
  for (let n = 0; n < count; n += 1) setTimeout(() => listen(n, true), n / 2).unref();
  return {
    open: () => open,
    breaks: () => breaks,
    mostConnectsPerSecond: () => Math.max(0, ...connects.values()),
    close() {
      isClosed = true;
      for (const socket of sockets) socket.destroy();
    },
  };
}
