import { callApi } from "#contract/client.ts";
import type { CoursesView, WorkView } from "#contract/rates.ts";

/** What the stream last said. `priceList` is the version of the price list that holds with these rates; null when they were asked for and not streamed. */
export type LiveRates = { courses: CoursesView; work: WorkView; priceList: number | null };

const name = "chekan.rates";
const pollEveryMs = 30_000;
const tryAgainAfterMs = 120_000;

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
  navigator.locks.request(name, { signal: ending.signal }, () => new Promise<void>((done) => {
    const close = stream((news) => {
      hear(news);
      post(news);
    });
    ending.signal.addEventListener("abort", () => {
      close();
      done();
    });
  })).catch(() => {}); // stopped before its turn came
  return () => {
    ending.abort();
    channel.close();
  };
}

/** The stream itself. The browser comes back by itself after a break; after a refusal rates are asked for until the next try. */
function stream(tell: (news: LiveRates) => void): () => void {
  let stopPolling: (() => void) | null = null;
  let again: ReturnType<typeof setTimeout> | undefined;
  let source: EventSource;
  let courses: CoursesView | null = null;
  let priceList: number | null = null;

  function open(): void {
    source = new EventSource("/api/courses/stream");
    source.addEventListener("open", () => {
      stopPolling?.();
      stopPolling = null;
    });
    source.addEventListener("courses", ({ data, lastEventId }: MessageEvent<string>) => {
      courses = JSON.parse(data) as CoursesView;
      priceList = Number(/\.(\d+)/.exec(lastEventId)?.[1] ?? 0);
    });
    source.addEventListener("work", ({ data }: MessageEvent<string>) => {
      if (courses) tell({ courses, work: JSON.parse(data) as WorkView, priceList });
    });
    source.addEventListener("error", () => {
      stopPolling ??= poll(tell);
      if (source.readyState === EventSource.CLOSED) again = setTimeout(open, tryAgainAfterMs);
    });
  }

  open();
  return () => {
    clearTimeout(again);
    stopPolling?.();
    source.close();
  };
}

function poll(tell: (news: LiveRates) => void): () => void {
  async function ask(): Promise<void> {
    if (document.visibilityState !== "visible") return;
    const [courses, work] = await Promise.all([callApi<CoursesView>("/api/courses"), callApi<WorkView>("/api/work")]);
    if (courses.ok && work.ok) tell({ courses: courses.value, work: work.value, priceList: null });
  }
  const timer = setInterval(() => void ask(), pollEveryMs);
  return () => clearInterval(timer);
}
