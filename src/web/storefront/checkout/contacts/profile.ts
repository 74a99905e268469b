import type { CheckoutView } from "../checkout-view.ts";
import { choose, fit } from "../delivery/delivery-choice.ts";
import { emptyDraft, type CheckoutDraft } from "../draft.ts";

/** Fills empty fields from the profile, and the way and point of the last order; what was entered is not overwritten. */
export function withBuyer(
  draft: CheckoutDraft,
  view: Pick<CheckoutView, "buyer" | "groups"> & Partial<Pick<CheckoutView, "isValuable">>,
): CheckoutDraft {
  const { buyer, groups } = view;
  if (!buyer) return draft;
  // A name is filled in as a whole: a typed first name is not completed with the account's surname.
  const isAnother = (["name", "lastName", "secondName"] as const).some(
    (part) => draft.user[part] !== "" && draft.user[part] !== buyer.user[part],
  );
  const { name, lastName, secondName } = isAnother ? draft.user : buyer.user;
  const user = { ...filled(draft.user, buyer.user), name, lastName, secondName };
  const isUntouched = draft.point === null && draft.choice.deliveryId === fit(emptyDraft.choice, groups, view).deliveryId;
  const city = buyer.city && isUntouched && draft.city.code === emptyDraft.city.code ? buyer.city : draft.city;
  const isProfileCity = buyer.city?.code === city.code;
  const isComplete = user.name !== "" && user.lastName !== "" && user.email !== "" && user.phone !== "";
  return {
    ...draft,
    user,
    city,
    account: buyer.user.phone,
    choice: isUntouched && isProfileCity && buyer.deliveryId !== null ? choose(draft.choice, buyer.deliveryId) : draft.choice,
    point: draft.point ?? (isProfileCity ? buyer.point : null),
    address: isProfileCity || buyer.city === null ? filled(draft.address, buyer.address) : draft.address,
    addresses: buyer.city === null ? draft.addresses : { [buyer.city.code]: buyer.address, ...draft.addresses },
    closed: { ...draft.closed, contacts: draft.closed.contacts || (isComplete && draft.user.name === "") },
  };
}

const filled = <T extends Record<string, string>>(typed: T, stored: T): T =>
  Object.fromEntries(Object.entries(typed).map(([name, value]) => [name, value || (stored[name] ?? "")])) as T;
