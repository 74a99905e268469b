// Who may know whom: the walls of the house. A new edge is a new word in `knows`, seen in review.
const knows = {
  media: [],
  rates: [],
  delivery: [],
  payment: [],
  customers: [],
  notifications: [],
  catalog: ["media"],
  content: ["media"],
  stock: ["catalog"],
  pricing: ["catalog", "rates"],
  search: ["catalog", "pricing", "stock", "content"],
  lists: ["catalog"],
  cart: ["catalog", "pricing", "stock"],
  auth: ["customers", "cart", "lists", "notifications"],
  alerts: ["catalog", "pricing", "stock", "rates", "customers", "notifications"],
  account: ["auth", "customers", "cart", "checkout", "lists", "alerts", "orders", "notifications"],
  newsletter: ["customers", "orders"],
  inquiries: ["catalog", "pricing", "rates", "media", "customers", "notifications"],
  orders: ["catalog", "pricing", "rates", "stock", "delivery", "payment", "customers", "notifications"],
  checkout: ["catalog", "cart", "pricing", "rates", "stock", "delivery", "payment", "customers", "orders"],
};
const listed = Object.keys(knows).join("|");
const SERVER = "^src/(main|http|integrations)/|^src/kit/(db|queue|secrets|outbound)|^src/shop/.+[/.](service|repository|tables|jobs)[.]ts$";
const TEST = "[.]test[.]tsx?$|/testing[.]ts$";
const no = (name, from, to) => ({ name, severity: "error", from, to });
export default {
  forbidden: [
    no("no-import-cycles", {}, { circular: true }),
    no("kit-knows-nothing", { path: "^src/kit/" }, { path: "^src/(?!kit/)" }),
    no(
      "shop-is-plain",
      { path: "^src/shop/", pathNot: TEST },
      {
        path: "^src/(main|http|web|contract|integrations)/|(^|node_modules/)(@?react|fastify|@fastify|pg-boss|nodemailer|@sentry)([-/]|$)",
      },
    ),
    no("main-is-the-roof", { path: "^src/(?!main/)", pathNot: TEST }, { path: "^src/main/" }),
    no("pages-and-json-are-neighbours", { path: "^src/(http|web)/" }, { path: "^src/(http|web)/", pathNot: "^src/$1/" }),
    no(
      "tables-meet-tables-only",
      { path: "^src/shop/([^/]+)/tables[.]ts$" },
      { path: "^src/", pathNot: ["/tables[.]ts$", "^src/shop/$1/", "^src/kit/"] },
    ),
    no("ui-knows-no-shop", { path: "^src/web/ui/", pathNot: TEST }, { path: "^src/(shop|contract)/" }),
    no(
      "rows-are-private",
      { path: "^src/shop/([^/]+)/", pathNot: [TEST, "/tables[.]ts$"] },
      { path: "[/.](repository|tables)[.]ts$", pathNot: "^src/shop/$1/" },
    ),
    no("rows-stay-in-shop", { path: "^src/(?!shop/|main/)", pathNot: TEST }, { path: "^src/shop/.+[/.](repository|tables)[.]ts$" }),
    no("nouns-are-pure", { path: "^src/(shop|contract)/", pathNot: [SERVER, TEST, "/context[.]ts$"] }, { path: SERVER }),
    no("parts-are-browser-safe", { path: "^src/web/", pathNot: ["(page|layout|root|resource|[.]server)[.]tsx?$", TEST] }, { path: SERVER }),
    no("two-surfaces", { path: "^src/web/(office|storefront)/" }, { path: "^src/web/(office|storefront)/", pathNot: "^src/web/$1/" }),
    no("pages-are-the-top", { path: "^src/(?!web/|main/)" }, { path: "^src/web/" }),
    no(
      "adapters-see-ports",
      { path: "^src/integrations/", pathNot: TEST },
      { path: "^src/(main|http|web|contract)/|^src/shop/.+[/.](service|repository|jobs)[.]ts$" },
    ),
    no("vendors-only-in-main", { path: "^src/(?!main/|integrations/)", pathNot: TEST }, { path: "^src/integrations/" }),
    no("simulators-only-in-demo", { path: "^src/", pathNot: [TEST, "^src/main/demo[.]ts$"] }, { path: "/(simulator|testing)[.]ts$" }),
    no("new-modules-are-listed", { path: `^src/shop/(?!(${listed})/)[^/]+/` }, { path: "." }),
    ...Object.entries(knows).map(([m, others]) =>
      no(
        `${m}-knows`,
        { path: `^src/shop/${m}/`, pathNot: [TEST, "/tables[.]ts$"] },
        { path: "^src/shop/[^/]+/", pathNot: `^src/shop/(${[m, ...others].join("|")})/` },
      ),
    ),
  ],
  options: {
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "types", "node"] },
  },
};
