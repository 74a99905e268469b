import { useEffect, useRef, useState } from "react";
import { nbsp, number } from "#kit/format.ts";
import { CachedFragment } from "../../../fragments/cached-fragment.tsx";

/** Bounds in roubles; `histogram` counts the coins of each step of a logarithmic scale. */
export type PriceSpan = { min: number; max: number; histogram: number[] };

/** Price bounds: a histogram over a line with two handles, and the same bounds as text fields. The form sends the text fields. */
export function PriceRange({ price, from, to, onCommit }: { price: PriceSpan; from: string; to: string; onCommit: () => void }) {
  const fields = useRef<HTMLDivElement>(null);
  const steps = price.histogram.length;
  // The positions of the handles while they are moved; otherwise the address decides.
  const [draft, setDraft] = useState<{ low: number; high: number; of: string } | null>(null);
  const address = `${from} ${to}`;
  useEffect(() => setDraft(null), [address]); // Back may return to an address at which handles were moved
  const { low, high } = draft?.of === address ? draft : { low: stepOf(Number(from), price, 0), high: stepOf(Number(to), price, steps) };

  function write(name: string, step: number, openEnd: number) {
    const field = fields.current?.querySelector<HTMLInputElement>(`input[name="${name}"]`);
    if (field) field.value = step === openEnd ? "" : number(priceAt(step, price));
  }
  function move(side: "from" | "to", step: number) {
    const next = side === "from" ? Math.min(step, high - 1) : Math.max(step, low + 1);
    setDraft({ low, high, of: address, [side === "from" ? "low" : "high"]: next });
    if (side === "from") write("priceFrom", next, 0);
    else write("priceTo", next, steps);
  }
  const handle = (side: "from" | "to", step: number, label: string) => (
    <input
      type="range"
      min={0}
      max={steps}
      step={1}
      value={step}
      aria-label={label}
      aria-valuetext={`${number(priceAt(step, price))}${nbsp}₽`}
      autoComplete="off"
      onChange={(event) => move(side, Number(event.target.value))}
      onPointerUp={onCommit}
      onKeyUp={onCommit}
    />
  );

  return (
    <div ref={fields}>
      {price.max > price.min && (
        <div className="price-bar">
          <CachedFragment
            as="svg"
            className="histogram"
            viewBox={`0 0 ${steps * 10} 52`}
            preserveAspectRatio="none"
            aria-hidden="true"
            of={Histogram}
            props={{ counts: price.histogram, low, high }}
          />
          {handle("from", low, "Цена от")}
          {handle("to", high, "Цена до")}
        </div>
      )}
      <div className="range">
        <PriceField name="priceFrom" label="от" value={from} hint={price.min} />
        <PriceField name="priceTo" label="до" value={to} hint={price.max} />
      </div>
    </div>
  );
}

/** The price at a step in roubles: exact at the ends, two significant digits between them. */
export function priceAt(step: number, { min, max, histogram }: PriceSpan): number {
  if (step <= 0) return min;
  if (step >= histogram.length) return max;
  return Number((min * (max / min) ** (step / histogram.length)).toPrecision(2));
}

/** The step nearest to a typed price; `otherwise` when there is none. */
export function stepOf(roubles: number, { min, max, histogram }: PriceSpan, otherwise: number): number {
  if (!(roubles > 0) || !(max > min)) return otherwise;
  return Math.min(histogram.length, Math.max(0, Math.round((Math.log(roubles / min) / Math.log(max / min)) * histogram.length)));
}

/** The number of coins at each price step; the chosen part is gold. */
function Histogram({ counts, low, high }: { counts: number[]; low: number; high: number }) {
  const tallest = Math.max(1, ...counts);
  return (
    <>
      {counts.map((count, step) => {
        const height = count === 0 ? 0 : 3 + (count / tallest) * 47;
        return (
          <rect
            key={step}
            className={step >= low && step < high ? "is-on" : undefined}
            x={step * 10 + 0.5}
            y={52 - height}
            width={9}
            height={height}
          />
        );
      })}
      <line x1="0" x2={counts.length * 10} y1="51.5" y2="51.5" />
      <line className="is-on" x1={low * 10} x2={high * 10} y1="51.5" y2="51.5" />
    </>
  );
}

function PriceField({ name, label, value, hint }: { name: string; label: string; value: string; hint: number }) {
  return (
    <label className="filter-field">
      <span>{label}</span>
      <input
        name={name}
        type="text"
        inputMode="numeric"
        autoComplete="off"
        aria-label={`Цена ${label}, рублей`}
        defaultValue={value === "" ? "" : number(Number(value))}
        placeholder={number(hint)}
      />
    </label>
  );
}
