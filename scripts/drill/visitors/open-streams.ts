import { connect } from "node:net";

/**
 * Bare stream clients that reconnect after the time that the server gave. A stream is open from its first event until it breaks, and has a
 * gap from then to the first event of the next connection that has one.
 */
export function openStreams(url: string, count: number, now: () => number = () => performance.now()) {
  const { hostname, port } = new URL(url);
  const connects = new Map<number, number>();
  const sockets = new Set<ReturnType<typeof connect>>();
  /** When each stream broke that is not open again. */
  const brokenAt = new Map<number, number>();
  let breaks = 0;
  let longestGapMs = 0;
  let isClosed = false;
  let open = 0;

  function listen(n: number, isFirst: boolean): void {
    if (isClosed) return;
    if (!isFirst) {
      const second = Math.floor(now() / 1000);
      connects.set(second, (connects.get(second) ?? 0) + 1);
    }
    let retryMs = 3_000;
    let isOpen = false;
    let head = "";
    const socket = connect(Number(port), hostname, () =>
      socket.write(`GET /api/courses/stream HTTP/1.1\r\nHost: ${hostname}:${port}\r\nCookie: uid=${`restart${n}`.padEnd(32, "x")}\r\n\r\n`),
    );
    sockets.add(socket);
    socket.on("data", (bytes: Buffer) => {
      const text = bytes.toString("latin1");
      // Behind a proxy the answer ends and the connection stays.
      if (text.endsWith("\r\n0\r\n\r\n") || text === "0\r\n\r\n") return void socket.destroy();
      if (isOpen) return;
      head += text;
      const retry = /retry: (\d+)\n/.exec(head)?.[1];
      if (retry) retryMs = Number(retry);
      if (!retry || !/^event: /m.test(head)) return;
      isOpen = true;
      open += 1;
      longestGapMs = Math.max(longestGapMs, now() - (brokenAt.get(n) ?? now()));
      brokenAt.delete(n);
    });
    socket.on("error", () => socket.destroy());
    socket.once("close", () => {
      sockets.delete(socket);
      if (isOpen && !isClosed) {
        open -= 1;
        breaks += 1;
        brokenAt.set(n, now());
      }
      setTimeout(() => listen(n, false), retryMs).unref();
    });
  }
  for (let n = 0; n < count; n += 1) setTimeout(() => listen(n, true), n / 2).unref();
  const longestGap = (): number => Math.max(longestGapMs, ...[...brokenAt.values()].map((at) => now() - at));
  return {
    open: () => open,
    breaks: () => breaks,
    /** Of all streams, also of those that are not open again. */
    longestGapMs: longestGap,
    /** All streams must be open, and none may have been broken for longer. */
    faults: (maxGapMs: number): string[] => [
      ...(open < count ? [`${count - open} of ${count} streams are not open at the end`] : []),
      ...(longestGap() > maxGapMs
        ? [`a stream was broken for ${(longestGap() / 1000).toFixed(1)} s, at most ${maxGapMs / 1000} s are permitted`]
        : []),
    ],
    maxConnectsPerSecond: () => Math.max(0, ...connects.values()),
    close() {
      isClosed = true;
      for (const socket of sockets) socket.destroy();
    },
  };
}
