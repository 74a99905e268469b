import { useEffect, useRef } from "react";
import * as contract from "#contract/staff/calls.ts";
import { useStaff } from "../../session.ts";
import { usePoll } from "../../shell/activity.ts";
import { showToast } from "../../ui/toasts.tsx";
import { useRead } from "../../ui/send/use-read.ts";
import { isOutdated, newsOf } from "./news.ts";

/** How soon a colleague's change is shown. Looking at an order counts for a minute (`seeWhoLooks`). */
const lookMs = 15_000;

/**
 * The card of an order, and who else has it open. The card is read again when the order has changed, and a message says what was
 * changed; a change by the same person in another window is shown without one.
 */
export function useOrderCard(id: string) {
  const { login } = useStaff();
  const { data: card, refusal, reload } = useRead(contract.readOrderCard, { params: { id } });
  const { data: seen, reload: look } = useRead(contract.seeWhoLooks, { params: { id } });
  usePoll(() => void look(), lookMs);
  /** The answer by which the card was found outdated, and the card: one answer makes the card be read again only once. */
  const outdated = useRef<{ seen: typeof seen; card: typeof card }>({ seen: undefined, card: undefined });
  useEffect(() => {
    const last = outdated.current;
    if (!card || !seen) return;
    if (last.seen !== seen) {
      if (!isOutdated(card, seen)) return;
      outdated.current = { seen, card };
      void reload();
    } else if (last.card && last.card !== card) {
      const news = newsOf(last.card, card, login);
      outdated.current = { seen, card: undefined };
      if (news !== null) showToast(news);
    }
  }, [card, seen, reload, login]);
  return { card, refusal, reload, colleagues: seen?.others ?? [] };
}
