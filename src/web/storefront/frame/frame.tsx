import { type ReactNode, useEffect } from "react";
import { useMatches, useNavigation } from "react-router";
import { IdlePart } from "#web/client/idle-part.tsx";
import { inNextTask } from "#web/client/when-idle.ts";
import { CardForm } from "../cart/add-to-cart-form.tsx";
import { dialogChunks } from "../dialogs/dialog-chunks.ts";
import { DialogHost, registerDialogs } from "../dialogs/dialogs.tsx";
import { handlesOf, rulesOf } from "../page/page-handle.ts";
import { followState } from "../shared/visitor-state.ts";
import { Statistics } from "../statistics/statistics.tsx";
import { Toasts } from "../../ui/toasts.tsx";
import { Footer } from "./footer.tsx";
import type { FrameData } from "./frame-data.ts";
import { Header } from "./header/header.tsx";
import { DeliveryBanner } from "./delivery-banner.tsx";
import { RatesBar } from "./rates/rates-bar.tsx";
import { useLiveRates } from "./rates/use-live-rates.ts";
import { useFailedNavigation } from "./navigation/use-failed-navigation.ts";

registerDialogs(dialogChunks);

/**
 * Everything around a page: rates, delivery banner, header, footer, and the host elements of dialogs and toasts. What is added later has an
 * element of its own, because a new child of the frame makes the browser compute the styles of all its descendants again.
 */
export function Frame({ data: made, children }: { data: FrameData; children: ReactNode }) {
  const data = useLiveRates(made);
  const { isBuying, hasNoDeliveryBanner = false } = rulesOf(handlesOf(useMatches()));
  useEffect(() => inNextTask(followState), []);
  return (
    <div className={`frame${isBuying ? " frame--buying" : ""}`}>
      <a className="skip" href="#main">
        К содержанию
      </a>
      <div>
        <Statistics counter={data.counter} />
      </div>
      <RatesBar {...data} />
      <DeliveryBanner banner={data.banner} items={data.menu.secondary} isAllowed={!hasNoDeliveryBanner} />
      <Header shop={data.shop} sections={data.sections} menu={data.menu} />
      <Progress />
      <CardForm />
      {children}
      <Footer shop={data.shop} year={data.year} columns={data.menu.footer} slogan={data.slogan} office={data.office} />
      <div className="toasts toasts--offer" role="status">
        <IdlePart load={loadIdleParts} props={{}} />
      </div>
      <Toasts />
      <DialogHost />
    </div>
  );
}

const loadIdleParts = async () => (await import("./idle-parts.tsx")).IdleParts;

/** A thin bar at the top of the window while the next page is loading. */
function Progress() {
  const { state, location } = useNavigation();
  const lost = useFailedNavigation();
  const isBusy = state !== "idle" && (!location || location.key !== lost);
  return <div className={`progress${isBusy ? " is-busy" : ""}`} role="presentation" />;
}
