import { FreshBuildOffer } from "./fresh-build-offer.tsx";
import { RoutePrefetch } from "./route-prefetch.tsx";

/** Parts of the frame that a page can do without: their code is loaded when the page is at rest. */
export function AtRest() {
  return (
    <>
      <RoutePrefetch />
      <FreshBuildOffer />
    </>
  );
}
