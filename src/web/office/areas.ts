import type { Area } from "./area.ts";
import { buybackArea } from "./buyback/area.ts";
import { coinsArea } from "./coins/area.ts";
import { contentArea } from "./content/area.ts";
import { customersArea } from "./customers/area.ts";
import { metalArea } from "./metal/area.ts";
import { exchangeArea } from "./exchange/area.ts";
import { moneyArea } from "./money/area.ts";
import { ordersArea } from "./orders/area.ts";
import { packingArea } from "./packing/area.ts";
import { pricesArea } from "./prices/area.ts";
import { reportsArea } from "./reports/area.ts";
import { requestsArea } from "./requests/area.ts";
import { reviewsArea } from "./reviews/area.ts";
import { settingsArea } from "./settings/area.ts";
import { staffArea } from "./staff/area.ts";
import { stockArea } from "./stock/area.ts";

/** Every area of the back office on one screen. */
export const areas: readonly Area[] = [
  ordersArea,
  packingArea,
  coinsArea,
  pricesArea,
  metalArea,
  stockArea,
  reportsArea,
  exchangeArea,
  requestsArea,
  buybackArea,
  reviewsArea,
  contentArea,
  customersArea,
  moneyArea,
  staffArea,
  settingsArea,
];
