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
parentPort?.postMessage(read());
