import type { LabelState } from "#shop/delivery/labels/label.ts";
import { labelEndText, unknownLabelText } from "./words.ts";

/**
 * For so long after a press the window requests its file. Each call counts as use of the session, so a window that polled without an end
 * would keep the session of an empty desk open.
 */
const watchMs = 2 * 60_000;
const pollMs = 1_500;

type Answer =
  | { ok: true; value: { state: LabelState; fault: string | null } }
  | { ok: false; error: { code: string; message: string } | null };
/** What the window came to: the file is there, it will not come, or it may come later. */
export type LabelOutcome = { kind: "ready" } | { kind: "over" | "late"; text: string };

const lateText = "СДЭК ещё не прислал файл. Он готовится и без этого окна: подождите минуту и попробуйте ещё раз.";

/**
 * Asks for a file of labels until it is ready, will not come, or the time of the window is over; null: stopped. `onTrouble` gets what is in
 * the way meanwhile, empty when nothing is.
 */
export async function watchLabel(
  read: () => Promise<Answer>,
  {
    stop,
    onTrouble,
    now = Date.now,
    wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  }: { stop: AbortSignal; onTrouble: (text: string) => void; now?: () => number; wait?: (ms: number) => Promise<unknown> },
): Promise<LabelOutcome | null> {
  const endsAt = now() + watchMs;
  for (;;) {
    const answer = await read();
    if (stop.aborted) return null;
    if (answer.ok && answer.value.state === "ready") return { kind: "ready" };
    const isUnknown = !answer.ok && answer.error?.code === "staff.not_found";
    const end = answer.ok ? labelEndText(answer.value) : isUnknown ? unknownLabelText : null;
    if (end !== null) return { kind: "over", text: end };
    const trouble = answer.ok ? "" : (answer.error?.message ?? "");
    onTrouble(trouble);
    await wait(pollMs);
    if (stop.aborted) return null;
    if (now() >= endsAt) return { kind: "late", text: trouble || lateText };
  }
}
