import type { ReactNode } from "react";

/**
 * The measuring line of a price: from `left` (buyback) through `middle` (metal) to `right` (price).
 * `share` is where the middle stands, 0…1; its label keeps away from the ends so that the three never collide.
 */
export function Ruler({
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
    <div className={`ruler${wide ? " ruler--wide" : ""} m-${at}`} role="img" aria-label={label}>
      <div className="ruler__bar">
        {gaps && (
          <>
            <span className="ruler__gap ruler__gap--0">{gaps[0]}</span>
            <span className="ruler__gap ruler__gap--1">{gaps[1]}</span>
          </>
        )}
        <i className="ruler__disc" />
        <i className="ruler__prem" />
        <b className="ruler__t ruler__t--0" />
        <b className="ruler__t ruler__t--m" />
        <b className="ruler__t ruler__t--1" />
      </div>
      <div className={`ruler__lab m-${labelAt}`}>
        <span className="ruler__l ruler__l--0">{left}</span>
        <span className="ruler__l ruler__l--m">{middle}</span>
        <span className="ruler__l ruler__l--1">{right}</span>
      </div>
    </div>
  );
}
