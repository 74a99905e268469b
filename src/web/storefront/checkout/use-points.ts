import { useEffect, useEffectEvent, useState } from "react";
import { callApi } from "#contract/client.ts";
import type { PointView } from "#contract/locations.ts";
import { deliveryById } from "#shop/delivery/delivery.ts";

export type Points = { state: "none" | "loading" | "failed" | "ready"; list: PointView[]; retry: () => void };

/** Lists are shown no sooner, so that quick changes of mind do not flicker. */
export const showAfterMs = 500;
const nothing: PointView[] = [];

/** The points to choose from for a way of delivery to a city. */
export function usePoints(cityCode: string, deliveryId: number): Points {
  const pointType = deliveryById(deliveryId)?.pointType ?? null;
  const wanted = pointType ? `${cityCode} ${pointType}` : null;
  const [found, setFound] = useState<{ of: string; list: PointView[] | null } | null>(null);
  // Twins (79 and 76) choose from the same points: their change asks nothing anew.
  const ask = useEffectEvent((signal: AbortSignal) =>
    callApi<Record<string, PointView>>("/api/locations/get-pvz", { method: "POST", body: { city: cityCode, deliveryId }, signal }),
  );
  const [tries, setTries] = useState(0);

  useEffect(() => {
    if (!wanted) return;
    const stop = new AbortController();
    setFound(null);
    const answers = ask(stop.signal);
    const timer = setTimeout(async () => {
      const answer = await answers;
      if (!stop.signal.aborted) setFound({ of: wanted, list: answer.ok ? Object.values(answer.value) : null });
    }, showAfterMs);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [wanted, tries]);

  const retry = () => setTries(tries + 1);
  if (!wanted) return { state: "none", list: nothing, retry };
  if (found?.of !== wanted) return { state: "loading", list: nothing, retry };
  return found.list ? { state: "ready", list: found.list, retry } : { state: "failed", list: nothing, retry };
}
