import { useEffect, useState } from "react";
import { useMatches, useRevalidator } from "react-router";
import * as contract from "#contract/calls.ts";
import { callApi } from "#contract/client.ts";
import { isRouterBusy } from "#web/router-state.ts";
import { percentOf, type FrameData } from "../frame-data.ts";
import { handlesOf, rulesOf } from "../../page/page-handle.ts";
import type { LiveRates } from "./live-rates.ts";

/** Visitors read their pages again at slightly different moments, so that a tick is no burst. */
const spreadMs = 500;
const againAfterMs = 1_000;
const mostTries = 3;
const whenFreeMs = 250;

/**
 * The frame's data with the newest rates in it. A page with live prices is read again when its price list is no longer the one that holds:
 * every amount on it comes from the server, so nothing is computed or rounded here. Out of sight it waits until it is looked at.
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
            if (!hasGone) stop = followRates(setLive);
          },
          () => {},
        ),
    ); // without it the page shows what it was made with
    return () => {
      hasGone = true;
      cancel();
      stop?.();
    };
  }, []);

  const isBehind = isLive && live !== null && isOlder(data, live);
  useEffect(() => {
    if (!isBehind) return undefined;
    let tries = 0;
    let timer: ReturnType<typeof setTimeout>;
    async function readAgain(isWaking: boolean) {
      clearTimeout(timer);
      if (document.visibilityState !== "visible") return;
      // A machine that wakes may have no network yet: something small is asked for until it has.
      if (isWaking && !(await callApi(contract.readWork)).ok) {
        timer = setTimeout(() => void readAgain(true), againAfterMs * 3);
        return;
      }
      // In the middle of a step to another list the router would begin that step again, and forget that the page is to stay where it is.
      if (isRouterBusy()) {
        timer = setTimeout(() => void readAgain(false), whenFreeMs);
        return;
      }
      tries += 1;
      await revalidate();
      if (tries < mostTries) timer = setTimeout(() => void readAgain(false), againAfterMs);
    }
    const wake = () => void readAgain(true);
    timer = setTimeout(() => void readAgain(false), Math.random() * spreadMs);
    document.addEventListener("visibilitychange", wake);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", wake);
    };
  }, [isBehind, live, revalidate]);

  return live === null ? data : withNews(data, live);
}

const isOlder = (data: FrameData, { courses, work, priceList }: LiveRates): boolean =>
  (priceList === null
    ? data.rates.some(({ code, value }) => courses.courses[code].course !== value) && isNewer(data, courses.time)
    : data.priceList < priceList) ||
  data.market.isOpen !== work.work ||
  data.isStale !== (courses.stale === true);

/** What was read with the page may be younger than what the stream said last. */
const isNewer = (data: FrameData, time: string): boolean => data.ratesAt === null || Date.parse(time) >= Date.parse(data.ratesAt);

function withNews(data: FrameData, { courses, work }: LiveRates): FrameData {
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

export function whenIdle(work: () => void): () => void {
  if ("requestIdleCallback" in window) {
    const id = requestIdleCallback(work, { timeout: 5_000 });
    return () => cancelIdleCallback(id);
  }
  const timer = setTimeout(work, 2_000);
  return () => clearTimeout(timer);
}
