import { brotliCompressSync } from "node:zlib";
import { answerJobs } from "#kit/concurrency/job-thread.ts";
import { brotliOptions } from "./brotli-options.ts";

export type CompressJob = { body: Uint8Array; quality: number };

// The result has memory of its own size: what is sent of a buffer is its whole memory.
answerJobs<CompressJob>(async ({ body, quality }) => new Uint8Array(brotliCompressSync(body, brotliOptions(body.length, quality))), {
  isUrgent: true,
});
