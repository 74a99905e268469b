import type { AreaCount } from "./counts.ts";

/** The last rank of `waitingGroups` that is to be done today; what can wait a week (low stock) is listed on the screen only. */
const lastRankOfToday = 2;

/** The number beside «Ждёт»: what has to be done today, also the urgent, which makes it red. */
export function waitingCount(groups: readonly { rank: number; count: number }[]): AreaCount {
  const today = groups.filter(({ rank }) => rank <= lastRankOfToday);
  const count = today.reduce((sum, each) => sum + each.count, 0);
  return { text: count > 1_000 ? "1 000+" : `${count}`, isTrouble: today.some(({ rank }) => rank === 1) };
}
