export type Newest = {
  /** Ends the question before it and returns the signal of the new one. */
  begin: () => AbortSignal;
  end: () => void;
};

/**
 * What is asked while a person types: answers arrive in any order, and only that to the newest question counts. An answer whose signal has
 * ended belongs to what was typed before.
 */
export function createNewest(): Newest {
  let asked = new AbortController();
  return {
    begin: () => {
      asked.abort();
      asked = new AbortController();
      return asked.signal;
    },
    end: () => asked.abort(),
  };
}
