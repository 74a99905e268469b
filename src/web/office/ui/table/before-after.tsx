import { differences, fieldName } from "./facts.ts";

/** Before is grey, after is strong; fields that did not change stay for context. `textOf`: how a stored value reads. */
export function BeforeAfter({
  before,
  after,
  textOf = (_, value) => value,
}: {
  before: unknown;
  after: unknown;
  textOf?: (name: string, value: string) => string;
}) {
  const rows = differences(before, after);
  if (rows.length === 0) return <p className="hint">Без подробностей</p>;
  const hasBefore = rows.some((row) => row.before !== "");
  return (
    <table className="table table--tight before-after">
      <caption className="visually-hidden">Было и стало</caption>
      <thead>
        <tr>
          <th scope="col">Поле</th>
          {hasBefore ? <th scope="col">Было</th> : null}
          <th scope="col">{hasBefore ? "Стало" : "Значение"}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, before, after, isChanged }) => (
          <tr key={name}>
            <th scope="row">{fieldName(name)}</th>
            {hasBefore ? <td className="from">{textOf(name, before)}</td> : null}
            <td className={isChanged ? "after-value" : undefined}>{textOf(name, after)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
