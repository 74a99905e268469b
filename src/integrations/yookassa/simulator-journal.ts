import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";

/** The state of the simulated YooKassa: payments, refunds and the answers given under idempotence keys. */
const storedPayment = z.object({
  id: z.string(),
  status: z.enum(["pending", "waiting_for_capture", "succeeded", "canceled"]),
  amountKopecks: z.number().int(),
  refundedKopecks: z.number().int(),
  currency: z.string(),
  description: z.string(),
  metadata: z.record(z.string(), z.string()),
  capture: z.boolean(),
  method: z.string().nullable(),
  returnUrl: z.string(),
  createdAt: z.string(),
  capturedAt: z.string().nullable(),
  cancellation: z.object({ party: z.string(), reason: z.string() }).nullable(),
  receipt: z.unknown(),
});

export type StoredPayment = z.infer<typeof storedPayment>;

const storedRefund = z.object({
  id: z.string(),
  paymentId: z.string(),
  status: z.enum(["pending", "succeeded", "canceled"]),
  amountKopecks: z.number().int(),
  createdAt: z.string(),
  receipt: z.unknown(),
  metadata: z.record(z.string(), z.string()).default({}),
});

export type SimulatedRefund = z.infer<typeof storedRefund>;

const storedReceipt = z.object({
  id: z.string(),
  type: z.enum(["payment", "refund"]),
  status: z.enum(["pending", "succeeded", "canceled"]),
  paymentId: z.string(),
  refundId: z.string().nullable(),
  items: z.unknown(),
  settlements: z.array(z.object({ type: z.string(), amount: z.object({ value: z.string(), currency: z.string() }) })),
  number: z.number().int(),
  createdAt: z.string(),
});

export type SimulatedReceipt = z.infer<typeof storedReceipt>;

const storedAnswer = z.object({ key: z.string(), fingerprint: z.string(), answer: z.string(), at: z.string() });
export type StoredAnswer = z.infer<typeof storedAnswer>;

const line = z.union([
  z.object({ payment: storedPayment }),
  z.object({ refund: storedRefund }),
  z.object({ receipt: storedReceipt }),
  z.object({ answer: storedAnswer }),
]);

type Line = z.infer<typeof line>;

/** One JSON line per change: an append survives `kill -9`, and a truncated last line is ignored when the file is read. */
export function openJournal(path: string | undefined, replay: (line: Line) => void) {
  if (path === undefined) return { append: () => {}, compact: () => {} };
  mkdirSync(dirname(path), { recursive: true });
  if (existsSync(path)) {
    for (const text of readFileSync(path, "utf8").split("\n")) {
      const read = line.safeParse(jsonOrNull(text));
      if (read.success) replay(read.data);
    }
  }
  return {
    append: (each: Line) => appendFileSync(path, `${JSON.stringify(each)}\n`),
    /** Rewrites the file atomically with the current state. */
    compact(lines: () => Line[]) {
      writeFileSync(
        `${path}.new`,
        lines()
          .map((each) => `${JSON.stringify(each)}\n`)
          .join(""),
      );
      renameSync(`${path}.new`, path);
    },
  };
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
