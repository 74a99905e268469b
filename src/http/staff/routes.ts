import type { StaffEndpoint } from "./endpoint.ts";
import { orderEndpoints } from "./orders.ts";
import { searchEndpoints } from "./search.ts";
import { sessionEndpoints } from "./session.ts";
import { waitingEndpoints } from "./waiting.ts";

/** Every call of the back office on one screen; permission and audit are declared in `contract/staff/`. */
export const staffRoutes: readonly StaffEndpoint[] = [...sessionEndpoints, ...waitingEndpoints, ...searchEndpoints, ...orderEndpoints];
