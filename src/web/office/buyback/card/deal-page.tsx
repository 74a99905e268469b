import { useState } from "react";
import { Link, useParams } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import type { HistoryKind } from "#shop/buyback/deal.ts";
import type { Permission } from "#shop/staff/role.ts";
import { ColleagueSelect } from "../../orders/colleague-select.tsx";
import { dayText } from "../../money/words.ts";
import { useStaff } from "../../session.ts";
import { usePoll } from "../../shell/activity.ts";
import { MissingScreen } from "../../shell/states.tsx";
import { WaitingApprovals } from "../../staff/waiting-approvals.tsx";
import { actorText, when } from "../../staff/words.ts";
import { confirm, confirmAndSend } from "../../ui/form/confirm.tsx";
import { leavePanel, mayGiveUp } from "../../ui/form/unsaved.ts";
import { Good, Notice, Trouble } from "../../ui/marks.tsx";
import { PageHead, Section } from "../../ui/page-head.tsx";
import { WithPanel } from "../../ui/panel.tsx";
import { Path, type PathStep } from "../../ui/path.tsx";
import { useRead } from "../../ui/send/use-read.ts";
import { useSend } from "../../ui/send/use-send.ts";
import { showToast } from "../../ui/toasts.tsx";
import { actLabels, againLabels, doneLabels, historyLabels, money, partText, stateLabels, type DealAct, type DealCard } from "../words.ts";
import { CheckPanel, type PanelProps } from "./check-panel.tsx";
import { DealStaleDialog, staleOf, type DealStale } from "./deal-stale.tsx";
import { EditOffer } from "./edit-offer.tsx";
import { IdentityPanel } from "./identity-panel.tsx";
import { PayPanel } from "./pay-panel.tsx";
import { ReceiptPanel } from "./receipt-panel.tsx";
import { Seller, type Contacts } from "./seller.tsx";

const approvalPollMs = 30_000;

/** The card of one deal: its path, what can be done with it, and everything known about it. */
export function Component() {
  const { id = "" } = useParams();
  return <DealScreen key={id} id={id} />;
}

/** Another one when the deal or its assignee has changed. */
const versionOf = ({ revision, assignee }: Pick<DealCard, "revision" | "assignee">): string => `${revision} ${assignee ?? ""}`;

/** `next`: what opens after the panel has been saved. */
type Open = { act: PanelAct; next?: PanelAct };
const panelActs = ["edit", "check", "identity", "pay", "receipt"] as const satisfies readonly DealAct[];
type PanelAct = (typeof panelActs)[number];
const isPanelAct = (act: DealAct): act is PanelAct => panelActs.some((each) => each === act);

function DealScreen({ id }: { id: string }) {
  const { data: card, refusal, reload } = useRead(contract.readDeal, { params: { id } });
  const { data: colleagues = [] } = useRead(contract.readDealColleagues);
  const [open, setOpen] = useState<Open | null>(null);
  const [opened, setOpened] = useState<{ contacts: Contacts; version: string } | null>(null);
  const [isRereading, setIsRereading] = useState(false);
  // A second person may approve the payout meanwhile. With a panel open nothing changes under what is typed.
  usePoll(() => {
    if (open === null && card?.state === "checked") void reload();
  }, approvalPollMs);
  if (refusal?.code === "staff.not_found" && !card) return <MissingScreen />;
  if (refusal && !card)
    return (
      <Notice tone="warn">
        <p>{refusal.message}</p>
      </Notice>
    );
  if (!card) return <p className="screen-loading">Загружаем…</p>;
  const saved = async (text: string, next: PanelAct | null = null) => {
    // At once, so that a second press does not send the panel again.
    setOpen(null);
    setIsRereading(true);
    await reload();
    setIsRereading(false);
    showToast(text);
    if (next !== null) setOpen({ act: next });
  };
  const props: PanelProps = {
    card,
    onClose: () => setOpen(null),
    onSaved: (text) => saved(text, open?.next),
    onReload: reload,
  };
  return (
    <WithPanel panel={open && open.act !== "edit" ? <ActPanel key={open.act} act={open.act} {...props} /> : null}>
      <PageHead title={`Выкуп № ${card.id}`} facts={[card.name, money(card.sum), stateLabels[card.state]].filter(Boolean).join(", ")} />
      <Path label="Путь сделки" steps={stepsOf(card)} />
      <Acts card={card} open={open} isRereading={isRereading} onOpen={setOpen} onDone={saved} onReload={reload} />
      {open?.act === "edit" ? <ActPanel act="edit" {...props} /> : <Lines card={card} />}
      <div className="columns">
        <Money card={card} />
        {/* What was opened is of the deal as it was: a change closes it. */}
        <Seller
          key={versionOf(card)}
          card={card}
          shown={opened?.version === versionOf(card) ? opened.contacts : null}
          onOpened={(contacts, deal) => setOpened({ contacts, version: versionOf(deal) })}
          onReload={reload}
        />
        <Section title="Между нами">
          <Assignee card={card} colleagues={colleagues} onReload={reload} />
          {card.note ? <p className="review-text">{card.note}</p> : null}
        </Section>
        <Section title="История">
          <ol className="history">
            {card.history.toReversed().map(({ at, by, kind, sum, note }, index) => (
              <li key={`${kind}-${at}-${index}`}>
                <time dateTime={at}>{when(at)}</time>
                <span>
                  {historyLabels[kind]}
                  {hasSum(kind) ? `, ${money(sum)}` : ""}
                  {note ? `: ${noteText(kind, note)}` : ""} <span className="muted">{actorText(by)}</span>
                </span>
              </li>
            ))}
          </ol>
        </Section>
      </div>
    </WithPanel>
  );
}

/** What is typed belongs to the deal as it was when the panel opened; only the payout confirms the present sum. */
function ActPanel({ act, ...props }: { act: PanelAct } & PanelProps) {
  const [card] = useState(props.card);
  switch (act) {
    case "edit":
      return <EditOffer {...props} card={card} />;
    case "check":
      return <CheckPanel {...props} card={card} />;
    case "identity":
      return <IdentityPanel {...props} card={card} />;
    case "pay":
      return <PayPanel {...props} />;
    case "receipt":
      return <ReceiptPanel {...props} card={card} />;
  }
}

const hasSum = (kind: HistoryKind): boolean => ["create", "edit", "lock", "renew", "check", "pay"].includes(kind);
/** The note of an entry: the transfer with its day, the document of the stock, or what was typed. */
function noteText(kind: HistoryKind, note: string): string {
  const [number = "", date] = note.split(" ");
  if (kind === "pay" && date !== undefined) return `поручение № ${number} от ${dayText(date)}`;
  return kind === "shelve" ? `приход ${note}` : note;
}

const pathKinds: readonly (readonly [name: string, kinds: readonly HistoryKind[]])[] = [
  ["Предложение", ["create"]],
  ["Цены держим", ["lock", "renew"]],
  ["Монеты у нас", ["receive"]],
  ["Проверено", ["check"]],
  ["Оплачено", ["pay"]],
  ["На складе", ["shelve"]],
];
/** The places of the path; the last event decides the place of the deal. */
function stepsOf({ history, state }: DealCard): PathStep[] {
  const found = pathKinds.map(([name, kinds]) => ({ name, entry: history.findLast(({ kind }) => kinds.includes(kind)) }));
  const last = found.findLastIndex(({ entry }) => entry !== undefined);
  return found.map(({ name, entry }, index) => ({
    name: index === last && (state === "cancelled" || state === "returned") ? stateLabels[state] : name,
    fact: entry ? [when(entry.at), actorText(entry.by)].filter(Boolean).join(", ") : "",
    state: index === last ? "current" : index < last ? "done" : "next",
  }));
}

/** The act that moves the deal on comes first, as the gold button. */
const primary: readonly DealAct[] = ["lock", "renew", "receive", "check", "pay", "shelve", "receipt"];
const permissionOf = (act: DealAct): Permission => (act === "pay" ? "payout" : act === "receipt" ? "receipts" : "buyback");

/** Buttons drawn from the acts that the state allows and the roles permit. */
function Acts({
  card,
  open,
  isRereading,
  onOpen,
  onDone,
  onReload,
}: {
  card: DealCard;
  open: Open | null;
  /** The deal is read again after an act: a press now would be about its former revision. */
  isRereading: boolean;
  onOpen: (open: Open | null) => void;
  onDone: (text: string, next?: PanelAct | null) => Promise<void>;
  onReload: () => Promise<void>;
}) {
  const { may } = useStaff();
  const lock = useSend(contract.lockDeal);
  const renew = useSend(contract.renewDeal);
  const receive = useSend(contract.receiveDeal);
  const shelve = useSend(contract.shelveDeal);
  const cancel = useSend(contract.cancelDeal);
  const giveBack = useSend(contract.returnDeal);
  const [stale, setStale] = useState<(DealStale & { act: DealAct; note: string }) | null>(null);
  // The identity document comes before the payout; without the permission for it the payout waits for the desk.
  const lacksIdentity = card.state === "checked" && card.identity === null && may("buyback") === null;
  const allowed = card.acts.filter((act) => may(permissionOf(act)) !== null && !(act === "pay" && lacksIdentity));
  /** What was done already and is only corrected. */
  const isDone = (act: DealAct): boolean => (act === "check" && card.state === "checked") || (act === "receipt" && card.receipt !== null);
  const first = primary.find((act) => allowed.includes(act) && !isDone(act));
  const others = allowed.filter((act) => act !== first);

  const sumToday = card.today?.sum ?? card.sum;
  const send = (act: DealAct, revision: number, note: string) => {
    const params = { id: card.id };
    if (act === "lock") return lock.send({ params, body: { revision, sum: sumToday } });
    if (act === "renew") return renew.send({ params, body: { revision, sum: sumToday } });
    if (act === "receive") return receive.send({ params, body: { revision } });
    if (act === "shelve") return shelve.send({ params, body: { revision } });
    return (act === "cancel" ? cancel : giveBack).send({ params, body: { revision, reason: note } });
  };
  const carryOut = async (act: DealAct, revision = card.revision, note = "") => {
    const answer = await send(act, revision, note);
    if (answer?.ok) await onDone(doneText(act, answer.value), act === "receive" ? "check" : null);
    else if (answer?.error?.code === "staff.stale") setStale({ act, note, ...staleOf(card, answer.error.data, act) });
    else if (answer?.error) {
      // The dialog of a reason shows its refusal itself.
      if (act !== "cancel" && act !== "return") showToast(answer.error.message, { isTrouble: true });
      // What is shown is older than what the server says.
      if (answer.error.code === "buyback.other_sum" || answer.error.code === "buyback.wrong_state") await onReload();
    }
    return answer;
  };
  const press = async (act: DealAct) => {
    // What is unsaved in place of the lines, or in the panel.
    if (open?.act === "edit" && !(await mayGiveUp())) return;
    await leavePanel(() => void start(act));
  };
  const start = async (act: DealAct) => {
    if (isPanelAct(act)) {
      if (open?.act === act) return onOpen(null);
      return onOpen(act === "pay" && card.identity === null ? { act: "identity", next: "pay" } : { act });
    }
    onOpen(null);
    if (act === "renew" || (act === "lock" && sumToday !== card.sum)) {
      const asked = await confirm({
        title: act === "renew" ? "Зафиксировать цены заново?" : "Зафиксировать цены дня?",
        text: `Было ${money(card.sum)}, по ценам дня ${money(sumToday)}. Цены, набранные вручную, останутся.`,
        action: "Зафиксировать",
      });
      if (asked) await carryOut(act);
      return;
    }
    const damaged = damagedOf(card);
    if (act === "shelve" && damaged.length > 0) {
      const asked = await confirm({
        title: "Поставить на склад монеты с повреждениями?",
        text: `${damaged.join("; ")}. На витрине они продаются как обычные. Если продавать их нельзя, спишите их после прихода.`,
        action: "Поставить на склад",
      });
      if (asked) await carryOut(act);
      return;
    }
    if (act !== "cancel" && act !== "return") return void carryOut(act);
    await confirmAndSend(
      {
        title: act === "cancel" ? "Отменить сделку?" : "Монеты отданы продавцу?",
        text: act === "cancel" ? "Цены больше не держим. Сделка останется в списке законченных." : "Сделка закончится без выплаты.",
        action: act === "cancel" ? "Отменить сделку" : "Монеты отданы",
        note: { label: "Причина", isRequired: true },
      },
      async (note) => {
        const answer = await carryOut(act, card.revision, note);
        // Two versions have a dialog of their own.
        return answer && !answer.ok && answer.error?.code === "staff.stale" ? null : answer;
      },
    );
  };
  const isBusy = isRereading || [lock, renew, receive, shelve, cancel, giveBack].some((each) => each.isBusy);
  return (
    <>
      <div className="actions">
        {[...(first ? [first] : []), ...others].map((act) => (
          <button
            key={act}
            className={act === first && !open ? "button button--gold" : "button"}
            type="button"
            disabled={isBusy}
            aria-expanded={isPanelAct(act) ? open?.act === act : undefined}
            onClick={() => void press(act)}
          >
            {isDone(act) ? againLabels[act] : actLabels[act]}
          </button>
        ))}
      </div>
      {lacksIdentity && may("payout") ? (
        <p className="refused-actions">
          <span>
            <s>{actLabels.pay}</s>: документ продавца вносит стол выкупа
          </span>
        </p>
      ) : null}
      <WaitingApprovals key={card.revision} area="buyback" record={card.id} />
      {card.state === "offered" && card.today === null ? (
        <Notice tone="warn">
          <p>Зафиксировать нельзя: у монет сейчас нет цены дня. Подождите её или наберите цену вручную.</p>
        </Notice>
      ) : null}
      {card.isExpired ? (
        <Notice tone="warn">
          <p>
            Срок цен вышел {card.lockedUntil === null ? "" : when(card.lockedUntil)}.{" "}
            {card.today
              ? `Продлите предложение по ценам дня, ${money(card.today.sum)}, или отмените его.`
              : "Продлить его нельзя, пока у монет нет цены дня. Отмените предложение или подождите цену."}
          </p>
        </Notice>
      ) : null}
      <DealStaleDialog
        stale={stale}
        onAgain={(revision) => {
          const again = stale;
          setStale(null);
          if (again) void carryOut(again.act, revision, again.note);
        }}
        onTake={() => {
          setStale(null);
          void onReload();
        }}
        onClose={() => {
          setStale(null);
          void onReload();
        }}
      />
    </>
  );
}

/** Damaged coins that were bought. */
const damagedOf = ({ lines }: DealCard): string[] =>
  lines.flatMap(({ coin, checked }) =>
    checked?.condition === "damaged" && checked.quantity > 0 ? [`${coin.title} × ${checked.quantity}`] : [],
  );

function doneText(act: DealAct, { stockDocumentId, lockedUntil }: DealCard): string {
  if (act === "shelve" && stockDocumentId !== null) return `Монеты на складе: приход ${stockDocumentId}`;
  if ((act === "lock" || act === "renew") && lockedUntil !== null) return `Цены держим до ${when(lockedUntil)}`;
  return doneLabels[act] ?? actLabels[act];
}

function Lines({ card }: { card: DealCard }) {
  const isChecked = card.lines.some(({ checked }) => checked !== null);
  return (
    <Section title="Монеты" aside={<span className="muted">штук: {card.pieces}</span>}>
      <div className="table-scroll" role="region" aria-label="Монеты сделки" tabIndex={0}>
        <table className="table">
          <caption className="visually-hidden">Монеты сделки</caption>
          <thead>
            <tr>
              <th scope="col">Монета</th>
              <th scope="col">Предложили</th>
              {isChecked ? <th scope="col">По проверке</th> : null}
              <th scope="col" className="align-right">
                Сумма
              </th>
            </tr>
          </thead>
          <tbody>
            {card.lines.map(({ coin, offered, checked }) => {
              const part = checked ?? offered;
              return (
                <tr key={coin.id}>
                  <th scope="row">
                    {coin.title} <span className="muted">{coin.code}</span>
                  </th>
                  <td className="number">{offered ? partText(offered) : <span className="muted">не предлагали</span>}</td>
                  {isChecked ? (
                    <td className="number">
                      {checked === null ? null : checked.quantity === 0 ? <span className="muted">не пришли</span> : partText(checked)}
                    </td>
                  ) : null}
                  <td className="align-right number strong">{part ? money(part.quantity * part.unitPrice) : ""}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

function Money({ card }: { card: DealCard }) {
  const { identity, payout, receipt } = card;
  return (
    <Section title="Деньги">
      <dl className="rows">
        <div>
          <dt>Предложили{card.lockedUntil === null ? "" : `, цены до ${when(card.lockedUntil)}`}</dt>
          <dd className="number">{money(card.offerSum)}</dd>
        </div>
        <div className="total">
          <dt>{payout ? "Выплатили" : "К выплате"}</dt>
          <dd className="number">{money(card.sum)}</dd>
        </div>
        {card.checkReason ? (
          <div>
            <dt>Почему так</dt>
            <dd>{card.checkReason}</dd>
          </div>
        ) : null}
        {payout ? (
          <div>
            <dt>Поручение</dt>
            <dd>
              № {payout.number} от {dayText(payout.date)}, счёт {payout.maskedAccount}, БИК {payout.bik}
            </dd>
          </div>
        ) : null}
        {payout ? (
          <div>
            <dt>Чек расхода</dt>
            <dd>
              {receipt ? (
                <>
                  <Good>пробит</Good> ФН {receipt.storageNumber}, ФД {receipt.documentNumber}, ФПД {receipt.attribute}
                </>
              ) : (
                <Trouble>не пробит</Trouble>
              )}
            </dd>
          </div>
        ) : null}
        {identity ? (
          <div>
            <dt>Этому человеку за 12 месяцев по другим сделкам</dt>
            <dd className="number">{money(identity.paidInYear)}</dd>
          </div>
        ) : null}
        {identity?.isUnderControl || card.isFlagged ? (
          <div>
            <dt>115-ФЗ</dt>
            <dd>
              <Trouble>обязательный контроль{identity ? `, от ${money(identity.controlSum)}` : ""}</Trouble>
            </dd>
          </div>
        ) : null}
        {card.stockDocumentId === null ? null : (
          <div>
            <dt>Склад</dt>
            <dd>
              <Link to={`/stock/documents/${card.stockDocumentId}`}>приход {card.stockDocumentId}</Link>
            </dd>
          </div>
        )}
      </dl>
    </Section>
  );
}

/** The assignee of the deal. Saved as soon as it is chosen. */
function Assignee({
  card,
  colleagues,
  onReload,
}: {
  card: DealCard;
  colleagues: readonly { login: string; name: string }[];
  onReload: () => Promise<void>;
}) {
  const { may } = useStaff();
  const { send, isBusy, refusal, fields } = useSend(contract.assignDeal);
  const [stale, setStale] = useState<(DealStale & { from: string | null; assignee: string | null }) | null>(null);
  const nameOf = (login: string | null) => (login === null ? "никто" : (colleagues.find((each) => each.login === login)?.name ?? login));
  const save = async (assignee: string | null, from = card.assignee) => {
    setStale(null);
    const answer = await send({ params: { id: card.id }, body: { from, assignee } });
    if (answer?.ok) {
      showToast(`Ведёт: ${nameOf(assignee)}`);
      await onReload();
    } else if (answer?.error?.code === "staff.stale") {
      const { current } = answer.error.data;
      setStale({ assignee, from: current.assignee, ...staleOf(card, answer.error.data, null) });
    }
  };
  if (may("buyback") === null) return <p>{card.assigneeName ?? "никто"}</p>;
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <ColleagueSelect
        colleagues={colleagues}
        value={card.assignee}
        storedName={card.assigneeName}
        isDisabled={isBusy}
        error={fields["assignee"] ?? (stale ? null : refusal?.message)}
        onChoose={(assignee) => void save(assignee)}
      />
      <DealStaleDialog
        stale={stale}
        onAgain={() => void (stale && save(stale.assignee, stale.from))}
        onTake={() => {
          setStale(null);
          void onReload();
        }}
        onClose={() => {
          setStale(null);
          void onReload();
        }}
      />
    </form>
  );
}
