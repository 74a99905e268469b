import { useEffect, useState } from "react";
import * as contract from "#contract/calls.ts";
import type { SuggestView } from "#contract/public/catalog.ts";
import { callApi } from "#contract/client.ts";

/** Long enough for fast typing to send one request, short enough to feel immediate. */
const pauseMs = 120;
const nothing: SuggestView = { products: [], categories: [], articles: [] };

// In the browser only: deleting a letter needs no request.
const cache = new Map<string, SuggestView>();

/** Suggestions for the typed text and the query they belong to (`forQuery`); the previous ones stay until the next ones arrive. */
export function useSuggestions(text: string): { offer: SuggestView; forQuery: string } {
  const query = text.replace(/\s+/g, " ").trim();
  const [found, setFound] = useState({ offer: nothing, forQuery: "" });
  useEffect(() => {
    const seen = query === "" ? nothing : cache.get(query);
    if (seen) {
      setFound({ offer: seen, forQuery: query });
      return undefined;
    }
    const stop = new AbortController();
    const timer = setTimeout(
      () =>
        void fetchSuggestions(query, stop.signal).then((offer) => {
          if (offer && !stop.signal.aborted) setFound({ offer, forQuery: query });
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
  if (!answer.ok) return null; // a failed suggestion shows no error
  if (cache.size > 200) cache.clear();
  cache.set(query, answer.value);
  return answer.value;
}
