import { useEffect, useState } from "react";
import * as contract from "#contract/calls.ts";
import type { SuggestView } from "#contract/catalog.ts";
import { callApi } from "#contract/client.ts";

/** Long enough that fast typing asks once, short enough to feel at once. */
const pauseMs = 120;
const nothing: SuggestView = { products: [], categories: [], articles: [] };

// In the browser only: going back by a letter asks nobody.
const cache = new Map<string, SuggestView>();

/** What to offer for a text that is being typed; the former offer stays until the next one is there. */
export function useSuggestions(text: string): { offer: SuggestView; isFor: string } {
  const query = text.replace(/\s+/g, " ").trim();
  const [found, setFound] = useState({ offer: nothing, isFor: "" });
  useEffect(() => {
    const seen = query === "" ? nothing : cache.get(query);
    if (seen) {
      setFound({ offer: seen, isFor: query });
      return undefined;
    }
    const stop = new AbortController();
    const timer = setTimeout(
      () =>
        void fetchSuggestions(query, stop.signal).then((offer) => {
          if (offer && !stop.signal.aborted) setFound({ offer, isFor: query });
        }),
      pauseMs,
    );
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [query]);
  return found;
}

async function fetchSuggestions(query: string, signal: AbortSignal): Promise<SuggestView | null> {
  const answer = await callApi(contract.suggest, { query: { q: query }, signal });
  if (!answer.ok) return null; // offering nothing is no fault of the reader's
  if (cache.size > 200) cache.clear();
  cache.set(query, answer.value);
  return answer.value;
}
