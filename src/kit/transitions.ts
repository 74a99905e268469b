/** A state table: state → event → next state. A state without events is final. */
export type Transitions = Readonly<Record<string, Readonly<Record<string, string>>>>;

type EventsOf<T extends Transitions> = { [S in keyof T]: keyof T[S] }[keyof T] & string;
type TargetsOf<T extends Transitions> = { [S in keyof T]: T[S][keyof T[S]] }[keyof T];

/** Declares a table; a target that is not itself a state does not compile. */
export function transitions<const T extends Transitions>(table: TargetsOf<T> extends keyof T ? T : never): T {
  return table;
}

export type Move<T extends Transitions> = { kind: "moved"; to: keyof T & string } | { kind: "already" } | { kind: "refused" };

/**
 * The effect of `event` in `state`. `already`: the state is one that this event leads to, so a repeated event has no effect
 * (a webhook sent five times moves the state once).
 */
export function step<T extends Transitions>(table: T, state: keyof T & string, event: EventsOf<T>): Move<T> {
  const to = table[state]?.[event];
  if (to !== undefined) return { kind: "moved", to };
  const isTarget = Object.values(table).some((events) => events[event] === state);
  return isTarget ? { kind: "already" } : { kind: "refused" };
}

/** All states of a table, in its order. */
export const statesOf = <T extends Transitions>(table: T): (keyof T & string)[] => Object.keys(table);
/** Whether no event leads out of a state. */
export const isFinal = <T extends Transitions>(table: T, state: keyof T & string): boolean => Object.keys(table[state] ?? {}).length === 0;
