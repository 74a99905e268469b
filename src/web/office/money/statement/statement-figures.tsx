import { DoneMark, Trouble } from "../../ui/marks.tsx";
import { sum, type StatementView } from "../words.ts";

/** The balances of a statement, and whether they agree with its entries. */
export function StatementFigures({ statement: { opening, received, spent, closing, isBalanced } }: { statement: StatementView }) {
  const shown = (value: number | null) => (value === null ? "нет в файле" : `${sum(value)} ₽`);
  return (
    <dl className="figures">
      <div>
        <dt>На утро</dt>
        <dd className="number">{shown(opening)}</dd>
      </div>
      <div>
        <dt>пришло</dt>
        <dd className="number">{shown(received)}</dd>
      </div>
      <div>
        <dt>ушло</dt>
        <dd className="number">{shown(spent)}</dd>
      </div>
      <div>
        {isBalanced === false ? (
          <dt>
            <Trouble>на вечер не сошлось</Trouble>
          </dt>
        ) : (
          <dt className={isBalanced ? "good with-mark" : undefined}>
            {isBalanced ? <DoneMark /> : null}
            {isBalanced ? "на вечер сошлось" : "на вечер"}
          </dt>
        )}
        <dd className="number">{shown(closing)}</dd>
      </div>
    </dl>
  );
}

/** The entries of a statement in three parts, to scale. */
export function StatementBar({ settled, suggested, left }: { settled: number; suggested: number; left: number }) {
  const whole = Math.max(1, settled + suggested + left);
  const from = 2;
  const width = 702;
  const first = from + (width * settled) / whole;
  const second = first + (width * suggested) / whole;
  const end = from + width;
  return (
    <svg
      className="split"
      viewBox="0 0 706 42"
      role="img"
      aria-label={`Из ${whole} строк разнесено ${settled}, предложено ${suggested}, не сошлось ${left}`}
    >
      <path className="split__settled" d={`M${from} 10H${first}`} />
      <path className="split__suggested" d={`M${first} 10H${second}`} />
      <path className="split__left" d={`M${second} 10H${end}`} />
      <path className="tick" d={`M${from} 3V17M${first} 3V17M${second} 3V17M${end} 3V17`} />
      <text x={from} y="36">
        <tspan className="key-text">{settled}</tspan> разнесено
      </text>
      <text x={end} y="36" textAnchor="end">
        <tspan className="key-text">{suggested}</tspan> предложено, <tspan className="key-text">{left}</tspan> не сошлось
      </text>
    </svg>
  );
}
