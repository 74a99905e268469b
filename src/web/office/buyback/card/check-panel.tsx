import { useState } from "react";
import * as contract from "#contract/staff/calls.ts";
import { dealLimits } from "#shop/buyback/deal.ts";
import { callStaff } from "../../client.ts";
import { CoinField } from "../../stock/coin-choice.tsx";
import { Field, Select } from "../../ui/form/field.tsx";
import { UnsavedMark } from "../../ui/form/unsaved-mark.tsx";
import { Notice } from "../../ui/marks.tsx";
import { Panel } from "../../ui/panel.tsx";
import { useSend } from "../../ui/send/use-send.ts";
import { lineError } from "../../ui/form/line-error.ts";
import { inCondition, isChanged, lineOf, piecesOf, readLines, sumOf, typedLine, withPrice, type TypedLine } from "../lines.ts";
import { conditionOptions, priceHint } from "../offer/offer-lines.tsx";
import { money, partText, type DealCard, type LinePart } from "../words.ts";
import { PanelStaleDialog, staleOf, type DealStale } from "./deal-stale.tsx";

type Line = TypedLine & { offered: LinePart | null };
const linesOf = ({ lines }: DealCard): Line[] =>
  lines.flatMap(({ coin, offered, checked }) => {
    const part = checked ?? offered;
    return part ? [{ ...typedLine(coin, part), offered }] : [];
  });
const withSign = (sum: number): string => (sum > 0 ? `+${money(sum)}` : money(sum));

export type PanelProps = {
  card: DealCard;
  onClose: () => void;
  onSaved: (text: string) => Promise<void>;
  onReload: () => Promise<void>;
};

/** Records what came: pieces, condition and price of each coin, and shows the new sum before it is confirmed. */
export function CheckPanel({ card, onClose, onSaved, onReload }: PanelProps) {
  const { send, isBusy, refusal, fields, forget } = useSend(contract.checkDeal);
  const [lines, setLines] = useState<readonly Line[]>(() => linesOf(card));
  const [reason, setReason] = useState(card.checkReason);
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({});
  const [stale, setStale] = useState<DealStale | null>(null);
  const set = (index: number, change: (line: Line) => Line) =>
    setLines((before) => before.map((line, place) => (place === index ? change(line) : line)));
  const sum = sumOf(lines);
  const needsReason = lines.some((line) => isChanged(line, line.offered));
  const save = async (revision = card.revision) => {
    setStale(null);
    const read = readLines(lines);
    const mistakes = needsReason && reason.trim() === "" ? { ...read.wrong, reason: "Почему не так, как предлагали" } : read.wrong;
    setWrong(mistakes);
    if (Object.keys(mistakes).length > 0) return;
    const found = read.lines.map(({ coin, quantity, condition, unitPrice }) => ({ coin, quantity, condition, unitPrice }));
    const answer = await send({ params: { id: card.id }, body: { revision, lines: found, reason: needsReason ? reason : "" } });
    if (answer?.ok) return onSaved(`Проверено: ${money(answer.value.sum)}`);
    if (answer?.error?.code === "staff.stale")
      setStale(
        staleOf(card, answer.error.data, "check", [
          { label: "Вы проверили", yours: money(sum), current: money(answer.error.data.current.sum) },
        ]),
      );
  };
  const shown = { ...fields, ...wrong };
  return (
    <Panel
      title="Проверить и переоценить"
      onClose={onClose}
      onSubmit={() => void save()}
      foot={
        <>
          <dl className="rows">
            <div>
              <dt>Предлагали</dt>
              <dd className="number">{money(card.offerSum)}</dd>
            </div>
            <div className="total">
              <dt>По проверке</dt>
              <dd className="number" aria-live="polite">
                {money(sum)} {sum === card.offerSum ? null : <span className="muted">{withSign(sum - card.offerSum)}</span>}
              </dd>
            </div>
          </dl>
          <button className="button button--gold button--wide" type="submit" disabled={isBusy}>
            Подтвердить {money(sum)} <kbd>Ctrl Enter</kbd>
          </button>
        </>
      }
    >
      {refusal && !stale && Object.keys(fields).length === 0 ? (
        <Notice tone="warn">
          <p>{refusal.message}</p>
        </Notice>
      ) : null}
      <UnsavedMark value={lines.map(({ coin }) => coin.id)} stored={linesOf(card).map(({ coin }) => coin.id)} />
      {lines.map((line, index) => (
        <fieldset key={line.coin.id} className="check-line">
          <legend>{line.coin.title}</legend>
          <p className="hint">
            {line.offered ? `предлагали ${partText(line.offered)}` : "не предлагали"}
            {line.offered ? null : (
              <>
                {" "}
                <button
                  className="text-button"
                  type="button"
                  aria-label={`Убрать ${line.coin.title}`}
                  onClick={() => setLines((before) => before.filter((_, place) => place !== index))}
                >
                  Убрать
                </button>
              </>
            )}
          </p>
          <div className="check-line__fields">
            <Field
              label="Штук"
              aria-label={`${line.coin.title}, пришло штук`}
              inputMode="numeric"
              autoComplete="off"
              className="input input--right"
              value={line.quantity}
              error={lineError(shown, index, "quantity")}
              onChange={({ target }) => set(index, (before) => ({ ...before, quantity: target.value }))}
            />
            <Select
              label="Состояние"
              aria-label={`${line.coin.title}, состояние`}
              options={conditionOptions}
              value={line.condition}
              onChange={({ target }) => set(index, (before) => ({ ...before, ...inCondition(before, target.value as Line["condition"]) }))}
            />
            <Field
              label="Цена, ₽"
              aria-label={`${line.coin.title}, цена одной`}
              inputMode="numeric"
              autoComplete="off"
              className="input input--right"
              value={line.price}
              error={lineError(shown, index, "unitPrice")}
              onChange={({ target }) => set(index, (before) => ({ ...before, ...withPrice(before, target.value) }))}
            />
          </div>
          {priceHint(line) ? <p className="hint">{priceHint(line)}</p> : null}
        </fieldset>
      ))}
      <CoinField
        label="Пришла другая монета"
        find={(text) => callStaff(contract.findDealCoins, { query: { text } })}
        onChoose={(coin) =>
          setLines((before) =>
            before.some((line) => line.coin.id === coin.id)
              ? before.map((line) => (line.coin.id === coin.id ? { ...line, quantity: String((piecesOf(line) ?? 0) + 1) } : line))
              : [...before, { ...lineOf(coin), offered: null }],
          )
        }
      />
      {needsReason ? (
        <Field
          label="Почему не так, как предлагали"
          hint="Увидят те, кто платит; попадёт в историю сделки"
          autoComplete="off"
          maxLength={dealLimits.reason}
          value={reason}
          error={shown["reason"]}
          onChange={({ target }) => setReason(target.value)}
        />
      ) : null}
      <PanelStaleDialog
        stale={stale}
        onAgain={(revision) => void save(revision)}
        onForget={() => {
          setStale(null);
          forget();
        }}
        onLeave={onClose}
        onReload={onReload}
      />
    </Panel>
  );
}
