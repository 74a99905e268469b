import { parentPort, workerData } from "node:worker_threads";
import { done, fail } from "#kit/result.ts";
import { readFile, UnreadableFile } from "./wire.ts";

/** Reads one file and ends. */
function read() {
  try {
    return done(readFile(workerData as Uint8Array));
  } catch (error) {
    if (error instanceof UnreadableFile) return fail({ code: "accounting.unreadable" as const, why: error.message });
    throw error;
  }
}
// oxlint-disable-next-line require-post-message-target-origin -- a port of a thread has no origin
parentPort?.postMessage(read());
