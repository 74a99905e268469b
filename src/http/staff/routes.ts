import type { Ctx } from "#shop/context.ts";
import { alarmEndpoints } from "./alarms.ts";
import * as approvals from "./approvals.ts";
import { auditEndpoints } from "./audit.ts";
import { categoryEndpoints } from "./categories.ts";
import { coinEndpoints } from "./coins.ts";
import { nameOf, type StaffEndpoint } from "./endpoint.ts";
import { contentEndpoints } from "./content.ts";
import { mediaEndpoints } from "./media.ts";
import { exchangeEndpoints } from "./exchange.ts";
import { moneyEndpoints } from "./money.ts";
import { orderColleagueEndpoints } from "./order-colleagues.ts";
import { orderDocumentEndpoints } from "./order-documents.ts";
import { orderEndpoints } from "./orders.ts";
import { packingEndpoints } from "./packing.ts";
import { peopleEndpoints } from "./people.ts";
import { priceEndpoints } from "./prices.ts";
import { pricePromoEndpoints } from "./price-promos.ts";
import { promoCodeEndpoints } from "./promo-codes.ts";
import { rateEndpoints } from "./rates.ts";
import { searchEndpoints } from "./search.ts";
import { customerEndpoints } from "./customers.ts";
import { requestEndpoints } from "./requests.ts";
import { reviewEndpoints } from "./reviews.ts";
import { sessionEndpoints } from "./session.ts";
import { settingsEndpoints } from "./settings.ts";
import { metalEndpoints } from "./metal.ts";
import { reportEndpoints } from "./reports.ts";
import { stockEndpoints } from "./stock.ts";
import { waitingEndpoints } from "./waiting.ts";

const endpoints: readonly StaffEndpoint[] = [
  ...sessionEndpoints,
  ...waitingEndpoints,
  ...alarmEndpoints,
  ...searchEndpoints,
  ...rateEndpoints,
  // Before the card: `slips` and `colleagues` are no ids.
  ...orderDocumentEndpoints,
  ...orderColleagueEndpoints,
  ...orderEndpoints,
  ...reviewEndpoints,
  ...requestEndpoints,
  ...customerEndpoints,
  ...moneyEndpoints,
  ...packingEndpoints,
  ...contentEndpoints,
  ...priceEndpoints,
  ...pricePromoEndpoints,
  ...promoCodeEndpoints,
  ...stockEndpoints,
  ...coinEndpoints,
  ...categoryEndpoints,
  ...mediaEndpoints,
  ...exchangeEndpoints,
  ...metalEndpoints,
  ...reportEndpoints,
  ...peopleEndpoints,
  ...auditEndpoints,
  ...settingsEndpoints,
];

/** An approved call runs its own handler, which approvals look up by its name. */
const find = (name: string): StaffEndpoint | undefined => endpoints.find(({ call }) => nameOf(call) === name);

/** Every call of the back office on one screen; permission and audit are declared in `contract/staff/`. */
export const staffRoutes: readonly StaffEndpoint[] = [...endpoints, ...approvals.approvalEndpoints(find)];

/** Approves a waiting call from the command line of the server. */
export const approveAtServer = (ctx: Ctx, id: string, officeUrl: string) => approvals.approveAtServer(ctx, id, { find, officeUrl });
