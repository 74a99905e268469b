import { coinForms, counted, trimmed } from "#kit/format.ts";
import { Price } from "../../ui/price.tsx";
import type { MetalInCart } from "./cart-view.ts";

const words = { gold: "г чистого золота", silver: "г чистого серебра" } as const;
/** In hundredths of the bar's width. */
const width = 100;

/** How much metal the cart contains: a bar in which each coin is a piece as long as its share. */
export function CartMetals({ metals }: { metals: MetalInCart[] }) {
  if (metals.length === 0) return null;
  return (
    <section className="mass">
      <h2>Металла в корзине</h2>
      <div className="mass__row">
        {metals.map(({ metal, massMg, pieces, count, worth }) => (
          <div key={metal}>
            <p className="mass__value">
              <span className="digits">{trimmed(massMg / 1000, 2)}</span>
              <small>{words[metal]}</small>
            </p>
            <svg className={`mass__bar mass__bar--${metal}`} viewBox={`0 0 ${width} 19`} preserveAspectRatio="none" aria-hidden="true">
              {cuts(pieces, massMg).map(([from, to]) => (
                <rect key={from} x={from} y="10" width={Math.max(0.2, to - from)} height="8" />
              ))}
              <path d={`M0 0V19M${width} 0V19M0 18.5H${width}`} />
            </svg>
            <p>
              {counted(count, coinForms)}.
              {worth !== null ? (
                <>
                  {" "}
                  Металл стоит <Price amount={worth} />.
                </>
              ) : null}
            </p>
          </div>
        ))}
      </div>
    </section>
  );
}

/** Start and end of each piece, with a small gap between two. */
function cuts(pieces: readonly number[], whole: number): [number, number][] {
  let drawn = 0;
  return pieces.map((piece) => {
    const from = (drawn / whole) * width;
    drawn += piece;
    return [from, (drawn / whole) * width - 0.35];
  });
}
