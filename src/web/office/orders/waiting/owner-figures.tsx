import { Link } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { counted, nbsp } from "#kit/format.ts";
import { grams, signedGrams } from "../../metal/words.ts";
import { sum } from "../../money/words.ts";
import { Trouble } from "../../ui/marks.tsx";
import { useRead } from "../../ui/send/use-read.ts";

const metalNames = { gold: "Золото", silver: "Серебро" } as const;
const orderForms = ["заказ", "заказа", "заказов"] as const;
/** Half of the drawing, which ends a quarter beyond the limit. */
const half = 150;

/** Today's sales and the open metal on the owner's first screen, without a press. Absent until they are read. */
export function OwnerFigures() {
  // Without days: today by the clock of the shop, which may differ from that of the desk.
  const { data: sales } = useRead(contract.readReport, { params: { name: "days" }, query: {} });
  const { data: metal } = useRead(contract.readExposure);
  const valueOf = (key: string): number => {
    const value = sales?.rows[0]?.[sales.columns.findIndex((column) => column.key === key)];
    return typeof value === "number" ? value : 0;
  };
  return (
    <>
      {sales ? (
        <dl className="figures">
          <div>
            <dt>Продано сегодня</dt>
            <dd className="number">
              {sum(Math.round(valueOf("goods")))} ₽ <span className="muted">{counted(valueOf("orders"), orderForms)}</span>
            </dd>
          </div>
          <div>
            <dt>Над металлом</dt>
            <dd className="number">{sum(Math.round(valueOf("overMetal")))} ₽</dd>
          </div>
        </dl>
      ) : null}
      {metal ? (
        <div className="strip">
          {metal.metals.map(({ metal: name, openMg, limitMg, isBeyond, onePercent }) => {
            const scale = Math.max(Math.abs(openMg), limitMg) * 1.25 || 1;
            const x = (mg: number): number => half + (mg / scale) * half;
            const open = `${metalNames[name]} открыто`;
            return (
              <div key={name} className="strip__metal">
                <span>
                  {isBeyond ? <Trouble>{open}</Trouble> : open} <b className="number">{`${signedGrams(openMg)}${nbsp}г`}</b>
                </span>
                <svg
                  className="open"
                  viewBox={`0 0 ${half * 2} 18`}
                  role="img"
                  aria-label={`Открыто ${signedGrams(openMg)}${nbsp}г${limitMg > 0 ? `, предел ±${grams(limitMg)} г` : ""}`}
                  preserveAspectRatio="none"
                >
                  <path className="line" d={`M0 9H${half * 2}`} />
                  <path className={name === "gold" ? "value" : "value value--silver"} d={`M${half} 9H${x(openMg)}`} />
                  <path className="zero-mark" d={`M${half} 3V15M${x(openMg)} 5V13`} />
                  {limitMg > 0 ? <path className="limit-mark" d={`M${x(limitMg)} 3V15M${x(-limitMg)} 3V15`} /> : null}
                </svg>
                <span className="soft">
                  {onePercent === null ? "" : "1 % = "}
                  <span className="number">{onePercent === null ? "" : `${sum(Math.round(Math.abs(onePercent)))} ₽`}</span>
                </span>
              </div>
            );
          })}
          <Link to="/metal">Металл</Link>
        </div>
      ) : null}
    </>
  );
}
