/**
 * The roles of processes (`PROCESS`) in the order in which an update restarts them. Those that only work come first: a worker of the new
 * release knows the jobs of the old one, because jobs wait across an update anyway, and a worker of the old release would meet jobs of the
 * new one (0091).
 */
const roles = ["worker", "office", "web", "all"] as const;
export type Role = (typeof roles)[number];

export const isRole = (name: string): name is Role => (roles as readonly string[]).includes(name);

/** One process of the shop: the unit `chekan@<number>`. */
export type Unit = { number: number; role: Role };

/** The units in the order of their restarts. */
export const inOrder = (units: readonly Unit[]): Unit[] =>
  [...units].sort((a, b) => roles.indexOf(a.role) - roles.indexOf(b.role) || a.number - b.number);
