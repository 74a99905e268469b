import type { ReactNode } from "react";

/**
 * Shows how a price is made up: from `left` (buyback) through `middle` (metal value) to `right` (price). `share` is the position of the
 * middle, 0…1; its label keeps a distance from both ends so that the three labels never overlap.
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
