import { useState } from "react";
import * as contract from "#contract/staff/calls.ts";
import { dealLimits } from "#shop/buyback/deal.ts";
import { TextArea } from "../../ui/form/field.tsx";
import { UnsavedMark } from "../../ui/form/unsaved-mark.tsx";
import { Notice } from "../../ui/marks.tsx";
import { Section } from "../../ui/page-head.tsx";
import { useSend } from "../../ui/send/use-send.ts";
import { atNewPrices, offeredLine, readLines, type TypedLine } from "../lines.ts";
import { OfferLines } from "../offer/offer-lines.tsx";
import { money, type DealCard } from "../words.ts";
import type { PanelProps } from "./check-panel.tsx";
import { PanelStaleDialog, staleOf, type DealStale } from "./deal-stale.tsx";

const linesOf = ({ lines }: DealCard): TypedLine[] => lines.flatMap(({ coin, offered }) => (offered ? [offeredLine(coin, offered)] : []));

/** The lines of an offer that is not locked yet, in place of their table. */
export function EditOffer({ card, onClose, onSaved, onReload }: PanelProps) {
  const { send, isBusy, refusal, fields, forget } = useSend(contract.editDeal, { stores: "screen" });
  const [lines, setLines] = useState<readonly TypedLine[]>(() => linesOf(card));
  const [note, setNote] = useState(card.note);
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({});
  const [stale, setStale] = useState<(DealStale & { lock: boolean }) | null>(null);
  const save = async (lock: boolean, revision = card.revision) => {
    setStale(null);
    const read = readLines(lines);
    setWrong(read.wrong);
    if (Object.keys(read.wrong).length > 0) return;
    const answer = await send({ params: { id: card.id }, body: { revision, note, lines: read.lines, lock } });
    if (answer?.ok) return onSaved(lock ? "Цены зафиксированы" : "Предложение сохранено");
    if (answer?.error?.code === "buyback.other_prices") {
      const { coins } = answer.error.data;
      return setLines((before) => atNewPrices(before, coins));
    }
    if (answer?.error?.code !== "staff.stale") return;
    const sum = read.lines.reduce((total, { quantity, unitPrice }) => total + quantity * unitPrice, 0);
    const { current } = answer.error.data;
    setStale({
      lock,
      ...staleOf(card, answer.error.data, "edit", [
        { label: "Предлагаем", yours: money(sum), current: money(current.offerSum) },
        ...(note === current.note ? [] : [{ label: "Заметка", yours: note || "пусто", current: current.note || "пусто" }]),
      ]),
    });
  };
  return (
    <Section title="Предложение">
      {refusal && !stale && Object.keys(fields).length === 0 ? (
        <Notice tone="warn">
          <p>{refusal.message}</p>
        </Notice>
      ) : null}
      <UnsavedMark value={lines.map(({ coin }) => coin.id)} stored={linesOf(card).map(({ coin }) => coin.id)} />
      <OfferLines lines={lines} fields={{ ...fields, ...wrong }} onChange={setLines} />
      <TextArea
        label="Заметка для своих"
        rows={2}
        maxLength={dealLimits.note}
        value={note}
        error={fields["note"]}
        onChange={({ target }) => setNote(target.value)}
      />
      <div className="actions actions--after">
        <button className="button" type="button" disabled={isBusy || lines.length === 0} onClick={() => void save(false)}>
          Сохранить предложение
        </button>
        <button className="button button--gold" type="button" disabled={isBusy || lines.length === 0} onClick={() => void save(true)}>
          Сохранить и зафиксировать
        </button>
        <button className="button button--quiet" type="button" disabled={isBusy} onClick={onClose}>
          Не менять
        </button>
      </div>
      <PanelStaleDialog
        stale={stale}
        onAgain={(revision) => void (stale && save(stale.lock, revision))}
        onForget={() => {
          setStale(null);
          forget();
        }}
        onLeave={onClose}
        onReload={onReload}
      />
    </Section>
  );
}
