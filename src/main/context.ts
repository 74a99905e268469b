import { Counter, Histogram, type Registry } from "prom-client";
import { alarmGroups, isAlarmGroup } from "#contract/staff/waiting/waiting.ts";
import { createAlarmStore } from "#shop/alarms/service.ts";
import { createSingletons, type Ctx } from "#shop/context.ts";
import { passwordCost } from "#kit/security/password.ts";
import { createSecrets } from "#kit/security/secrets.ts";
import type { Enqueue } from "#kit/concurrency/queue.ts";
import type { Db } from "#kit/db.ts";
import type { Log } from "#kit/log.ts";
import type { OutboundOptions } from "#kit/network/outbound.ts";
import type { Config } from "./config.ts";

/** Counts alarms by name. Each name exists from the start: `increase` of Prometheus does not see the first value of a new series. */
export function countAlarms(registry: Registry): Counter<"alarm"> {
  const alarms = new Counter({
    name: "shop_alarms_total",
    help: "Alarms by name, for staff to act on; actions in docs/runbook.md",
    labelNames: ["alarm"],
    registers: [registry],
  });
  for (const alarm of Object.keys(alarmGroups)) alarms.inc({ alarm }, 0);
  return alarms;
}

/** Builds the context that every service receives. */
export function createContext(parts: {
  config: Config;
  db: Db;
  enqueue: Enqueue;
  log: Log;
  gateways: Ctx["gateways"];
  registry: Registry;
  now?: () => Date;
  actor: Ctx["actor"];
}): Ctx {
  const { config, db, enqueue, log, gateways, registry } = parts;
  const alarms = countAlarms(registry);
  const now = parts.now ?? (() => new Date());
  const stored = createAlarmStore({ db, log, now });
  return {
    db,
    actor: parts.actor,
    enqueue,
    log,
    gateways,
    now,
    alarm(name, fields) {
      alarms.inc({ alarm: name });
      log.error({ ...fields, alarm: name }, "alarm");
      // The others are counted from what they are about.
      if (isAlarmGroup(alarmGroups[name])) stored.raise(name, fields);
    },
    settings: {
      shop: config.identity,
      seller: config.seller,
      limits: config.limits,
      fixedLimits: config.fixedLimits,
      publicUrl: config.publicUrl,
      counter: config.counter,
      market: config.market,
      office: config.office,
      courier: config.courier,
      mapScriptUrl: mapScript(config),
      passwordCost,
    },
    secrets: createSecrets(config.secrets),
    isDemo: config.isDemo,
    singleton: createSingletons(),
  };
}

/**
 * Yandex Maps 2.1 for the checkout; null without a key. `csp=true` keeps the script from evaluating strings. Yandex, JS API 2.1, page
 * "Loading the API".
 */
function mapScript({ YMAPS_SCRIPT_URL, YMAPS_API_KEY }: Pick<Config, "YMAPS_SCRIPT_URL" | "YMAPS_API_KEY">): string | null {
  if (!YMAPS_API_KEY) return null;
  const url = new URL(YMAPS_SCRIPT_URL);
  for (const [name, value] of Object.entries({ apikey: YMAPS_API_KEY, lang: "ru_RU", coordorder: "latlong", csp: "true" }))
    url.searchParams.set(name, value);
  return url.href;
}

/** Measures every call to a provider by provider, operation and outcome. */
export function measureCalls(registry: Registry): NonNullable<OutboundOptions["onCall"]> {
  const calls = new Histogram({
    name: "integration_call_duration_seconds",
    help: "Calls to providers",
    labelNames: ["provider", "op", "outcome"],
    buckets: [0.01, 0.05, 0.1, 0.3, 1, 3, 10],
    registers: [registry],
  });
  return ({ provider, op, outcome, milliseconds }) => calls.observe({ provider, op, outcome }, milliseconds / 1000);
}
