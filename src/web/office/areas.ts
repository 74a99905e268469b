import type { Area } from "./area.ts";
import { ordersArea } from "./orders/area.ts";
import { staffArea } from "./staff/area.ts";

/** Every area of the back office on one screen. */
export const areas: readonly Area[] = [ordersArea, staffArea];
