/** A counter of visits: its number, and where its script is. */
export type CounterData = { id: number; script: string };
