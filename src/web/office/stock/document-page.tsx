import { useEffect, useState } from "react";
import { Link, useNavigate, useParams, useSearchParams } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { number } from "#kit/format.ts";
import { grantOf, roles } from "#shop/staff/role.ts";
import { documentKinds, isCorrecting } from "#shop/stock/documents/document.ts";
import { callStaff, type RefusalOf } from "../client.ts";
import { dayText } from "../money/words.ts";
import { useStaff } from "../session.ts";
import { MissingScreen } from "../shell/states.tsx";
import { WaitingApprovals } from "../staff/waiting-approvals.tsx";
import { actorText, roleList, when } from "../staff/words.ts";
import { confirm } from "../ui/form/confirm.tsx";
import { DateInput } from "../ui/form/date-input.tsx";
import { Field } from "../ui/form/field.tsx";
import { Good, Notice, Refusal, Trouble } from "../ui/marks.tsx";
import { lineError } from "../ui/form/line-error.ts";
import { parseMoney } from "../ui/form/money.ts";
import { PageHead, Section } from "../ui/page-head.tsx";
import { StaleDialog } from "../ui/form/stale-dialog.tsx";
import { showToast } from "../ui/toasts.tsx";
import { UnsavedMark } from "../ui/form/unsaved-mark.tsx";
import { useRead } from "../ui/send/use-read.ts";
import { useSend } from "../ui/send/use-send.ts";
import "../styles/screens/stock.css";
import { CoinChoice } from "./coin-choice.tsx";
import { draftDifferences, linesOf, type Line } from "./draft.ts";
import {
  costText,
  kindTexts,
  refusalTexts,
  signed,
  stateTexts,
  type StockCoin,
  type DocumentKind,
  type StockDocumentView,
} from "./words.ts";

/** A document of the stock: a draft to be filled in, or a posted one to be read and taken back. */
export function Component() {
  const { id } = useParams();
  return id === undefined ? <NewDocument /> : <StoredDocument key={id} id={id} />;
}

function NewDocument() {
  const [params] = useSearchParams();
  const kind = documentKinds.find((each) => each === params.get("kind")) ?? "receipt";
  return <Draft key={kind} kind={kind} stored={null} firstCoin={params.get("coin")} />;
}

function StoredDocument({ id }: { id: string }) {
  const { may } = useStaff();
  const { data, refusal, reload } = useRead(contract.readDocument, { params: { id } });
  // What is typed stays while the draft is read again; it goes when the reader takes the version of the server.
  const [version, setVersion] = useState(0);
  if (refusal?.code === "staff.not_found" && !data) return <MissingScreen />;
  // A document that could not be read again stays with what is typed.
  const unread = refusal ? <Refusal text={refusal.message} /> : null;
  if (!data) return unread ?? <p role="status">Загружаем…</p>;
  return (
    <>
      {unread}
      {data.state === "draft" && may("stock.post") !== null ? (
        <Draft
          key={version}
          kind={data.kind}
          stored={data}
          onStored={reload}
          onReplaced={() => void reload().then(() => setVersion(version + 1))}
          firstCoin={null}
        />
      ) : (
        <Posted document={data} onChanged={reload} />
      )}
    </>
  );
}

/** The coins and quantities of lines: what buttons and the scanner change. */
const coinsOf = (lines: readonly Line[]): [number, string][] => lines.map(({ coin, quantity }) => [coin.id, quantity]);

/** A whole number as it was typed, with a plain or a typographic minus; NaN when it is none. */
const wholeOf = (text: string): number => (/^[-−+]?\d{1,6}$/.test(text.trim()) ? Number(text.trim().replace("−", "-")) : Number.NaN);

function Draft({
  kind,
  stored,
  onStored = () => Promise.resolve(),
  onReplaced = () => undefined,
  firstCoin,
}: {
  kind: DocumentKind;
  stored: StockDocumentView | null;
  onStored?: () => Promise<void>;
  onReplaced?: () => void;
  firstCoin: string | null;
}) {
  const navigate = useNavigate();
  const { may } = useStaff();
  const mayPostDraft = !isCorrecting(kind) || may("stock.correct") !== null;
  const [supplier, setSupplier] = useState(stored?.supplier ?? "");
  const [paper, setPaper] = useState(stored?.number ?? "");
  const [date, setDate] = useState(stored?.date ?? null);
  const [note, setNote] = useState(stored?.note ?? "");
  const [lines, setLines] = useState<readonly Line[]>(linesOf(stored));
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({});
  const create = useSend(contract.createDocument, { stores: "screen" });
  const save = useSend(contract.saveDocument, { stores: "screen" });
  const discard = useSend(contract.discardDocument);
  const post = usePosting(kind);
  const hasCost = kind === "receipt" || kind === "opening_cost";
  const hasQuantity = kind !== "opening_cost";
  useEffect(() => {
    if (firstCoin === null) return;
    void callStaff(contract.readStockCoin, { params: { id: firstCoin } }).then((answer) => {
      if (answer.ok) setLines((before) => (before.length > 0 ? before : [{ coin: answer.value, quantity: "", cost: "" }]));
    });
  }, [firstCoin]);

  const add = (coin: StockCoin) =>
    setLines((before) => {
      const known = before.find((line) => line.coin.id === coin.id);
      // The scanner reads each piece.
      if (known && hasQuantity)
        return before.map((line) => (line === known ? { ...line, quantity: String((wholeOf(line.quantity) || 0) + 1) } : line));
      return known ? before : [...before, { coin, quantity: hasQuantity ? "1" : "", cost: "" }];
    });
  const change = (index: number, part: Partial<Line>) =>
    setLines((before) => before.map((line, place) => (place === index ? { ...line, ...part } : line)));

  /** Stores what is typed; returns the stored document, or null when something is wrong. */
  const store = async (revision = stored?.revision): Promise<StockDocumentView | null> => {
    const mistakes: Record<string, string> = {};
    const sent = lines.map(({ coin, quantity, cost }, index) => {
      const pieces = hasQuantity ? wholeOf(quantity) : 0;
      const unitCost = hasCost && cost.trim() !== "" ? parseMoney(cost) : null;
      if (Number.isNaN(pieces)) mistakes[`${index}.quantity`] = "Целое число";
      if (hasCost && cost.trim() !== "" && unitCost === null) mistakes[`${index}.unitCost`] = "Сумма в рублях, например 1 234,50";
      return { coin: coin.id, quantity: pieces, unitCost: unitCost === null ? null : unitCost / 100 };
    });
    setWrong(mistakes);
    if (Object.keys(mistakes).length > 0) return null;
    const draft = { kind, supplier, number: paper, date, note, lines: sent };
    const answer =
      stored && revision !== undefined
        ? await save.send({ params: { id: stored.id }, body: { revision, draft } })
        : await create.send({ body: draft });
    return answer?.ok ? answer.value : null;
  };
  const keep = async (revision?: number) => {
    const document = await store(revision);
    if (!document) return;
    showToast("Черновик сохранён");
    if (stored) await onStored();
    else await navigate(`/stock/documents/${document.id}`, { replace: true });
  };
  const finish = async () => {
    const document = await store();
    if (!document) return;
    const answer = await post.send({ params: { id: document.id }, body: { revision: document.revision } });
    if (answer?.ok) showToast("Документ проведён");
    if (stored) return onStored();
    // The draft is stored: its own screen goes on with it.
    if (answer && !answer.ok && answer.error) showToast(answer.error.message, { isTrouble: true });
    await navigate(`/stock/documents/${document.id}`, { replace: true });
  };
  const dismiss = async () => {
    if (!stored || !(await confirm({ title: "Отложить черновик насовсем?", action: "Не нужен" }))) return;
    const answer = await discard.send({ params: { id: stored.id }, body: { revision: stored.revision } });
    if (answer?.ok) await onStored();
  };

  const fields: Readonly<Record<string, string>> = { ...create.fields, ...save.fields, ...wrong };
  const stale = save.refusal?.code === "staff.stale" ? save.refusal.data : null;
  const isBusy = create.isBusy || save.isBusy || post.isBusy || discard.isBusy;
  const refusals = [create.refusal, stale ? null : save.refusal, post.refusal, discard.refusal];
  const hasEveryCost = lines.every(({ cost }) => parseMoney(cost) !== null);
  const total = lines.reduce((sum, { quantity, cost }) => sum + Math.abs(wholeOf(quantity) || 0) * (parseMoney(cost) ?? 0), 0);
  return (
    <>
      <PageHead
        title={stored ? `${kindTexts[kind]} ${stored.id}` : `${kindTexts[kind]}, новый документ`}
        facts={
          stored?.stocktakeId ? (
            <Link to={`/stock/stocktakes/${stored.stocktakeId}`}>по инвентаризации {stored.stocktakeId}</Link>
          ) : (
            "черновик"
          )
        }
        actions={
          <>
            {stored ? (
              <button className="button button--quiet" type="button" disabled={isBusy} onClick={() => void dismiss()}>
                Не нужен
              </button>
            ) : null}
            <button className="button" type="button" disabled={isBusy} onClick={() => void keep()}>
              Сохранить черновик
            </button>
            {mayPostDraft ? (
              <button className="button button--gold" type="button" disabled={isBusy || lines.length === 0} onClick={() => void finish()}>
                Провести
              </button>
            ) : null}
          </>
        }
      />
      <Refusals of={refusals} />
      {stored ? <WaitingApprovals area="stock" record={stored.id} /> : null}
      {mayPostDraft ? null : (
        <p className="soft">
          Проводят роли: {roleList(roles.filter((role) => grantOf([role], "stock.correct") !== null))}. Сохраните черновик.
        </p>
      )}
      {fields["lines"] ? <Trouble>{fields["lines"]}</Trouble> : null}
      <div className="stock-fields">
        {kind === "receipt" ? (
          <>
            <Field
              label="Поставщик"
              value={supplier}
              maxLength={200}
              error={fields["supplier"] ?? null}
              onChange={(event) => setSupplier(event.target.value)}
            />
            <Field label="Номер накладной" value={paper} maxLength={60} onChange={(event) => setPaper(event.target.value)} />
            <DateInput label="От" value={date} onChange={setDate} error={fields["date"] ?? null} />
          </>
        ) : null}
        <Field
          label={isCorrecting(kind) ? "Причина" : "Примечание"}
          value={note}
          maxLength={500}
          error={fields["note"] ?? null}
          onChange={(event) => setNote(event.target.value)}
        />
      </div>
      <UnsavedMark value={coinsOf(lines)} stored={coinsOf(linesOf(stored))} />
      <CoinChoice label="Добавить монету" onChoose={add} />
      {lines.length > 0 ? (
        <div className="table-scroll" role="region" aria-label="Монеты документа" tabIndex={0}>
          <table className="table">
            <caption className="visually-hidden">Монеты документа</caption>
            <thead>
              <tr>
                <th scope="col">Монета</th>
                {hasQuantity ? <th scope="col">Штук</th> : null}
                {hasCost ? <th scope="col">Стоила одна, ₽</th> : null}
                <th scope="col">
                  <span className="visually-hidden">Убрать</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {lines.map(({ coin, quantity, cost }, index) => (
                <tr key={coin.id}>
                  <th scope="row">
                    {coin.title} <span className="muted">{coin.code}</span>
                    {lineError(fields, index, "coin") ? <Trouble>{lineError(fields, index, "coin")}</Trouble> : null}
                  </th>
                  {hasQuantity ? (
                    <td>
                      <Field
                        label={`${coin.title}, штук`}
                        isLabelHidden
                        inputMode="numeric"
                        className="input input--right"
                        value={quantity}
                        error={lineError(fields, index, "quantity")}
                        onChange={(event) => change(index, { quantity: event.target.value })}
                      />
                    </td>
                  ) : null}
                  {hasCost ? (
                    <td>
                      <Field
                        label={`${coin.title}, стоила одна`}
                        isLabelHidden
                        inputMode="decimal"
                        className="input input--right"
                        value={cost}
                        error={lineError(fields, index, "unitCost")}
                        onChange={(event) => change(index, { cost: event.target.value })}
                      />
                    </td>
                  ) : null}
                  <td>
                    <button
                      className="button button--quiet"
                      type="button"
                      aria-label={`Убрать ${coin.title}`}
                      onClick={() => setLines((before) => before.filter((_, place) => place !== index))}
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
      {kind === "receipt" && lines.length > 0 ? (
        <p className="soft number">{hasEveryCost ? `Всего ${costText(total / 100)} ₽` : "Всего: впишите, сколько стоила каждая монета"}</p>
      ) : null}
      {kind === "opening_cost" ? <p className="hint">Цена встанет на все монеты, себестоимость которых неизвестна. Один раз.</p> : null}
      {kind === "correction" ? <p className="hint">Больше нуля: нашлись. Меньше нуля: не хватает. Золото исправляют вдвоём.</p> : null}
      <StaleDialog
        fields={stale ? draftDifferences({ supplier, number: paper, date, note, lines }, stale.current) : null}
        onKeepYours={() => void keep(stale?.revision)}
        onTakeCurrent={() => {
          save.forget();
          onReplaced();
        }}
        onClose={save.forget}
      />
    </>
  );
}

/** Corrections are another call with another permission, and of gold with a second person. */
function usePosting(kind: DocumentKind) {
  const goods = useSend(contract.postDocument);
  const correction = useSend(contract.postCorrection);
  return isCorrecting(kind) ? correction : goods;
}

type DocumentRefusal = RefusalOf<
  | typeof contract.createDocument
  | typeof contract.saveDocument
  | typeof contract.discardDocument
  | typeof contract.postDocument
  | typeof contract.postCorrection
  | typeof contract.reverseDocument
>;
function Refusals({ of }: { of: readonly (DocumentRefusal | null)[] }) {
  const shown = of.filter((each): each is DocumentRefusal => each !== null && Object.keys(each.fields).length === 0);
  return shown.map((refusal) => (
    <Notice key={refusal.code} tone="warn">
      <p>{refusal.message}</p>
      {refusal.code === "stock.line_refused" ? (
        <ul>
          {refusalTexts(refusal.data).map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      ) : null}
    </Notice>
  ));
}

function Posted({ document, onChanged }: { document: StockDocumentView; onChanged: () => Promise<void> }) {
  const staff = useStaff();
  const reverse = useSend(contract.reverseDocument);
  const { kind, state } = document;
  const hasCost = (kind === "receipt" || kind === "opening_cost") && document.lines.some(({ unitCost }) => unitCost !== undefined);
  const takeBack = async () => {
    const answer = await confirm({
      title: `${kindTexts[kind]} ${document.id}: отменить?`,
      text: "Монеты и себестоимость вернутся как были. Запись останется в движении.",
      action: "Отменить документ",
      note: { label: "Причина", isRequired: true },
    });
    if (!answer) return;
    const sent = await reverse.send({ params: { id: document.id }, body: { revision: document.revision, reason: answer.note } });
    if (sent?.ok) showToast("Документ отменён");
    await onChanged();
  };
  return (
    <>
      <PageHead
        title={`${kindTexts[kind]} ${document.id}`}
        facts={
          state === "posted" ? (
            <Good>проведён {document.postedAt ? `${when(document.postedAt)}, ${actorText(document.postedBy)}` : ""}</Good>
          ) : (
            stateTexts[state]
          )
        }
        actions={
          state === "posted" && staff.may("stock.correct") ? (
            <button className="button" type="button" disabled={reverse.isBusy} onClick={() => void takeBack()}>
              Отменить документ
            </button>
          ) : null
        }
      />
      <Refusals of={[reverse.refusal]} />
      <WaitingApprovals area="stock" record={document.id} />
      <dl className="rows">
        {document.supplier ? (
          <div>
            <dt>Поставщик</dt>
            <dd>
              {document.supplier}
              {document.number ? `, ${document.number}` : ""}
              {document.date ? ` от ${dayText(document.date)}` : ""}
            </dd>
          </div>
        ) : null}
        {document.note ? (
          <div>
            <dt>{isCorrecting(kind) ? "Причина" : "Примечание"}</dt>
            <dd>{document.note}</dd>
          </div>
        ) : null}
        {document.reversedAt ? (
          <div>
            <dt>Отменён</dt>
            <dd>
              {when(document.reversedAt)}, {actorText(document.reversedBy)}: {document.reversalReason}
            </dd>
          </div>
        ) : null}
        {document.stocktakeId ? (
          <div>
            <dt>Откуда</dt>
            <dd>
              <Link to={`/stock/stocktakes/${document.stocktakeId}`}>инвентаризация {document.stocktakeId}</Link>
            </dd>
          </div>
        ) : null}
      </dl>
      <Section title="Монеты">
        <div className="table-scroll" role="region" aria-label="Монеты документа" tabIndex={0}>
          <table className="table table--tight">
            <caption className="visually-hidden">Монеты документа</caption>
            <thead>
              <tr>
                <th scope="col">Монета</th>
                <th scope="col" className="align-right">
                  Штук
                </th>
                {hasCost ? (
                  <>
                    <th scope="col" className="align-right">
                      Стоила одна, ₽
                    </th>
                    <th scope="col" className="align-right">
                      Вместе, ₽
                    </th>
                  </>
                ) : null}
              </tr>
            </thead>
            <tbody>
              {document.lines.map(({ coin, quantity, unitCost }) => (
                <tr key={coin.id}>
                  <th scope="row">
                    <Link to={`/stock/coins/${coin.id}`}>{coin.title}</Link> <span className="muted">{coin.code}</span>
                  </th>
                  <td className="number align-right">{kind === "correction" ? signed(quantity) : number(quantity)}</td>
                  {hasCost ? (
                    <>
                      <td className="number align-right">{costText(unitCost)}</td>
                      <td className="number align-right">
                        {unitCost == null ? "" : costText(Math.round(unitCost * 100 * quantity) / 100)}
                      </td>
                    </>
                  ) : null}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </Section>
    </>
  );
}
