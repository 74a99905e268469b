import { useCallback, useEffect, useEffectEvent, useState } from "react";
import type { CheckoutView } from "./checkout-view.ts";
import { choose, fit } from "./delivery-choice.ts";
import { emptyDraft, storedDraft, type CheckoutDraft } from "./draft.ts";
import { writeDraft } from "./draft-store.ts";

/**
 * What the buyer enters: begun from the server's page, restored from the tab, filled in from the profile.
 * `isRestored` is false for the first drawing, which must equal the server's.
 */
export function useDraft(view: CheckoutView) {
  const [draft, setDraft] = useState<CheckoutDraft>(() =>
    withBuyer({ ...emptyDraft, city: view.city, choice: fit(emptyDraft.choice, view.groups, view) }, view),
  );
  const [isRestored, setRestored] = useState(false);
  const [isDone, setDone] = useState(false);
  const change = useCallback((patch: Partial<CheckoutDraft>) => setDraft((before) => ({ ...before, ...patch })), []);

  const restore = useEffectEvent(() => {
    const stored = storedDraft();
    // What a profile filled in belongs to its account: after signing out, in another tab too, it is not shown again.
    const isOurs = stored && (stored.account === null || stored.account === view.buyer?.user.phone);
    if (isOurs) setDraft(withBuyer(stored, view));
    setRestored(true);
  });
  useEffect(() => restore(), []);

  // Signing in is a reason to fill in, and so is a profile that was completed since; reading the same profile again is none.
  const profile = JSON.stringify(view.buyer);
  const fillIn = useEffectEvent(() => setDraft((before) => withBuyer(before, view)));
  useEffect(() => {
    if (isRestored) fillIn();
  }, [profile, isRestored]);

  useEffect(() => {
    if (isRestored && !isDone) writeDraft(draft);
  }, [draft, isRestored, isDone]);

  /** An order was made: from now on nothing is remembered. */
  const finish = useCallback(() => setDone(true), []);
  return { draft, setDraft, change, isRestored, finish };
}

/** Fills what is still untouched from the profile, the way and point of the last order too; nothing that was entered is overwritten. */
export function withBuyer(
  draft: CheckoutDraft,
  view: Pick<CheckoutView, "buyer" | "groups"> & Partial<Pick<CheckoutView, "isValuable">>,
): CheckoutDraft {
  const { buyer, groups } = view;
  if (!buyer) return draft;
  // A name is one whole: a typed first name is not completed by the surname of the account.
  const isAnother = (["name", "lastName", "secondName"] as const).some(
    (part) => draft.user[part] !== "" && draft.user[part] !== buyer.user[part],
  );
  const { name, lastName, secondName } = isAnother ? draft.user : buyer.user;
  const user = { ...filled(draft.user, buyer.user), name, lastName, secondName };
  const isUntouched = draft.point === null && draft.choice.deliveryId === fit(emptyDraft.choice, groups, view).deliveryId;
  const city = buyer.city && isUntouched && draft.city.code === emptyDraft.city.code ? buyer.city : draft.city;
  const isHisCity = buyer.city?.code === city.code;
  const isKnown = user.name !== "" && user.lastName !== "" && user.email !== "" && user.phone !== "";
  return {
    ...draft,
    user,
    city,
    account: buyer.user.phone,
    choice: isUntouched && isHisCity && buyer.deliveryId !== null ? choose(draft.choice, buyer.deliveryId) : draft.choice,
    point: draft.point ?? (isHisCity ? buyer.point : null),
    address: filled(draft.address, buyer.address),
    closed: { ...draft.closed, contacts: draft.closed.contacts || (isKnown && draft.user.name === "") },
  };
}

const filled = <T extends Record<string, string>>(typed: T, known: T): T =>
  Object.fromEntries(Object.entries(typed).map(([name, value]) => [name, value || (known[name] ?? "")])) as T;
