import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import { createJobThread } from "#kit/concurrency/job-thread.ts";
import { brotliOptions } from "./brotli-options.ts";
import type { CompressJob } from "./compress-thread.ts";

/** Larger bodies, such as a site map, would make pages behind them wait. */
const maxBytesInThread = 600_000;

/**
 * One thread for all pages. Node's own asynchronous compression holds on to its input and its last chunk until V8 collects the whole heap:
 * 270 KB for each page, so that the heap was collected every 200 pages (Node 26.10). The heap of this thread is small.
 */
const thread = createJobThread(new URL("./compress-thread.ts", import.meta.url), { idleMs: 300_000, megabytes: 64 });

const compressAsync = promisify(brotliCompress);

/**
 * Compresses a page with Brotli, into memory of its own size. The body is handed over to the thread: the caller cannot read it afterwards.
 * Throws `ThreadFailed`, if the thread ends.
 */
export async function compressPage(body: Buffer, quality: number): Promise<Buffer> {
  if (body.length > maxBytesInThread) return ofItsOwnSize(await compressAsync(body, brotliOptions(body.length, quality)));
  // A small buffer is a part of memory that it shares with others, and is copied.
  const isWhole = body.buffer instanceof ArrayBuffer && body.length === body.buffer.byteLength;
  const transfer = isWhole ? [body.buffer as ArrayBuffer] : [];
  const { buffer, byteOffset, length } = await thread.run<Uint8Array<ArrayBuffer>>({ body, quality } satisfies CompressJob, transfer);
  return Buffer.from(buffer, byteOffset, length);
}

/** The result of a compression is a part of the memory for a whole chunk (64 KB), which would be kept with it. */
function ofItsOwnSize(bytes: Buffer): Buffer {
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}
