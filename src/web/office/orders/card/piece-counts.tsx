import type { OrderCardView } from "#contract/staff/orders/orders.ts";
import { countIn } from "./pieces.ts";

/** How many pieces of each coin, by the coin's id. */
export type Counts = Readonly<Record<number, number>>;
type Line = OrderCardView["lines"][number];

/** The chosen pieces as calls take them. */
export const chosenPieces = (counts: Counts): { id: number; count: number }[] =>
  Object.entries(counts).flatMap(([id, count]) => (count > 0 ? [{ id: Number(id), count }] : []));

/** A counter for each coin of the order, from none to `maxOf` its line. */
export function PieceCounts({
  caption,
  lines,
  maxOf,
  counts,
  onChange,
}: {
  caption: string;
  lines: readonly Line[];
  maxOf: (line: Line) => number;
  counts: Counts;
  onChange: (counts: Counts) => void;
}) {
  return (
    <table className="table">
      <caption className="visually-hidden">{caption}</caption>
      <tbody>
        {lines.map((line) => {
          const { id, title } = line;
          const left = maxOf(line);
          const taken = counts[id] ?? 0;
          const set = (value: number) => onChange({ ...counts, [id]: Math.max(0, Math.min(left, value)) });
          const type = (text: string) => {
            const value = countIn(text, left);
            if (value !== null) set(value);
          };
          return (
            <tr key={id}>
              <th scope="row">
                {title} <span className="muted">из {left}</span>
              </th>
              <td>
                <span className="quantity">
                  <button type="button" aria-label={`Меньше: ${title}`} onClick={() => set(taken - 1)}>
                    −
                  </button>
                  <input aria-label={`${title}, штук`} inputMode="numeric" value={taken} onChange={(event) => type(event.target.value)} />
                  <button type="button" aria-label={`Больше: ${title}`} onClick={() => set(taken + 1)}>
                    +
                  </button>
                </span>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
