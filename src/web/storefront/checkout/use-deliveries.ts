import { useEffect, useState } from "react";
import type { DeliveryGroupView } from "#contract/checkout.ts";
import { callApi } from "#contract/client.ts";

export type Deliveries = { state: "loading" | "failed" | "ready"; groups: DeliveryGroupView[]; retry: () => void };

/** The ways to a city for the present cart. The server's page brings those of one city; another city, or another cart, is asked for. No city asks nothing. */
export function useDeliveries(
  cityCode: string | null,
  cart: string,
  given: { cityCode: string; cart: string; groups: DeliveryGroupView[] },
): Deliveries {
  const wanted = `${cityCode} ${cart}`;
  const [found, setFound] = useState<{ of: string; groups: DeliveryGroupView[] | null } | null>(null);
  const [tries, setTries] = useState(0);
  const isGiven = given.cityCode === cityCode && given.cart === cart && given.groups.length > 0;

  useEffect(() => {
    if (isGiven || cityCode === null) return;
    const stop = new AbortController();
    setFound(null);
    void callApi<DeliveryGroupView[]>("/api/checkout/deliveries", { method: "POST", body: { code: cityCode }, signal: stop.signal }).then(
      (answer) => {
        if (!stop.signal.aborted) setFound({ of: wanted, groups: answer.ok ? answer.value : null });
      },
    );
    return () => stop.abort();
  }, [wanted, isGiven, cityCode, tries]);

  const retry = () => setTries(tries + 1);
  if (isGiven) return { state: "ready", groups: given.groups, retry };
  if (found?.of !== wanted) return { state: "loading", groups: [], retry };
  return found.groups ? { state: "ready", groups: found.groups, retry } : { state: "failed", groups: [], retry };
}
