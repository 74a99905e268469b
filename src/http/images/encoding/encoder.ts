import { fork, type ChildProcess } from "node:child_process";
import { constants, getPriority, setPriority } from "node:os";
import type { Modifiers } from "./modifiers.ts";

/** `keepsFitting`: a WebP no wider than requested is returned as it is; encoding it again would only lose quality. */
export type Job = { id: number; bytes: Buffer; modifiers: Modifiers; keepsFitting: boolean; cut: Cut | null; isUpload: boolean };
/** The square of a picture that is shown. `isRound`: only the disc in it, placed as the coins of our drawings are. */
export type Cut = { left: number; top: number; size: number; isRound: boolean };
/** `isUpload`: a photograph straight from a camera, which may have twice as many pixels. */
export type EncodeOptions = { keepsFitting?: boolean; cut?: Cut | null; isUpload?: boolean };
/** `slow`: not finished within its time, as on a busy machine; the source may be a good picture. */
export type Encoded = Buffer | "unreadable" | "slow";
export type JobAnswer = "ready" | { id: number; result: Encoded };

/** The process has a time limit of five seconds. One that has not answered by then is stuck inside a decoder and is killed. */
const encodeTimeoutMs = 7_000;
/**
 * Nice value: while pages need the processor, encoding gets a tenth of it. At the lowest priority it gets a hundredth, and a picture takes
 * three seconds.
 */
const niceValue = 10;
/** Without work the process is ended; a shop whose pictures are all cached needs none. */
const idleMs = 60_000;

type Pending = { job: Job; settle: (result: Encoded | "lost") => void; timer: NodeJS.Timeout | null };

/**
 * Encodes variants in a separate process with low priority, which is started for the first picture and ended after a minute without work. A
 * picture that crashes it is `unreadable`, one that blocks it is `slow`; other pictures in progress are encoded once more in the next
 * process.
 */
export function createEncoder({ timeoutMs = encodeTimeoutMs } = {}) {
  let child: ChildProcess | null = null;
  let isReady = false;
  let idle: NodeJS.Timeout | null = null;
  let lastId = 0;
  const pending = new Map<number, Pending>();

  function start(): ChildProcess {
    // An empty environment: a decoder that is taken over finds no credentials.
    const made = fork(new URL("./encode-process.ts", import.meta.url), [], {
      serialization: "advanced",
      env: {},
      execArgv: [],
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    stepBack(made);
    isReady = false;
    made.on("message", (message: JobAnswer) => {
      if (message === "ready") {
        isReady = true;
        for (const each of pending.values()) watch(each);
      } else {
        settle(message.id, message.result);
      }
    });
    made.on("error", () => {}); // `exit` follows, or the process never started
    made.once("exit", () => {
      if (child === made) child = null;
      for (const id of pending.keys()) settle(id, "lost");
    });
    return made;
  }

  /**
   * Set from outside and at once: on Linux each thread has its own priority. If the process set it itself, the threads that Node started
   * before, which do the work, would keep theirs.
   */
  function stepBack({ pid }: ChildProcess): void {
    try {
      if (pid !== undefined) setPriority(pid, Math.min(constants.priority.PRIORITY_LOW, getPriority() + niceValue));
    } catch {
      // Not every machine permits it; then encoding competes with pages.
    }
  }

  function watch(each: Pending): void {
    each.timer = setTimeout(() => {
      settle(each.job.id, "slow");
      child?.kill("SIGKILL");
    }, timeoutMs);
  }

  function settle(id: number, result: Encoded | "lost"): void {
    const each = pending.get(id);
    if (!each) return;
    pending.delete(id);
    if (each.timer) clearTimeout(each.timer);
    // A Buffer arrives from another process as plain bytes.
    each.settle(typeof result === "string" ? result : Buffer.from(result.buffer, result.byteOffset, result.byteLength));
    if (pending.size === 0) idle = setTimeout(() => child?.kill(), idleMs).unref();
  }

  function once(
    bytes: Buffer,
    modifiers: Modifiers,
    { keepsFitting = false, cut = null, isUpload = false }: EncodeOptions,
  ): Promise<Encoded | "lost"> {
    if (idle) clearTimeout(idle);
    child ??= start();
    const worker = child;
    const job = { id: (lastId += 1), bytes, modifiers, keepsFitting, cut, isUpload };
    return new Promise((resolve) => {
      const each: Pending = { job, settle: resolve, timer: null };
      pending.set(job.id, each);
      if (isReady) watch(each);
      worker.send(job, (error) => {
        if (error) settle(job.id, "lost");
      });
    });
  }

  return {
    async encode(bytes: Buffer, modifiers: Modifiers, options: EncodeOptions = {}): Promise<Encoded> {
      const result = await once(bytes, modifiers, options);
      if (result !== "lost") return result;
      const again = await once(bytes, modifiers, options);
      return again === "lost" ? "unreadable" : again;
    },
    close(): void {
      if (idle) clearTimeout(idle);
      child?.kill("SIGKILL");
    },
  };
}
