/**
 * The resilience tests, `scripts/drill/<name>.ts`, in the order in which they run one after another: those that find a fault of the shop
 * first, the longest last.
 */
export const drillNames = [
  "kill",
  "database",
  "restart",
  "update",
  "pgbouncer",
  "primary",
  "backup",
  "restore",
  "disk",
  "install",
  "processes",
  "streams",
  "faults",
  "soak",
  "delay",
] as const;
type DrillName = (typeof drillNames)[number];

const isDrillName = (name: string): name is DrillName => (drillNames as readonly string[]).includes(name);

/** The named resilience tests in their order, all without names. Throws for a name that is none: a typo must not pass as success. */
export function drillsNamed(named: readonly string[]): readonly DrillName[] {
  const unknown = named.filter((name) => !isDrillName(name));
  if (unknown.length > 0) throw new Error(`no such test: ${unknown.join(", ")}; there are ${drillNames.join(", ")}`);
  return named.length > 0 ? drillNames.filter((name) => named.includes(name)) : drillNames;
}

/** The command of a resilience test. */
export const drillCommand = (name: DrillName): string => `scripts/drill/${name}.ts`;
