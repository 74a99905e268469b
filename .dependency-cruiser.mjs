// Which folder may import which. `allowedImports`: the modules of the shop that each module may import; a new edge shows in review.
const allowedImports = {
  audit: [],
  settings: ["customers"],
  alarms: [],
  backups: [],
  processes: [],
  staff: ["audit"],
  media: [],
  rates: [],
  delivery: ["alarms"],
  payment: [],
  customers: [],
  notifications: [],
  catalog: ["media"],
  content: ["catalog", "media", "settings"],
  stock: ["catalog"],
  exchange: ["audit", "catalog", "pricing", "stock", "orders", "customers"],
  pricing: ["catalog", "rates", "stock"],
  search: ["catalog", "pricing", "stock", "content", "settings"],
  lists: ["catalog"],
  cart: ["catalog", "pricing", "stock"],
  auth: ["customers", "cart", "lists", "notifications"],
  alerts: ["catalog", "pricing", "stock", "rates", "customers", "notifications"],
  account: ["auth", "customers", "cart", "checkout", "lists", "alerts", "orders", "notifications"],
  newsletter: ["customers", "orders"],
  inquiries: ["catalog", "pricing", "rates", "media", "customers", "notifications", "orders"],
  orders: ["staff", "catalog", "pricing", "rates", "stock", "delivery", "payment", "customers", "notifications"],
  statements: ["orders", "payment"],
  buyback: ["catalog", "pricing", "stock", "inquiries", "payment"],
  metal: ["catalog", "orders"],
  reports: ["metal", "orders", "search", "stock", "pricing", "delivery", "payment"],
  packing: ["catalog", "delivery", "orders"],
  checkout: ["catalog", "cart", "pricing", "rates", "stock", "delivery", "payment", "customers", "orders"],
};
const listed = Object.keys(allowedImports).join("|");
const SERVER =
  "^src/(main|http|integrations)/|^src/kit/(db[.]|concurrency/queue|security/secrets|network/outbound)|^src/shop/.+[/.](service|repository|tables|jobs|seeding)[.]ts$";
const TABLES = "^src/shop/.+[/.](repository|tables)[.]ts$";
const TEST = "[.]test[.]tsx?$|/testing[.]ts$";
const no = (name, from, to) => ({ name, severity: "error", from, to });
export default {
  forbidden: [
    no("no-import-cycles", {}, { circular: true }),
    no("kit-imports-only-kit", { path: "^src/kit/" }, { path: "^src/(?!kit/)" }),
    no(
      "shop-imports-no-framework",
      { path: "^src/shop/", pathNot: TEST },
      {
        path: "^src/(main|http|web|contract|integrations)/|(^|node_modules/)(@?react|fastify|@fastify|pg-boss|nodemailer|@sentry)([-/]|$)",
      },
    ),
    no("only-main-imports-main", { path: "^src/(?!main/)", pathNot: TEST }, { path: "^src/main/" }),
    no("http-and-web-do-not-import-each-other", { path: "^src/(http|web)/" }, { path: "^src/(http|web)/", pathNot: "^src/$1/" }),
    no(
      "tables-import-only-tables",
      { path: "^src/shop/([^/]+)/tables[.]ts$" },
      { path: "^src/", pathNot: ["/tables[.]ts$", "^src/shop/$1/", "^src/kit/"] },
    ),
    no("ui-imports-no-shop", { path: "^src/web/ui/", pathNot: TEST }, { path: "^src/(shop|contract)/" }),
    no(
      "repositories-are-private-to-the-module",
      { path: "^src/shop/([^/]+)/", pathNot: [TEST, "/tables[.]ts$"] },
      { path: "[/.](repository|tables)[.]ts$", pathNot: "^src/shop/$1/" },
    ),
    no(
      "repositories-are-private-to-the-shop",
      { path: "^src/(?!shop/|main/)", pathNot: TEST },
      { path: "^src/shop/.+[/.](repository|tables)[.]ts$" },
    ),
    no("nouns-import-no-server-code", { path: "^src/(shop|contract)/", pathNot: [SERVER, TEST, "/context[.]ts$"] }, { path: SERVER }),
    no(
      "components-import-no-server-code",
      { path: "^src/web/", pathNot: ["(page|layout|root|resource|[.]server)[.]tsx?$", TEST] },
      { path: SERVER },
    ),
    no(
      "office-and-storefront-do-not-import-each-other",
      { path: "^src/web/(office|storefront)/" },
      { path: "^src/web/(office|storefront)/", pathNot: "^src/web/$1/" },
    ),
    no("only-web-and-main-import-web", { path: "^src/(?!web/|main/)" }, { path: "^src/web/" }),
    no(
      "integrations-import-only-gateways",
      { path: "^src/integrations/", pathNot: TEST },
      { path: "^src/(main|http|web|contract)/|^src/shop/.+[/.](service|repository|jobs)[.]ts$" },
    ),
    no("only-main-imports-integrations", { path: "^src/(?!main/|integrations/)", pathNot: TEST }, { path: "^src/integrations/" }),
    no("only-demo-imports-simulators", { path: "^src/", pathNot: [TEST, "^src/main/demo[.]ts$"] }, { path: "/(simulator|testing)[.]ts$" }),
    no("only-the-seed-imports-seeding", { path: "^(?!db/seed/)", pathNot: TEST }, { path: "^src/shop/.+/seeding[.]ts$" }),
    no("only-server-imports-the-seed", { path: "^src/", pathNot: [TEST, "^src/main/server[.]ts$"] }, { path: "^db/" }),
    no("src-imports-no-tools", { path: "^src/" }, { path: "^(scripts|e2e)/" }),
    no("only-tests-import-test-helpers", { path: "^(src|db)/", pathNot: TEST }, { path: "^tests/" }),
    no("seed-imports-shop-and-kit", { path: "^db/", pathNot: TEST }, { path: "^(src/(?!kit/|shop/|main/)|scripts/|e2e/)" }),
    no("seed-imports-no-tables", { path: "^db/", pathNot: TEST }, { path: `${TABLES}|^src/shop/.+[/.]jobs[.]ts$` }),
    no("only-seed-commands-import-main", { path: "^db/", pathNot: [TEST, "^db/seed/many[.]ts$"] }, { path: "^src/main/" }),
    no("scripts-import-no-surface", { path: "^scripts/" }, { path: "^src/(http|web|contract)/" }),
    no("scripts-import-no-tables", { path: "^scripts/" }, { path: TABLES }),
    no("test-helpers-import-no-surface", { path: "^tests/" }, { path: "^src/(http|web|contract|integrations)/|^e2e/" }),
    no("test-helpers-import-no-scripts", { path: "^tests/", pathNot: TEST }, { path: "^scripts/" }),
    no(
      "journeys-import-no-server-code",
      { path: "^e2e/" },
      { path: `${SERVER}|^src/web/(?!texts[.]ru[.]ts$)|^db/(?!seed/data/)|^scripts/` },
    ),
    no("shop-modules-are-listed", { path: `^src/shop/(?!(${listed})/)[^/]+/` }, { path: "." }),
    ...Object.entries(allowedImports).map(([m, others]) =>
      no(
        `${m}-imports-only-listed-modules`,
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
