import { useEffect, useEffectEvent, useState } from "react";
import * as contract from "#contract/calls.ts";
import { callApi } from "#contract/client.ts";
import type { PointView } from "#contract/public/locations.ts";
import { deliveryById } from "#shop/delivery/delivery.ts";

export type Points = { state: "none" | "loading" | "failed" | "ready"; list: readonly PointView[]; retry: () => void };

/** Lists are shown after this delay, so that quick changes of the choice do not flicker. */
export const showAfterMs = 500;
const nothing: PointView[] = [];

/** The points of a city for a way of delivery, after `showAfterMs` at the earliest; null when they did not load. */
export async function fetchPoints(city: string, deliveryId: number, signal: AbortSignal): Promise<PointView[] | null> {
  const [answer] = await Promise.all([
    callApi(contract.findPoints, { body: { city, deliveryId }, signal }),
    new Promise((resolve) => setTimeout(resolve, showAfterMs)),
  ]);
  return answer.ok ? Object.values(answer.value) : null;
}

/** The points to choose from for a way of delivery to a city. */
export function usePoints(cityCode: string, deliveryId: number): Points {
  const pointType = deliveryById(deliveryId)?.pointType ?? null;
  const wanted = pointType ? `${cityCode} ${pointType}` : null;
  const [found, setFound] = useState<{ of: string; list: PointView[] | null } | null>(null);
  // Free and paid pickup (79 and 76) have the same points: switching between them loads nothing.
  const load = useEffectEvent((signal: AbortSignal) => fetchPoints(cityCode, deliveryId, signal));
  const [tries, setTries] = useState(0);

  useEffect(() => {
    if (!wanted) return;
    const stop = new AbortController();
    setFound(null);
    void load(stop.signal).then((list) => {
      if (!stop.signal.aborted) setFound({ of: wanted, list });
    });
    return () => stop.abort();
  }, [wanted, tries]);

  const retry = () => setTries(tries + 1);
  if (!wanted) return { state: "none", list: nothing, retry };
  if (found?.of !== wanted) return { state: "loading", list: nothing, retry };
  return found.list ? { state: "ready", list: found.list, retry } : { state: "failed", list: nothing, retry };
}
