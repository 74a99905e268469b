import { useCallback, useEffect } from "react";
import { callApi } from "#contract/client.ts";
import type { CityView } from "#contract/locations.ts";
import type { CheckoutView } from "./checkout-view.ts";
import { choose, confirmed, fit, sharesPoints } from "./delivery-choice.ts";
import type { CheckoutDraft, ChosenPoint, NewDelivery } from "./draft.ts";
import { useDeliveries } from "./use-deliveries.ts";
import type { useDraft } from "./use-draft.ts";
import { usePoints } from "./use-points.ts";

type DeliveryAsk = Pick<ReturnType<typeof useDraft>, "draft" | "setDraft"> & { view: CheckoutView; cartKey: string };

/**
 * Where the order goes and how. While a confirmed delivery is being changed, everything here is about the new choice; the old one counts
 * until `confirm`, and `cancel` leaves it.
 */
export function useDelivery({ draft, setDraft, view, cartKey }: DeliveryAsk) {
  const { anew } = draft;
  const at: NewDelivery = anew ?? draft;
  const { isValuable } = view;
  const given = { cityCode: view.city.code, cart: cartKey, groups: view.groups };
  const isElsewhere = at.city.code !== draft.city.code;
  const counting = useDeliveries(draft.city.code, cartKey, given);
  const elsewhere = useDeliveries(isElsewhere ? at.city.code : null, cartKey, given);
  const deliveries = isElsewhere ? elsewhere : counting;
  const points = usePoints(at.city.code, at.choice.deliveryId);

  /** Changes the choice that is being made: the new one if there is one, else the one that counts. */
  const set = useCallback(
    (change: (before: NewDelivery) => Partial<NewDelivery>) =>
      setDraft((before) =>
        before.anew ? { ...before, anew: { ...before.anew, ...change(before.anew) } } : { ...before, ...change(before) },
      ),
    [setDraft],
  );

  useEffect(() => {
    if (counting.state === "ready") setDraft((before) => ({ ...before, choice: fit(before.choice, counting.groups, { isValuable }) }));
  }, [counting.state, counting.groups, isValuable, setDraft]);
  useEffect(() => {
    if (deliveries.state === "ready") set((before) => ({ choice: fit(before.choice, deliveries.groups, { isValuable }) }));
  }, [deliveries.state, deliveries.groups, isValuable, set]);
  useEffect(() => {
    if (points.state === "ready") set(({ point }) => (point && !points.list.some(({ id }) => id === point.id) ? { point: null } : {}));
  }, [points.state, points.list, set]);

  return {
    at,
    isAnew: anew !== null,
    counting,
    deliveries,
    points,
    setCity: useCallback(
      (city: CityView) => set((before) => ({ city, point: city.code === before.city.code ? before.point : null })),
      [set],
    ),
    setPoint: useCallback((point: ChosenPoint) => set(() => ({ point })), [set]),
    /** Another way of delivery keeps the point while it is of the same kind. */
    chooseWay: useCallback(
      (id: number) =>
        set(({ choice, point }) => ({ choice: choose(choice, id), point: sharesPoints(choice.deliveryId, id) ? point : null })),
      [set],
    ),
    begin: () => setDraft(begun),
    confirm: () => setDraft(taken),
    cancel() {
      setDraft(givenUp);
      // The browser remembers the city that was asked for last: that is the old one again.
      if (isElsewhere) void callApi("/api/checkout/deliveries", { method: "POST", body: { code: draft.city.code } });
    },
  };
}

/** Opens a confirmed delivery: from here on everything is chosen anew. */
export const begun = (draft: CheckoutDraft): CheckoutDraft => ({
  ...draft,
  anew: { city: draft.city, choice: draft.choice, point: draft.point },
  closed: { ...draft.closed, delivery: false },
});

/** Takes what was chosen, anew or for the first time. */
export const taken = (draft: CheckoutDraft): CheckoutDraft => ({
  ...draft,
  ...(draft.anew && { city: draft.anew.city, point: draft.anew.point, choice: confirmed(draft.choice, draft.anew.choice) }),
  anew: null,
  closed: { ...draft.closed, delivery: true },
});

/** Leaves the old choice as it was. */
export const givenUp = (draft: CheckoutDraft): CheckoutDraft => ({ ...draft, anew: null, closed: { ...draft.closed, delivery: true } });
