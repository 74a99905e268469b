type Step = { name: string; city: string; at: string };

/** The newest step of a parcel that says anything: the carrier leaves out the name of some steps, and the city of others. */
export function lastStep(steps: readonly Step[]): { at: string; text: string } | null {
  const found = steps.findLast(({ name, city }) => name || city);
  return found ? { at: found.at, text: [found.name, found.city].filter(Boolean).join(", ") } : null;
}
