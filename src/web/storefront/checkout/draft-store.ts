/** Storage of this tab's checkout. A module of its own, so that signing out can delete it without loading the checkout. */
const key = "checkout-1";

export function readDraft(): unknown {
  try {
    const text = sessionStorage.getItem(key);
    return text ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}

export function writeDraft(draft: object): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(draft));
  } catch {
    /* a browser without storage loses the draft at a reload, and nothing else */
  }
}

/** Deletes buyer, delivery, points, city and address; the next checkout begins with a parcel locker in Moscow. */
export function clearCheckout(): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    /* nothing was kept */
  }
}
