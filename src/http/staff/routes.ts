import type { Ctx } from "#shop/context.ts";
import { alarmEndpoints } from "./waiting/alarms.ts";
import * as approvals from "./access/approvals.ts";
import { auditEndpoints } from "./access/audit.ts";
import { buybackEndpoints } from "./buyback/buyback.ts";
import { categoryEndpoints } from "./coins/categories.ts";
import { coinEndpoints } from "./coins/coins.ts";
import { nameOf, type StaffEndpoint } from "./endpoint.ts";
import { contentEndpoints } from "./site/content.ts";
import { mediaEndpoints } from "./coins/media.ts";
import { exchangeEndpoints } from "./exchange.ts";
import { moneyEndpoints } from "./money/money.ts";
import { orderColleagueEndpoints } from "./orders/order-colleagues.ts";
import { orderDocumentEndpoints } from "./orders/order-documents.ts";
import { orderEndpoints } from "./orders/orders.ts";
import { packingEndpoints } from "./orders/packing.ts";
import { peopleEndpoints } from "./access/people.ts";
import { priceEndpoints } from "./prices/prices.ts";
import { pricePromoEndpoints } from "./prices/price-promos.ts";
import { promoCodeEndpoints } from "./prices/promo-codes.ts";
import { rateEndpoints } from "./prices/rates.ts";
import { searchEndpoints } from "./search.ts";
import { customerEndpoints } from "./customers/customers.ts";
import { requestEndpoints } from "./customers/requests.ts";
import { reviewEndpoints } from "./customers/reviews.ts";
import { sessionEndpoints } from "./access/session.ts";
import { settingsEndpoints } from "./site/settings.ts";
import { metalEndpoints } from "./prices/metal.ts";
import { reportEndpoints } from "./reports.ts";
import { stockEndpoints } from "./stock/stock.ts";
import { waitingEndpoints } from "./waiting/waiting.ts";

const endpoints: readonly StaffEndpoint[] = [
  ...sessionEndpoints,
  ...waitingEndpoints,
  ...alarmEndpoints,
  ...searchEndpoints,
  ...rateEndpoints,
  // Before the card: `slips` and `colleagues` are not ids.
  ...orderDocumentEndpoints,
  ...orderColleagueEndpoints,
  ...orderEndpoints,
  ...reviewEndpoints,
  ...requestEndpoints,
  ...customerEndpoints,
  // Its form and lists before the card: they are not ids.
  ...buybackEndpoints,
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
