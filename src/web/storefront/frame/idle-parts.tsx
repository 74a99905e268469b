import { NewBuildOffer } from "./navigation/new-build-offer.tsx";
import { RoutePrefetch } from "./navigation/route-prefetch.tsx";

/** Parts of the frame that a page can do without: their code is loaded when the page is at rest. */
export function IdleParts() {
  return (
    <>
      <RoutePrefetch />
      <NewBuildOffer />
    </>
  );
}
