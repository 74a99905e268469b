/**
 * The clerks of `npm run bench:office`, a process of its own at the lowest priority: their browsers are on other machines, so what they do
 * with an answer must not delay what the bench measures. Started with `fork`; gets one `ClerksWork` and reads screens until it is signalled
 * to stop, then answers with how many it has read.
 */
import { constants, setPriority } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { request } from "undici";

/** One cookie for each clerk. A clerk reads a screen, looks at it for about `pauseMs`, and goes on to the next one. */
export type ClerksWork = { url: string; cookies: string[]; screens: string[]; pauseMs: number };
export type ClerksReport = { read: number };

setPriority(constants.priority.PRIORITY_LOW);
const stop = new AbortController();
let read = 0;

async function clerk({ url, screens, pauseMs }: ClerksWork, cookie: string, first: number): Promise<void> {
  for (let n = first; !stop.signal.aborted; n += 1) {
    const path = screens[n % screens.length] ?? "";
    const answer = await request(url + path, { headers: { cookie } });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${text.slice(0, 200)}`);
    JSON.parse(text);
    read += 1;
    await pause(pauseMs * (0.5 + Math.random()), undefined, { signal: stop.signal }).catch(() => {});
  }
}

process.once("message", (work: ClerksWork) => {
  process.once("message", () => stop.abort());
  void Promise.all(work.cookies.map((cookie, n) => clerk(work, cookie, n * 3))).then(() =>
    process.send?.({ read } satisfies ClerksReport, () => process.disconnect?.()),
  );
});
