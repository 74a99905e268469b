/** The documents with a key, ascending, and the weight of the key in each. */
export type Postings = { documents: Int32Array; weights: Uint8Array };

/**
 * Collects which document has which key with which weight. In flat arrays outside the heap: a hundred thousand coins have seven million
 * entries, and a hundred thousand catalogue numbers that one coin has each.
 */
export function createPostings() {
  const numbers = new Map<string, number>();
  const entries = { key: new Int32Array(1024), document: new Int32Array(1024), weight: new Uint8Array(1024) };
  let lastEntry = new Int32Array(1024).fill(-1); // by key
  let length = 0;

  return {
    /** Documents come in ascending order. Of several weights of a key in one document the highest counts. */
    put(key: string, document: number, weight: number): void {
      let number = numbers.get(key);
      if (number === undefined) {
        number = numbers.size;
        numbers.set(key, number);
        if (number === lastEntry.length) lastEntry = grown(lastEntry, new Int32Array(number * 2).fill(-1));
      }
      const last = lastEntry[number] ?? -1;
      if (last >= 0 && entries.document[last] === document) {
        if ((entries.weight[last] ?? 0) < weight) entries.weight[last] = weight;
        return;
      }
      if (length === entries.key.length) {
        entries.key = grown(entries.key, new Int32Array(length * 2));
        entries.document = grown(entries.document, new Int32Array(length * 2));
        entries.weight = grown(entries.weight, new Uint8Array(length * 2));
      }
      entries.key[length] = number;
      entries.document[length] = document;
      entries.weight[length] = weight;
      lastEntry[number] = length;
      length += 1;
    },
    keys: () => numbers.keys(),
    /** Sorts the entries by key and returns their lookup; nothing may be put afterwards. */
    freeze(): (key: string) => Postings | undefined {
      const starts = new Int32Array(numbers.size + 1);
      for (let at = 0; at < length; at += 1) {
        const number = entries.key[at] ?? 0;
        starts[number + 1] = (starts[number + 1] ?? 0) + 1;
      }
      for (let number = 0; number < numbers.size; number += 1) starts[number + 1] = (starts[number + 1] ?? 0) + (starts[number] ?? 0);
      const [documents, weights, next] = [new Int32Array(length), new Uint8Array(length), starts.slice()];
      for (let at = 0; at < length; at += 1) {
        const number = entries.key[at] ?? 0;
        const place = next[number] ?? 0;
        next[number] = place + 1;
        documents[place] = entries.document[at] ?? 0;
        weights[place] = entries.weight[at] ?? 0;
      }
      entries.key = entries.document = new Int32Array(0);
      entries.weight = new Uint8Array(0);
      return (key) => {
        const number = numbers.get(key);
        if (number === undefined) return undefined;
        const [from, to] = [starts[number], starts[number + 1]];
        return { documents: documents.subarray(from, to), weights: weights.subarray(from, to) };
      };
    },
  };
}

function grown<T extends Int32Array | Uint8Array>(full: T, larger: T): T {
  larger.set(full);
  return larger;
}
