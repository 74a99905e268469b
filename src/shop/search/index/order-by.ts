/**
 * Positions sorted by `keys`, ascending; NaN (unknown) goes last and equal keys keep the order of `before` (absent: of the positions).
 * A radix sort: linear, because a comparison sort of a hundred thousand prices stops the process for a tenth of a second.
 */
export function orderBy(keys: Float64Array, before: Int32Array | null = null): Int32Array {
  const size = keys.length;
  const halves = sortableHalves(keys);
  let order = before?.slice() ?? Int32Array.from({ length: size }, (_, position) => position);
  let target = new Int32Array(size);
  for (const digits of halves)
    for (const shift of [0, 16]) {
      const starts = startsOf(digits, shift);
      if (starts === null) continue;
      for (let at = 0; at < size; at += 1) {
        const position = order[at] ?? 0;
        const digit = ((digits[position] ?? 0) >>> shift) & 0xffff;
        const place = starts[digit] ?? 0;
        starts[digit] = place + 1;
        target[place] = position;
      }
      [order, target] = [target, order];
    }
  return order;
}

/** The lower and the upper halves of numbers whose unsigned order is that of the keys. */
function sortableHalves(keys: Float64Array): [Uint32Array, Uint32Array] {
  const [low, high] = [new Uint32Array(keys.length), new Uint32Array(keys.length)];
  const view = new DataView(new ArrayBuffer(8));
  for (let i = 0; i < keys.length; i += 1) {
    const key = keys[i] ?? Number.NaN;
    view.setFloat64(0, Number.isNaN(key) ? Number.NaN : key + 0); // no negative zero
    const [upper, lower] = [view.getUint32(0), view.getUint32(4)];
    // The bits of a negative number fall while it rises (IEEE 754).
    const isNegative = upper >>> 31 === 1 && !Number.isNaN(key);
    high[i] = Number.isNaN(key) ? 0xffff_ffff : isNegative ? ~upper : upper | 0x8000_0000;
    low[i] = isNegative ? ~lower : lower;
  }
  return [low, high];
}

/** Where each digit begins in the sorted order; null when all have the same digit. */
function startsOf(digits: Uint32Array, shift: number): Int32Array | null {
  const starts = new Int32Array(0x1_0000);
  for (const each of digits) {
    const digit = (each >>> shift) & 0xffff;
    starts[digit] = (starts[digit] ?? 0) + 1;
  }
  const first = ((digits[0] ?? 0) >>> shift) & 0xffff;
  if (starts[first] === digits.length) return null;
  let sum = 0;
  for (let digit = 0; digit < starts.length; digit += 1) {
    const count = starts[digit] ?? 0;
    starts[digit] = sum;
    sum += count;
  }
  return starts;
}
