import { collectDefaultMetrics, Counter, Gauge, Registry } from "prom-client";
import { createDurationHistogram, type DurationSeries } from "./duration-histogram.ts";

/** The public listener, or that of the back office. */
export type Surface = "shop" | "office";

type RequestLabels = { surface?: Surface; method: string; route: string; status: number };

/** Request metrics; labels are route patterns, never addresses or ids. */
export type HttpMetrics = {
  registry: Registry;
  requestDone(request: RequestLabels & { seconds: number }): void;
  /** The durations of requests with these labels, for a caller that answers many of them. It counts no refusals. */
  durationsOf(labels: RequestLabels): DurationSeries;
  /** All metrics: those of the registry and the durations of requests, in its `contentType`. */
  text(): Promise<string>;
  webhookReceived(provider: string, outcome: string): void;
  /** `open` is called when the metrics are read. */
  streamsCounted(open: () => number): void;
};

/** `registry`: the process-wide registry with the shop's other metrics. */
export function createHttpMetrics(registry: Registry = withDefaults()): HttpMetrics {
  const durations = createDurationHistogram({
    name: "http_request_duration_seconds",
    help: "Time from the first header to the last byte",
    labelNames: ["surface", "method", "route", "status"],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  });
  const durationsOf = ({ surface = "shop", method, route, status }: RequestLabels): DurationSeries =>
    durations.series({ surface, method, route, status: String(status) });
  const refusals = new Counter({
    name: "http_refusals_total",
    help: "Answers that refused a request",
    labelNames: ["surface", "route", "status"] as const,
    registers: [registry],
  });
  const webhooks = new Counter({
    name: "webhooks_total",
    help: "Webhooks by what became of them",
    labelNames: ["provider", "outcome"] as const,
    registers: [registry],
  });
  return {
    registry,
    durationsOf,
    text: async () => `${await registry.metrics()}\n${durations.text()}\n`,
    requestDone({ surface = "shop", method, route, status, seconds }) {
      durationsOf({ surface, method, route, status }).observe(seconds);
      if (status === 403 || status === 421 || status === 429) refusals.inc({ surface, route, status: String(status) });
    },
    streamsCounted: (open) =>
      void new Gauge({
        name: "streams_open",
        help: "Open streams of rates",
        registers: [registry],
        collect() {
          this.set(open());
        },
      }),
    webhookReceived: (provider, outcome) => webhooks.inc({ provider, outcome }),
  };
}

function withDefaults(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}
