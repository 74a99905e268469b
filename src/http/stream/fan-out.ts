import type { ServerResponse } from "node:http";
import type { Limits } from "#shop/settings.ts";

/** An open stream. `isBusy`: the socket has not yet taken what was written last; `quietBeats`: how many heartbeats found it so. */
type Listener = { response: ServerResponse; sentAt: number; isBusy: boolean; quietBeats: number };
export type Place = { open(response: ServerResponse, first: Buffer): void; leave(): void };

/** Threat model M2, M3: what one reader may leave unsent, and how many are written to before other work gets a turn. */
const mostUnsentBytes = 64 * 1024;
const slice = 500;
const mostQuietBeats = 3;
/** A comment for the proxies between us, and the same as an event for the page, which never hears of comments. */
export const beat = Buffer.from(":\n\nevent: beat\ndata: {}\n\n");

/**
 * Everybody who listens. A message goes to all in slices, so that it never blocks the loop; a reader whose socket is full gets the newest
 * message when it has room and nothing in between, and is dropped when it stays full. No timer and no memory per listener besides its socket's.
 */
export function createFanOut(limits: Pick<Limits, "streams" | "streamsPerVisitor" | "streamsPerAddress">) {
  const listeners = new Set<Listener>();
  const byVisitor = new Map<string, number>();
  const byAddress = new Map<string, number>();
  let taken = 0;
  let newest: { bytes: Buffer; number: number } = { bytes: Buffer.alloc(0), number: 0 };
  let isRunning = false;

  function write(listener: Listener, bytes: Buffer): void {
    listener.isBusy = true;
    listener.response.write(bytes, () => {
      listener.isBusy = false;
      listener.quietBeats = 0;
      if (listeners.has(listener)) deliver(listener);
    });
    if (listener.response.writableLength > mostUnsentBytes) listener.response.destroy();
  }

  function deliver(listener: Listener): void {
    if (listener.isBusy || listener.sentAt === newest.number) return;
    listener.sentAt = newest.number;
    write(listener, newest.bytes);
  }

  async function each(work: (listener: Listener) => void): Promise<void> {
    const all = [...listeners];
    for (let from = 0; from < all.length; from += slice) {
      for (const listener of all.slice(from, from + slice)) if (listeners.has(listener)) work(listener);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  return {
    /** A place for one more stream of this visitor, or null when the visitor, the address or the server has enough. Whoever takes one leaves it. */
    enter(visitor: string, address: string): Place | null {
      const isFull =
        taken >= limits.streams ||
        (byVisitor.get(visitor) ?? 0) >= limits.streamsPerVisitor ||
        (byAddress.get(address) ?? 0) >= limits.streamsPerAddress;
      if (isFull) return null;
      taken += 1;
      add(byVisitor, visitor, 1);
      add(byAddress, address, 1);
      let listener: Listener | null = null;
      let hasLeft = false;
      return {
        open(response, first) {
          if (hasLeft) return;
          listener = { response, sentAt: newest.number, isBusy: false, quietBeats: 0 };
          listeners.add(listener);
          write(listener, first);
        },
        leave() {
          if (hasLeft) return;
          hasLeft = true;
          taken -= 1;
          add(byVisitor, visitor, -1);
          add(byAddress, address, -1);
          if (listener) listeners.delete(listener);
        },
      };
    },

    /** Sends to all; resolves when the last one was written to. While it runs, a newer message takes the place of this one. */
    async publish(bytes: Buffer): Promise<void> {
      newest = { bytes, number: newest.number + 1 };
      if (isRunning) return;
      isRunning = true;
      try {
        for (let number = -1; number !== newest.number;) {
          number = newest.number;
          await each(deliver);
        }
      } finally {
        isRunning = false;
      }
    },

    /** A sign of life to everybody, so that proxies between us and the pages know the stream lives; and a look at those who read nothing. */
    beat: () =>
      each((listener) => {
        if (!listener.isBusy) write(listener, beat);
        else if ((listener.quietBeats += 1) >= mostQuietBeats) listener.response.destroy();
      }),

    /** Ends all streams; the sockets close with them. */
    end(): void {
      for (const { response } of listeners) response.end();
    },
    size: () => ({ listeners: listeners.size, taken, visitors: byVisitor.size }),
  };
}

function add(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
