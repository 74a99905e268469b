import type { ReactNode } from "react";

/**
 * The measuring line of a price: from `left` (buyback) through `middle` (metal) to `right` (price).
 * `share` is where the middle stands, 0…1; its label keeps away from the ends so that the three never collide.
 */
export function PriceRuler({
  share,
  label,
  left,
  middle,
  right,
  gaps,
  wide = false,
}: {
  share: number;
  label: string;
  left: ReactNode;
  middle: ReactNode;
  right: ReactNode;
  gaps?: [ReactNode, ReactNode];
  wide?: boolean;
}) {
  const at = Math.round(Math.min(1, Math.max(0, share)) * 100);
  const labelAt = Math.min(68, Math.max(34, at));
  return (
    <div className={`ruler${wide ? " ruler--wide" : ""} percent-${at}`} role="img" aria-label={label}>
      <div className="ruler__bar">
        {gaps && (
          <>
            <span className="ruler__gap ruler__gap--start">{gaps[0]}</span>
            <span className="ruler__gap ruler__gap--end">{gaps[1]}</span>
          </>
        )}
        <i className="ruler__discount" />
        <i className="ruler__premium" />
        <b className="ruler__tick ruler__tick--start" />
        <b className="ruler__tick ruler__tick--metal" />
        <b className="ruler__tick ruler__tick--end" />
      </div>
      <div className={`ruler__labels percent-${labelAt}`}>
        <span className="ruler__label ruler__label--start">{left}</span>
        <span className="ruler__label ruler__label--metal">{middle}</span>
        <span className="ruler__label ruler__label--end">{right}</span>
      </div>
    </div>
  );
}
