import { useState } from "react";

export type BuyerLocation = { lat: number; lon: number };

/**
 * The buyer's location. It is requested from the browser only by a press. `request` returns null and sets `isRefused` when the buyer or
 * the browser refuses.
 */
export function useBuyerLocation() {
  const [place, setPlace] = useState<BuyerLocation | null>(null);
  const [state, setState] = useState<"idle" | "asking" | "refused">("idle");

  async function request(): Promise<BuyerLocation | null> {
    if (place) return place;
    setState("asking");
    const found = await new Promise<BuyerLocation | null>((resolve) => {
      if (!("geolocation" in navigator)) return resolve(null);
      navigator.geolocation.getCurrentPosition(
        ({ coords }) => resolve({ lat: coords.latitude, lon: coords.longitude }),
        () => resolve(null),
        { timeout: 8_000, maximumAge: 600_000 },
      );
    });
    setPlace(found);
    setState(found ? "idle" : "refused");
    return found;
  }
  return { place, request, isAsking: state === "asking", isRefused: state === "refused" };
}
export type LocationRequest = ReturnType<typeof useBuyerLocation>;
