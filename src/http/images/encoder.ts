import { fork, type ChildProcess } from "node:child_process";
import { constants, getPriority, setPriority } from "node:os";
import { join } from "node:path";
import type { Modifiers } from "./modifiers.ts";

/** `keepsFitting`: a WebP no wider than asked for is its own best variant; encoding it again would only cost quality. */
export type Job = { id: number; bytes: Buffer; modifiers: Modifiers; keepsFitting: boolean };
export type JobAnswer = "ready" | { id: number; result: Buffer | "unreadable" };

/** The process has five seconds of its own to give up; one that is still silent then is stuck inside a decoder. */
const patienceMs = 7_000;
/** So much less pressing than pages: a tenth of a processor that these want whole. At the lowest priority it is a hundredth, and a picture takes three seconds. */
const stepsBack = 10;
/** A shop whose pictures are all made needs no process to make them. */
const idleMs = 60_000;

type Pending = { job: Job; settle: (result: Buffer | "unreadable" | "lost") => void; timer: NodeJS.Timeout | null };

/**
 * Makes variants in a process of its own that steps back for whoever serves pages, started at the first and let go a minute after the last.
 * A picture that breaks or blocks it is answered `unreadable`; what it was working on beside that is done once more in the next process.
 */
export function createEncoder() {
  let child: ChildProcess | null = null;
  let isReady = false;
  let idle: NodeJS.Timeout | null = null;
  let lastId = 0;
  const pending = new Map<number, Pending>();

  function start(): ChildProcess {
    // Nothing of the shop's environment: a decoder that is taken over finds no credentials.
    const made = fork(join(import.meta.dirname, "encode-process.ts"), [], {
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
    made.on("error", () => {}); // `exit` follows, or the process never began
    made.once("exit", () => {
      if (child === made) child = null;
      for (const id of pending.keys()) settle(id, "lost");
    });
    return made;
  }

  /**
   * From outside and at once: on Linux a priority is a thread's own, and what the process sets for itself when its code runs
   * comes too late for the threads that Node started before that, which do the work.
   */
  function stepBack({ pid }: ChildProcess): void {
    try {
      if (pid !== undefined) setPriority(pid, Math.min(constants.priority.PRIORITY_LOW, getPriority() + stepsBack));
    } catch {
      // Not every machine lets a process step back; then pictures compete like anybody else.
    }
  }

  function watch(each: Pending): void {
    each.timer = setTimeout(() => {
      settle(each.job.id, "unreadable");
      child?.kill("SIGKILL");
    }, patienceMs);
  }

  function settle(id: number, result: Buffer | "unreadable" | "lost"): void {
    const each = pending.get(id);
    if (!each) return;
    pending.delete(id);
    if (each.timer) clearTimeout(each.timer);
    // Across processes a Buffer arrives as plain bytes.
    each.settle(typeof result === "string" ? result : Buffer.from(result.buffer, result.byteOffset, result.byteLength));
    if (pending.size === 0) idle = setTimeout(() => child?.kill(), idleMs).unref();
  }

  function once(bytes: Buffer, modifiers: Modifiers, keepsFitting: boolean): Promise<Buffer | "unreadable" | "lost"> {
    if (idle) clearTimeout(idle);
    child ??= start();
    const worker = child;
    const job = { id: (lastId += 1), bytes, modifiers, keepsFitting };
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
    async encode(bytes: Buffer, modifiers: Modifiers, keepsFitting: boolean): Promise<Buffer | "unreadable"> {
      const result = await once(bytes, modifiers, keepsFitting);
      if (result !== "lost") return result;
      const again = await once(bytes, modifiers, keepsFitting);
      return again === "lost" ? "unreadable" : again;
    },
    close(): void {
      if (idle) clearTimeout(idle);
      child?.kill("SIGKILL");
    },
  };
}
