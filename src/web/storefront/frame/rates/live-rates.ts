import * as contract from "#contract/calls.ts";
import { callApi, firstAnswer } from "#contract/client.ts";
import type { CoursesView, WorkView } from "#contract/public/rates.ts";

/** The newest rates. `priceList` is the version of the price list that belongs to them; null when they were polled and not streamed. */
export type LiveRates = { courses: CoursesView; work: WorkView; priceList: number | null };

const name = "chekan.rates";
const pollEveryMs = 30_000;
const firstPollWithinMs = 8_000;
const retryAfterMs = 120_000;
/**
 * The stream sends a message on opening and then a heartbeat every 20 s. Silence for longer means that a proxy buffers it or the
 * connection is gone.
 */
const firstMessageWithinMs = 10_000;
const nextMessageWithinMs = 50_000;

/**
 * Follows the rates while the page is open. One tab per browser (the one with the lock) holds the stream and forwards it to the other
 * tabs. Without stream, lock or channel it polls every 30 s. Returns a function that stops. A page in the back-forward cache stops and
 * continues when it is restored.
 */
export function followRates(onRates: (rates: LiveRates) => void): () => void {
  let stop = start(onRates);
  const pause = (): void => stop();
  const resume = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) stop = start(onRates);
  };
  window.addEventListener("pagehide", pause);
  window.addEventListener("pageshow", resume);
  return () => {
    window.removeEventListener("pagehide", pause);
    window.removeEventListener("pageshow", resume);
    stop();
  };
}

function start(onRates: (rates: LiveRates) => void): () => void {
  if (!("EventSource" in window) || !("BroadcastChannel" in window) || !("locks" in navigator)) return poll(onRates);
  const channel = new BroadcastChannel(name);
  const ending = new AbortController();
  let newest: LiveRates | null = null;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin by nature and takes none
  const post = (message: LiveRates | "what is new?"): void => channel.postMessage(message);
  const receive = (rates: LiveRates): void => {
    newest = rates;
    onRates(rates);
  };
  channel.addEventListener("message", ({ data }: MessageEvent<LiveRates | "what is new?">) => {
    if (data !== "what is new?") receive(data);
    else if (newest !== null) post(newest);
  });
  post("what is new?");
  navigator.locks
    .request(name, { signal: ending.signal }, async () => {
      await firstAnswer();
      if (ending.signal.aborted) return;
      await new Promise<void>((done) => {
        const close = stream((rates) => {
          receive(rates);
          post(rates);
        });
        ending.signal.addEventListener("abort", () => {
          close();
          done();
        });
      });
    })
    .catch(() => {}); // stopped before it got the lock
  return () => {
    ending.abort();
    channel.close();
  };
}

/**
 * The stream itself. The browser reconnects after a break. While the stream is refused, broken or silent (a buffering proxy, a changed
 * network), it polls until the next try.
 */
function stream(onRates: (rates: LiveRates) => void): () => void {
  let stopPolling: (() => void) | null = null;
  let again: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let source: EventSource;
  let courses: CoursesView | null = null;
  let priceList: number | null = null;

  function open(): void {
    source = new EventSource("/api/courses/stream");
    let hasReceived = false;
    const onSilence = (): void => {
      source.close();
      stopPolling ??= poll(onRates);
      again = setTimeout(open, hasReceived ? Math.random() * firstMessageWithinMs : retryAfterMs);
    };
    const receive = (): void => {
      hasReceived = true;
      stopPolling?.();
      stopPolling = null;
      clearTimeout(silence);
      silence = setTimeout(onSilence, nextMessageWithinMs);
    };
    const onOpen = (): void => {
      clearTimeout(silence);
      silence = setTimeout(onSilence, firstMessageWithinMs);
    };
    onOpen();
    source.addEventListener("open", onOpen);
    source.addEventListener("beat", receive);
    source.addEventListener("courses", ({ data, lastEventId }: MessageEvent<string>) => {
      receive();
      courses = JSON.parse(data) as CoursesView;
      priceList = Number(/\.(\d+)/.exec(lastEventId)?.[1] ?? 0);
    });
    source.addEventListener("work", ({ data }: MessageEvent<string>) => {
      if (courses) onRates({ courses, work: JSON.parse(data) as WorkView, priceList });
    });
    source.addEventListener("error", () => {
      clearTimeout(silence);
      stopPolling ??= poll(onRates);
      if (source.readyState === EventSource.CLOSED) again = setTimeout(open, retryAfterMs);
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
 * Polls after a short random delay (a broken stream breaks for all visitors at once), then every 30 s and when the page becomes visible. A
 * hidden page polls at a quarter of that rate, because a visible tab may depend on it.
 */
function poll(onRates: (rates: LiveRates) => void): () => void {
  let turn = 0;
  async function refresh(): Promise<void> {
    const [courses, work] = await Promise.all([callApi(contract.readCourses), callApi(contract.readWork)]);
    if (courses.ok && work.ok) onRates({ courses: courses.value, work: work.value, priceList: null });
  }
  const isSeen = (): boolean => document.visibilityState === "visible";
  const first = setTimeout(() => void refresh(), Math.random() * firstPollWithinMs);
  const timer = setInterval(() => {
    turn += 1;
    if (isSeen() || turn % 4 === 0) void refresh();
  }, pollEveryMs);
  const onVisible = (): void => {
    if (isSeen()) void refresh();
  };
  document.addEventListener("visibilitychange", onVisible);
  return () => {
    clearTimeout(first);
    clearInterval(timer);
    document.removeEventListener("visibilitychange", onVisible);
  };
}
