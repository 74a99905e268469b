/** How long events took, as a histogram of the Prometheus text format. */
export type DurationHistogram<Label extends string> = {
  /** The series of these label values, always the same object; it is exposed from then on. */
  series(labels: Readonly<Record<Label, string>>): DurationSeries;
  /** All series in the text format 0.0.4 (https://prometheus.io/docs/instrumenting/exposition_formats/). */
  text(): string;
};
/** One series. `observe` adds a duration in seconds; it allocates nothing, so that it can be called for each request. */
export type DurationSeries = { observe(seconds: number): void };

type Options<Label extends string> = { name: string; help: string; labelNames: readonly Label[]; buckets: readonly number[] };

/**
 * The histogram of prom-client joins and looks up all label values for each observation, and has no call to add several at once. Here a
 * caller looks its series up once. `buckets`: upper bounds in seconds, ascending.
 */
export function createDurationHistogram<Label extends string>({
  name,
  help,
  labelNames,
  buckets,
}: Options<Label>): DurationHistogram<Label> {
  const known = new Map<string, DurationSeries & { text(): string }>();
  return {
    series(labels) {
      const key = labelNames.map((label) => `${label}="${escaped(labels[label])}"`).join(",");
      let found = known.get(key);
      if (!found) known.set(key, (found = createSeries(name, key, buckets)));
      return found;
    },
    text: () => [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`, ...[...known.values()].map((each) => each.text())].join("\n"),
  };
}

function createSeries(name: string, labels: string, buckets: readonly number[]): DurationSeries & { text(): string } {
  /** How many were within each bound and above the one before it; the last are above all bounds. */
  const counts = new Float64Array(buckets.length + 1);
  let sum = 0;
  return {
    observe(seconds) {
      let at = 0;
      while (at < buckets.length && seconds > (buckets[at] ?? Infinity)) at += 1;
      counts[at] = (counts[at] ?? 0) + 1;
      sum += seconds;
    },
    text() {
      let count = 0;
      const lines = [...buckets.map(String), "+Inf"].map((bound, at) => {
        count += counts[at] ?? 0;
        return `${name}_bucket{le="${bound}",${labels}} ${count}`;
      });
      return [...lines, `${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${count}`].join("\n");
    },
  };
}

const escaped = (value: string): string => value.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
