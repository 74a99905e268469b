import type { ServerResponse } from "node:http";
import type { Limits } from "#shop/settings.ts";

/** An open stream. `isBusy`: the socket has not yet accepted the last write; `quietBeats`: for how many heartbeats. */
type Listener = { response: ServerResponse; sentAt: number; isBusy: boolean; quietBeats: number };
export type StreamSlot = { open(response: ServerResponse, first: Buffer): void; leave(): void };

/** The unsent bytes of one client, which bound the memory, and the number of clients written to before other work runs. */
const maxUnsentBytes = 64 * 1024;
const clientsPerSlice = 500;
const maxMissedHeartbeats = 3;
/** A comment for proxies, and an event for the page, because pages do not receive comments. */
export const heartbeat = Buffer.from(":\n\nevent: beat\ndata: {}\n\n");

/**
 * All stream clients. A message is written in slices, so that it does not block the event loop. A client with a full socket gets only the
 * newest message when there is room, and is dropped if it stays full. A client needs no timer and no memory besides its socket.
 */
export function createFanOut(limits: Pick<Limits, "streams" | "streamsPerVisitor" | "streamsPerAddress">) {
  const listeners = new Set<Listener>();
  const byVisitor = new Map<string, number>();
  const byAddress = new Map<string, number>();
  /** Visitors and addresses whose number of streams changed since `changedCounts`. */
  const changed = new Set<string>();
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
    if (listener.response.writableLength > maxUnsentBytes) listener.response.destroy();
  }

  function deliver(listener: Listener): void {
    if (listener.isBusy || listener.sentAt === newest.number) return;
    listener.sentAt = newest.number;
    write(listener, newest.bytes);
  }

  function count(visitor: string, address: string, by: 1 | -1): void {
    add(byVisitor, visitor, by);
    add(byAddress, address, by);
    for (const key of keysOf(visitor, address)) changed.add(key);
  }

  const countsOf = (keys: Iterable<string>): Map<string, number> =>
    new Map([...keys].map((key) => [key, (isOfVisitor(key) ? byVisitor : byAddress).get(key.slice(key.indexOf(" ") + 1)) ?? 0]));

  async function each(work: (listener: Listener) => void): Promise<void> {
    const all = [...listeners];
    for (let from = 0; from < all.length; from += clientsPerSlice) {
      for (const listener of all.slice(from, from + clientsPerSlice)) if (listeners.has(listener)) work(listener);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  return {
    /** Reserves a stream; null if the visitor, the address or the server has reached its limit. The caller must release it. */
    enter(visitor: string, address: string): StreamSlot | null {
      const isFull =
        taken >= limits.streams ||
        (byVisitor.get(visitor) ?? 0) >= limits.streamsPerVisitor ||
        (byAddress.get(address) ?? 0) >= limits.streamsPerAddress;
      if (isFull) return null;
      taken += 1;
      count(visitor, address, 1);
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
          count(visitor, address, -1);
          if (listener) listeners.delete(listener);
        },
      };
    },

    /**
     * The numbers of streams that changed since the last call, by the keys under which processes share them; `all`: of every visitor and
     * address with streams, and of those that changed.
     */
    changedCounts(all: boolean): Map<string, number> {
      const keys = new Set(changed);
      if (all) for (const each of byVisitor.keys()) keys.add(`visitor ${each}`);
      if (all) for (const each of byAddress.keys()) keys.add(`address ${each}`);
      changed.clear();
      return countsOf(keys);
    },

    /** Whether the streams of a visitor and of an address are within their limits, together with those at other processes. */
    isWithinLimits: (visitor: string, address: string, elsewhere: ReadonlyMap<string, number>): boolean =>
      [...countsOf(keysOf(visitor, address))].every(
        ([key, here]) => here + (elsewhere.get(key) ?? 0) <= (isOfVisitor(key) ? limits.streamsPerVisitor : limits.streamsPerAddress),
      ),

    /** Sends to all; resolves after the last write. A newer message replaces this one while it is being sent. */
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

    /** Sends a heartbeat to all clients, so that proxies keep the connection, and drops clients that do not read. */
    beat: () =>
      each((listener) => {
        if (!listener.isBusy) write(listener, heartbeat);
        else if ((listener.quietBeats += 1) >= maxMissedHeartbeats) listener.response.destroy();
      }),

    /** Ends all streams; the sockets close with them. */
    end(): void {
      for (const { response } of listeners) response.end();
    },
    size: () => ({ listeners: listeners.size, taken, visitors: byVisitor.size }),
  };
}

const keysOf = (visitor: string, address: string): [string, string] => [`visitor ${visitor}`, `address ${address}`];
const isOfVisitor = (key: string): boolean => key.startsWith("visitor ");

function add(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
