import { useEffect, useState } from "react";
import { useMatches, useRevalidator } from "react-router";
import * as contract from "#contract/calls.ts";
import { callApi } from "#contract/client.ts";
import { isRouterBusy } from "#web/client/router-state.ts";
import { noteSeenPrices } from "#web/client/seen-prices.ts";
import { whenIdle } from "#web/client/when-idle.ts";
import { percentOf, type FrameData } from "../frame-data.ts";
import { handlesOf, rulesOf } from "../../page/page-handle.ts";
import type { LiveRates } from "./live-rates.ts";

/** Visitors reload their pages at slightly different moments, so that a new rate causes no burst of requests. */
const spreadMs = 500;
const retryAfterMs = 1_000;
const maxTries = 3;
const busyRetryMs = 250;

/**
 * The frame's data with the newest rates. A page with live prices is revalidated when its price list is no longer the current one: every
 * amount comes from the server, nothing is computed or rounded here. A hidden page waits until it is visible.
 */
export function useLiveRates(data: FrameData): FrameData {
  const [live, setLive] = useState<LiveRates | null>(null);
  const isLive = rulesOf(handlesOf(useMatches())).hasLivePrices;
  const { revalidate } = useRevalidator();

  useEffect(() => {
    let stop: (() => void) | null = null;
    let hasGone = false;
    const cancel = whenIdle(
      () =>
        void import("./live-rates.ts").then(
          ({ followRates }) => {
            if (!hasGone) stop = followRates((rates) => setLive((now) => (isOlderList(rates, now) ? now : rates)));
          },
          () => {},
        ),
    ); // without it the page shows the rates that it was rendered with
    return () => {
      hasGone = true;
      cancel();
      stop?.();
    };
  }, []);

  useEffect(() => noteSeenPrices(Math.max(data.priceList, live?.priceList ?? 0)), [data.priceList, live]);

  const isBehind = isLive && live !== null && isOlder(data, live);
  useEffect(() => {
    if (!isBehind) return undefined;
    let tries = 0;
    let timer: ReturnType<typeof setTimeout>;
    async function reloadPage(isWaking: boolean) {
      clearTimeout(timer);
      if (document.visibilityState !== "visible") return;
      // A machine that wakes up may have no network yet: a small request is repeated until it succeeds.
      if (isWaking && !(await callApi(contract.readWork)).ok) {
        timer = setTimeout(() => void reloadPage(true), retryAfterMs * 3);
        return;
      }
      // Revalidating during a navigation within a list would restart it, and the router would lose its scroll setting.
      if (isRouterBusy()) {
        timer = setTimeout(() => void reloadPage(false), busyRetryMs);
        return;
      }
      tries += 1;
      await revalidate();
      if (tries < maxTries) timer = setTimeout(() => void reloadPage(false), retryAfterMs);
    }
    const wake = () => void reloadPage(true);
    timer = setTimeout(() => void reloadPage(false), Math.random() * spreadMs);
    document.addEventListener("visibilitychange", wake);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", wake);
    };
  }, [isBehind, live, revalidate]);

  return live === null ? data : withLiveRates(data, live);
}

/** A stream that goes on at another process of the shop may begin with an older list. */
const isOlderList = ({ priceList }: LiveRates, now: LiveRates | null): boolean => priceList !== null && priceList < (now?.priceList ?? 0);

const isOlder = (data: FrameData, { courses, work, priceList }: LiveRates): boolean =>
  (priceList === null
    ? data.rates.some(({ code, value }) => courses.courses[code].course !== value) && isNewer(data, courses.time)
    : data.priceList < priceList) ||
  data.market.isOpen !== work.work ||
  data.isStale !== (courses.stale === true);

/** The page's own data may be newer than the last streamed rates. */
const isNewer = (data: FrameData, time: string): boolean => data.ratesAt === null || Date.parse(time) >= Date.parse(data.ratesAt);

function withLiveRates(data: FrameData, { courses, work }: LiveRates): FrameData {
  if (!isNewer(data, courses.time)) return data;
  return {
    ...data,
    ratesAt: courses.time,
    isStale: courses.stale === true,
    market: { isOpen: work.work, note: work.note ?? null, until: work.until ?? null },
    rates: data.rates.map((rate) => {
      const { course, diff } = courses.courses[rate.code];
      return { ...rate, value: course, percent: percentOf(course, diff) };
    }),
  };
}
