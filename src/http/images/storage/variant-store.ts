import type { ObjectStorage } from "#kit/network/object-storage.ts";
import { createDiskCache } from "./disk-cache.ts";
import { kindOfPicture } from "../encoding/kind-of-picture.ts";

/**
 * Encoded variants by the hash of what they are: in a folder, and in a storage that all machines share if there is one. What another
 * machine has encoded is taken from there and written to the folder. A storage that fails costs an encoding, never a picture.
 */
export function createVariantStore({
  shared,
  ...folder
}: {
  folder: string;
  maxBytes: number;
  now: () => Date;
  shared: ObjectStorage | null;
}) {
  const disk = createDiskCache(folder);
  const sending = new Set<Promise<void>>();

  /** What the shared storage has, if its bytes are a picture; they are served to browsers as one. */
  const fetchShared = async (name: string): Promise<Buffer | null> => {
    const bytes = await shared?.get(name).catch(() => null);
    return bytes && kindOfPicture(bytes) !== null ? bytes : null;
  };

  return {
    async read(name: string): Promise<Buffer | null> {
      const cached = await disk.read(name);
      if (cached) return cached;
      const fetched = await fetchShared(name);
      if (fetched) await disk.put(name, fetched);
      return fetched;
    },
    /** Resolves when the variant is in the folder; it is sent to the shared storage meanwhile. */
    async put(name: string, bytes: Buffer): Promise<void> {
      const sent = shared?.put(name, bytes, `image/${kindOfPicture(bytes) ?? "webp"}`).catch(() => {}); // the next machine encodes it again
      if (sent) {
        sending.add(sent);
        void sent.finally(() => sending.delete(sent));
      }
      await disk.put(name, bytes);
    },
    used: disk.used,
    async close(): Promise<void> {
      await Promise.all(sending);
      await shared?.close();
    },
  };
}
