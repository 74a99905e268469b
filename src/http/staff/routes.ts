import type { StaffEndpoint } from "./endpoint.ts";
import { orderEndpoints } from "./orders.ts";
import { sessionEndpoints } from "./session.ts";

/** Every call of the back office on one screen; permission and audit are declared in `contract/staff/`. */
export const staffRoutes: readonly StaffEndpoint[] = [...sessionEndpoints, ...orderEndpoints];
