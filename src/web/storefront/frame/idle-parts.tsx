import { NewBuildOffer } from "./navigation/new-build-offer.tsx";
import { RoutePrefetch } from "./navigation/route-prefetch.tsx";

/** Parts of the frame that a page can do without. Their code is loaded when the browser is idle. */
export function IdleParts() {
  return (
    <>
      <RoutePrefetch />
      <NewBuildOffer />
    </>
  );
}
