import { useEffect } from "react";
import { layOutRest } from "./lay-out-rest.ts";
import { NewBuildOffer } from "./navigation/new-build-offer.tsx";
import { PageAnnouncer } from "./navigation/page-announcer.tsx";
import { RoutePrefetch } from "./navigation/route-prefetch.tsx";

/** Parts of the frame that a page can do without. Their code is loaded when the browser is idle. */
export function IdleParts() {
  useEffect(layOutRest, []);
  return (
    <>
      <RoutePrefetch />
      <NewBuildOffer />
      <PageAnnouncer />
    </>
  );
}
