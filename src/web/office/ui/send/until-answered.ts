import { newKey } from "../../client.ts";
import { markUnsent } from "../form/unsaved.ts";

const tryAgainMs = 3_000;
/** Resolves when the browser is online again, or after `tryAgainMs`: the server may be down while the browser is online. */
const untilOnline = (): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener("online", done);
      resolve();
    };
    const timer = setTimeout(done, tryAgainMs);
    addEventListener("online", done);
  });

/** The message of a scanner's screen while the connection is lost. */
export const waitsForConnection = "Нет связи. Считанное не пропало: отправим, как только связь появится";

export type Answer = { ok: boolean; error?: { code: string } | null };

/**
 * Sends a change without a form, such as a scan, and repeats it until the server answers. All attempts have the same `Idempotency-Key`, so
 * that a change whose answer was lost is executed once. `onLost` is called after each attempt without an answer.
 */
export async function untilAnswered<A extends Answer>(
  send: (key: string) => Promise<A>,
  { onLost, wait = untilOnline, mark = markUnsent }: { onLost: () => void; wait?: () => Promise<void>; mark?: () => () => void },
): Promise<A> {
  const key = newKey();
  const arrived = mark();
  try {
    for (;;) {
      const answer = await send(key);
      if (answer.ok || answer.error?.code !== "network.failed") return answer;
      onLost();
      await wait();
    }
  } finally {
    arrived();
  }
}
