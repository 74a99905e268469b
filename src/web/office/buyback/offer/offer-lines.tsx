import * as contract from "#contract/staff/calls.ts";
import { coinConditions } from "#shop/inquiries/inquiry.ts";
import { callStaff } from "../../client.ts";
import { conditionWords } from "../../requests/words.ts";
import { CoinField } from "../../stock/coin-choice.tsx";
import "../../styles/screens/buyback.css";
import { Field, Select } from "../../ui/form/field.tsx";
import { Trouble } from "../../ui/marks.tsx";
import { lineError } from "../../ui/form/line-error.ts";
import { inCondition, lineOf, piecesOf, priceOf, sumOf, withPrice, type TypedLine } from "../lines.ts";
import { money } from "../words.ts";

export const conditionOptions = coinConditions.map((condition) => [condition, conditionWords[condition]] as const);
const findCoins = (text: string) => callStaff(contract.findDealCoins, { query: { text } });

/** The coins of an offer: found by scanner or title, each at today's price for its condition. */
export function OfferLines({
  lines,
  fields,
  onChange,
}: {
  lines: readonly TypedLine[];
  fields: Readonly<Record<string, string>>;
  onChange: (change: (before: readonly TypedLine[]) => readonly TypedLine[]) => void;
}) {
  const set = (index: number, change: (line: TypedLine) => TypedLine) =>
    onChange((before) => before.map((line, place) => (place === index ? change(line) : line)));
  return (
    <>
      <CoinField
        label="Добавить монету"
        find={findCoins}
        error={lines.length === 0 ? fields["lines"] : null}
        onChoose={(coin) =>
          onChange((before) => {
            const known = before.find((line) => line.coin.id === coin.id);
            // The scanner reads each piece.
            if (known) return before.map((line) => (line === known ? { ...line, quantity: String((piecesOf(line) ?? 0) + 1) } : line));
            return [...before, lineOf(coin, 1, before.at(-1)?.condition)];
          })
        }
      />
      {lines.length > 0 ? (
        <div className="table-scroll" role="region" aria-label="Монеты сделки" tabIndex={0}>
          <table className="table offer-lines">
            <caption className="visually-hidden">Монеты сделки</caption>
            <thead>
              <tr>
                <th scope="col">Монета</th>
                <th scope="col">Штук</th>
                <th scope="col">Состояние</th>
                <th scope="col">Цена одной, ₽</th>
                <th scope="col" className="align-right">
                  Сумма
                </th>
                <th scope="col">
                  <span className="visually-hidden">Убрать</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {lines.map((line, index) => (
                <tr key={line.coin.id}>
                  <th scope="row">
                    {line.coin.title} <span className="muted">{line.coin.code}</span>
                    {lineError(fields, index, "coin") ? <Trouble>{lineError(fields, index, "coin")}</Trouble> : null}
                  </th>
                  <td>
                    <Field
                      label={`${line.coin.title}, штук`}
                      isLabelHidden
                      inputMode="numeric"
                      autoComplete="off"
                      className="input input--right"
                      value={line.quantity}
                      error={lineError(fields, index, "quantity")}
                      onChange={({ target }) => set(index, (before) => ({ ...before, quantity: target.value }))}
                    />
                  </td>
                  <td>
                    <Select
                      label={`${line.coin.title}, состояние`}
                      isLabelHidden
                      options={conditionOptions}
                      value={line.condition}
                      onChange={({ target }) => set(index, (before) => inCondition(before, target.value as TypedLine["condition"]))}
                    />
                  </td>
                  <td>
                    <Field
                      label={`${line.coin.title}, цена одной`}
                      isLabelHidden
                      inputMode="numeric"
                      autoComplete="off"
                      className="input input--right"
                      value={line.price}
                      hint={priceHint(line)}
                      error={lineError(fields, index, "unitPrice")}
                      onChange={({ target }) => set(index, (before) => withPrice(before, target.value))}
                    />
                  </td>
                  <td className="align-right number">{money((piecesOf(line) ?? 0) * (priceOf(line) ?? 0))}</td>
                  <td>
                    <button
                      className="button button--quiet"
                      type="button"
                      aria-label={`Убрать ${line.coin.title}`}
                      onClick={() => onChange((before) => before.filter((_, place) => place !== index))}
                    >
                      Убрать
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
      {lines.length > 0 ? (
        <p className="offer-total" role="status">
          Предлагаем <b className="strong number">{money(sumOf(lines))}</b>
        </p>
      ) : null}
    </>
  );
}

/** What the price list says where the price is another one, or none. */
export function priceHint(line: TypedLine): string | null {
  const today = line.coin.prices[line.condition];
  if (today === null) return line.condition === "damaged" ? "цену называет осмотр" : "цены дня нет";
  return priceOf(line) === today ? null : `по прайсу ${money(today)}`;
}
