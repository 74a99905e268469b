export type PathStep = { name: string; /** When, and who. */ fact: string; state: "done" | "current" | "next" };

/** The path of an order with its times; on a phone it is vertical. */
export function Path({ label, steps }: { label: string; steps: readonly PathStep[] }) {
  return (
    <ol className="path" aria-label={label}>
      {steps.map(({ name, fact, state }) => (
        <li key={name} className={state} aria-current={state === "current" ? "step" : undefined}>
          <b>{name}</b>
          <span>{fact}</span>
        </li>
      ))}
    </ol>
  );
}
