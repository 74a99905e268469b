/** How the word is coloured. */
export type WayTone = "normal" | "waits" | "done" | "off" | "trouble";

/**
 * The state of an order in a table: a small progress line, done up to `part` (0 to 1), and the name of the state. `end` marks its end: a
 * ring for an order that waits, an arrow back for a return, a cross for a cancellation.
 */
export function Way({
  part,
  tone = "normal",
  end,
  word,
}: {
  part: number;
  tone?: WayTone;
  end?: "waits" | "back" | "cross";
  word: string;
}) {
  const x = Math.round(1 + part * 40);
  const looks: Readonly<Record<WayTone, string>> = {
    normal: "state",
    waits: "state state--wait",
    done: "state state--done",
    off: "state state--off",
    trouble: "state state--bad",
  };
  return (
    <span className={looks[tone]}>
      <svg className="progress" viewBox="0 0 42 12" aria-hidden="true">
        <path className="progress__line" d="M1 6h40M1.5 3v6M11 3v6M21 3v6M31 3v6M40.5 3v6" />
        {end === "cross" ? (
          <path className="progress__done" d="m6 2.5 7 7M13 2.5l-7 7" />
        ) : end === "back" ? (
          <path className="progress__done" d="M1 6h34M35 6l-4-3.5M35 6l-4 3.5" transform="matrix(-1 0 0 1 42 0)" />
        ) : (
          <path className="progress__done" d={`M1 6h${x - 1}`} />
        )}
        {end === "waits" ? <circle className="progress__point" cx={x} cy="6" r="2.5" /> : null}
      </svg>
      {word}
    </span>
  );
}
