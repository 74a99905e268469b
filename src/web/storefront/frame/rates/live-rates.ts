import * as contract from "#contract/calls.ts";
import { callApi } from "#contract/client.ts";
import type { CoursesView, WorkView } from "#contract/rates.ts";

/** What the stream last said. `priceList` is the version of the price list that holds with these rates; null when they were asked for and not streamed. */
export type LiveRates = { courses: CoursesView; work: WorkView; priceList: number | null };

const name = "chekan.rates";
const pollEveryMs = 30_000;
const firstAskWithinMs = 8_000;
const tryAgainAfterMs = 120_000;
/** A stream speaks as soon as it is opened, and then beats every 20 s: one that says nothing for longer is held up by something between us, or gone. */
const firstWordWithinMs = 10_000;
const nextWordWithinMs = 50_000;

/**
 * Follows the rates while the page stands open: one stream per browser, held by the tab that has the lock and told to the others;
 * where that cannot be, they are asked for each half minute. Returns how to stop. A page put aside stops by itself and goes on when it is back.
 */
export function followRates(tell: (news: LiveRates) => void): () => void {
  let stop = start(tell);
  const pause = (): void => stop();
  const goOn = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) stop = start(tell);
  };
  window.addEventListener("pagehide", pause);
  window.addEventListener("pageshow", goOn);
  return () => {
    window.removeEventListener("pagehide", pause);
    window.removeEventListener("pageshow", goOn);
    stop();
  };
}

function start(tell: (news: LiveRates) => void): () => void {
  if (!("EventSource" in window) || !("BroadcastChannel" in window) || !("locks" in navigator)) return poll(tell);
  const channel = new BroadcastChannel(name);
  const ending = new AbortController();
  let newest: LiveRates | null = null;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin by nature and takes none
  const post = (message: LiveRates | "what is new?"): void => channel.postMessage(message);
  const hear = (news: LiveRates): void => {
    newest = news;
    tell(news);
  };
  channel.addEventListener("message", ({ data }: MessageEvent<LiveRates | "what is new?">) => {
    if (data !== "what is new?") hear(data);
    else if (newest !== null) post(newest);
  });
  post("what is new?");
  navigator.locks
    .request(
      name,
      { signal: ending.signal },
      () =>
        new Promise<void>((done) => {
          const close = stream((news) => {
            hear(news);
            post(news);
          });
          ending.signal.addEventListener("abort", () => {
            close();
            done();
          });
        }),
    )
    .catch(() => {}); // stopped before its turn came
  return () => {
    ending.abort();
    channel.close();
  };
}

/**
 * The stream itself. The browser comes back by itself after a break; while the stream is refused, broken or says nothing at all
 * (a proxy that holds it back, a network that changed under us), rates are asked for until the next try.
 */
function stream(tell: (news: LiveRates) => void): () => void {
  let stopPolling: (() => void) | null = null;
  let again: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let source: EventSource;
  let courses: CoursesView | null = null;
  let priceList: number | null = null;

  function open(): void {
    source = new EventSource("/api/courses/stream");
    let hasSpoken = false;
    const fallSilent = (): void => {
      source.close();
      stopPolling ??= poll(tell);
      again = setTimeout(open, hasSpoken ? Math.random() * firstWordWithinMs : tryAgainAfterMs);
    };
    const hear = (): void => {
      hasSpoken = true;
      stopPolling?.();
      stopPolling = null;
      clearTimeout(silence);
      silence = setTimeout(fallSilent, nextWordWithinMs);
    };
    const awaitWord = (): void => {
      clearTimeout(silence);
      silence = setTimeout(fallSilent, firstWordWithinMs);
    };
    awaitWord();
    source.addEventListener("open", awaitWord);
    source.addEventListener("beat", hear);
    source.addEventListener("courses", ({ data, lastEventId }: MessageEvent<string>) => {
      hear();
      courses = JSON.parse(data) as CoursesView;
      priceList = Number(/\.(\d+)/.exec(lastEventId)?.[1] ?? 0);
    });
    source.addEventListener("work", ({ data }: MessageEvent<string>) => {
      if (courses) tell({ courses, work: JSON.parse(data) as WorkView, priceList });
    });
    source.addEventListener("error", () => {
      clearTimeout(silence);
      stopPolling ??= poll(tell);
      if (source.readyState === EventSource.CLOSED) again = setTimeout(open, tryAgainAfterMs);
    });
  }

  open();
  return () => {
    clearTimeout(again);
    clearTimeout(silence);
    stopPolling?.();
    source.close();
  };
}

/**
 * Asks soon (not at once: a stream that broke broke for everybody), each half minute, and when the page is looked at again; out of sight
 * four times as seldom, since a tab in sight may be waiting for what this one hears.
 */
function poll(tell: (news: LiveRates) => void): () => void {
  let turn = 0;
  async function ask(): Promise<void> {
    const [courses, work] = await Promise.all([callApi(contract.readCourses), callApi(contract.readWork)]);
    if (courses.ok && work.ok) tell({ courses: courses.value, work: work.value, priceList: null });
  }
  const isSeen = (): boolean => document.visibilityState === "visible";
  const first = setTimeout(() => void ask(), Math.random() * firstAskWithinMs);
  const timer = setInterval(() => {
    turn += 1;
    if (isSeen() || turn % 4 === 0) void ask();
  }, pollEveryMs);
  const look = (): void => {
    if (isSeen()) void ask();
  };
  document.addEventListener("visibilitychange", look);
  return () => {
    clearTimeout(first);
    clearInterval(timer);
    document.removeEventListener("visibilitychange", look);
  };
}
