import { useEffect, useState } from "react";
import * as contract from "#contract/staff/calls.ts";
import { clock, nbsp, percent, roublesAndKopecks } from "#kit/format.ts";
import { fromRoubles } from "#kit/money.ts";
import { useRead } from "../../ui/send/use-read.ts";
import { usePoll } from "../activity.ts";

const pollMs = 30_000;
const names = { gold: "Золото", silver: "Серебро" } as const;

/** The rates by which the shop sells and buys, with their age: what a clerk says on the telephone. */
export function RatesChip() {
  const { data, reload } = useRead(contract.readRates);
  const [, setNow] = useState(0);
  useEffect(() => {
    // The age is counted on while nothing is polled.
    const timer = setInterval(() => setNow(Date.now()), pollMs);
    return () => clearInterval(timer);
  }, []);
  usePoll(() => void reload(), pollMs);
  if (!data?.metals) return null;
  const { metals, isOpen } = data;
  return (
    <dl className="rates" aria-label="Курсы, ₽ за грамм">
      {(["gold", "silver"] as const).map((metal) => {
        const { value, diff } = metals[metal];
        const close = value - diff;
        const isUp = diff >= 0;
        return (
          <div key={metal}>
            <dt>{names[metal]}</dt>
            <dd>
              <span className="number">{roublesAndKopecks(fromRoubles(Math.round(value * 100) / 100))}</span>
              <span className={isUp ? "number delta--up hide-narrow" : "number delta--down hide-narrow"}>
                <span className="visually-hidden">{isUp ? "выросло на " : "снизилось на "}</span>
                {isUp ? "+" : "−"}
                {percent(close > 0 ? Math.round((Math.abs(diff) / close) * 10_000) : 0)}
                {`${nbsp}%`}
              </span>
            </dd>
          </div>
        );
      })}
      <div>
        <dt className="visually-hidden">Время курса</dt>
        <dd className={metals.isStale ? "number warn" : "muted number"}>{ageText(metals, isOpen)}</dd>
      </div>
    </dl>
  );
}

/** «торги, 11:20», «торги закрыты, 18:52», «курсу 7 мин» when the rates are stale. */
function ageText({ at, isStale }: { at: string; isStale: boolean }, isOpen: boolean): string {
  const receivedAt = new Date(at);
  if (isStale) return `курсу ${Math.max(1, Math.floor((Date.now() - receivedAt.getTime()) / 60_000))} мин`;
  return `${isOpen ? "торги" : "торги закрыты"}, ${clock(receivedAt)}`;
}
