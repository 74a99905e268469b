export type Newest = {
  /** Aborts the request before and returns the signal of the new one. */
  begin: () => AbortSignal;
  end: () => void;
};

/**
 * Keeps only the newest of several requests, such as lookups while a person types, whose answers may arrive in any order. An answer whose
 * signal is aborted is outdated and must be ignored.
 */
export function createNewest(): Newest {
  let running = new AbortController();
  return {
    begin: () => {
      running.abort();
      running = new AbortController();
      return running.signal;
    },
    end: () => running.abort(),
  };
}
