import { useEffect, useState } from "react";
import * as contract from "#contract/staff/calls.ts";
import { identifyingFields, type CoinFacts } from "#shop/catalog/coin-rules.ts";
import { callStaff } from "../../client.ts";
import type { TwinFound } from "./coin-checks.ts";

const pauseMs = 600;

/**
 * The stored coin that these facts seem to describe; null: none, or not all identifying facts are typed yet. Looked up when typing stops;
 * saving compares again.
 */
export function useTwin(id: number | null, facts: CoinFacts): TwinFound {
  const [found, setFound] = useState<{ coin: string; twin: TwinFound } | null>(null);
  const isTyped = facts.title.trim() !== "" && facts.country.trim() !== "" && facts.quality.trim() !== "";
  const areRead = [facts.year, facts.finenessTenths, facts.pureMassMg, facts.denominationValue ?? 0].every(Number.isFinite);
  const coin = isTyped && areRead ? JSON.stringify(Object.fromEntries(identifyingFields.map((field) => [field, facts[field]]))) : null;
  useEffect(() => {
    if (coin === null) return;
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      const query = { coin, ...(id === null ? {} : { id }) };
      const answer = await callStaff(contract.findCoinTwin, { query, signal: stop.signal });
      // Facts that the server cannot read are named beside their fields when the coin is saved.
      if (!stop.signal.aborted) setFound({ coin, twin: answer.ok ? answer.value.twin : "unknown" });
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [id, coin]);
  if (coin === null) return null;
  return found?.coin === coin ? found.twin : undefined;
}
