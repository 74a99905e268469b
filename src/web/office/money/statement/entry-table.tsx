import type { ReactNode } from "react";
import { Link } from "react-router";
import { Trouble } from "../../ui/marks.tsx";
import { reasonTexts, suggestionTexts, sum, type LeftEntry } from "../words.ts";

/** The suggestion that may be accepted without looking at the others; undefined: there is none. */
export const strongSuggestion = ({ suggestions }: LeftEntry) => suggestions.find(({ isStrong }) => isStrong);

type EntryTableProps = {
  /** Entries without a strong suggestion, and those with one. */
  unmatched: readonly LeftEntry[];
  suggested: readonly LeftEntry[];
  /** The entry that is open beside the table. */
  currentId: number | undefined;
  /** Why an entry was not settled, by its id. */
  reasons: ReadonlyMap<number, string>;
  onChoose: (entry: LeftEntry) => void;
  /** Settles entries on the orders that are suggested; null: the person may not. */
  onSettle: ((entries: readonly LeftEntry[]) => void) | null;
  isBusy: boolean;
};

/** The entries of a statement that wait for staff. */
export function EntryTable({ unmatched, suggested, currentId, reasons, onChoose, onSettle, isBusy }: EntryTableProps) {
  return (
    <div className="table-scroll" role="region" aria-label="Строки выписки" tabIndex={0}>
      <table className="table">
        <caption className="visually-hidden">Строки выписки</caption>
        <thead>
          <tr>
            <th scope="col">Поручение</th>
            <th scope="col">От кого</th>
            <th scope="col">Назначение</th>
            <th scope="col" className="align-right">
              Сумма, ₽
            </th>
            <th scope="col">Куда</th>
          </tr>
        </thead>
        {unmatched.length > 0 ? (
          <tbody>
            <tr className="group-row">
              <th colSpan={5} scope="rowgroup">
                Не сошлось{" "}
                <span className="muted">
                  {unmatched.length} на {sum(totalOf(unmatched))} ₽
                </span>
              </th>
            </tr>
            {unmatched.map((entry) => (
              <Row key={entry.id} entry={entry} isCurrent={entry.id === currentId} isBad onChoose={() => onChoose(entry)}>
                <span className="soft">{entry.reason ? reasonTexts[entry.reason] : ""}</span> <Refused why={reasons.get(entry.id)} />
              </Row>
            ))}
          </tbody>
        ) : null}
        {suggested.length > 0 ? (
          <tbody>
            <tr className="group-row">
              <th colSpan={5} scope="rowgroup">
                Предложено <span className="muted">{suggested.length}, проверьте и примите</span>
                {onSettle ? (
                  <button className="button button--small" type="button" disabled={isBusy} onClick={() => onSettle(suggested)}>
                    Принять все {suggested.length} <kbd>A</kbd>
                  </button>
                ) : null}
              </th>
            </tr>
            {suggested.map((entry) => {
              const best = strongSuggestion(entry);
              return (
                <Row key={entry.id} entry={entry} isCurrent={entry.id === currentId} onChoose={() => onChoose(entry)}>
                  {best ? (
                    <>
                      <Link to={`/orders/${best.id}`}>{best.number}</Link>{" "}
                      <span className="muted">{best.reasons.map((reason) => suggestionTexts[reason]).join(", ")}</span>{" "}
                      <Refused why={reasons.get(entry.id)} />{" "}
                      {onSettle ? (
                        <button className="button button--small" type="button" disabled={isBusy} onClick={() => onSettle([entry])}>
                          Зачесть
                        </button>
                      ) : null}
                    </>
                  ) : null}
                </Row>
              );
            })}
          </tbody>
        ) : null}
      </table>
    </div>
  );
}

/** Why «Зачесть» did not settle this entry. */
const Refused = ({ why }: { why: string | undefined }) =>
  why ? (
    <span className="entry-refusal">
      <Trouble>{why}</Trouble>
    </span>
  ) : null;

const totalOf = (entries: readonly LeftEntry[]): number =>
  entries.reduce((total, { amount, isOutgoing }) => total + Math.round(amount * 100) * (isOutgoing ? -1 : 1), 0) / 100;

function Row({
  entry,
  isCurrent,
  isBad = false,
  onChoose,
  children,
}: {
  entry: LeftEntry;
  isCurrent: boolean;
  isBad?: boolean;
  onChoose: () => void;
  children: ReactNode;
}) {
  return (
    <tr className={[isBad ? "is-bad" : "", isCurrent ? "is-current" : ""].join(" ").trim() || undefined} onClick={onChoose}>
      <td className="number soft nowrap">{entry.number}</td>
      <th scope="row" className="bounded">
        <button className="text-button" type="button" aria-pressed={isCurrent} onClick={onChoose}>
          {entry.payer || "Без имени"}
        </button>
      </th>
      <td className="truncated soft">{entry.purpose}</td>
      <td className="align-right number strong nowrap">
        {entry.isOutgoing ? "−" : ""}
        {sum(entry.amount)}
      </td>
      <td className="nowrap">{children}</td>
    </tr>
  );
}
