import { newKey } from "../../client.ts";
import { markUnsent } from "../form/unsaved.ts";

const tryAgainMs = 3_000;
/** Until the browser is online again, or for a while: a server may be away without it. */
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

export const waitsForConnection = "Нет связи. Считанное не пропало: отправим, как только связь появится";

type Answer = { ok: boolean; error?: { code: string } | null };

/**
 * Sends a change without a form, such as a scan, until the server has answered: a lost connection loses nothing. Every try has the same
 * key, so what arrived without its answer counts once. `onLost` is called after each try without an answer.
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
