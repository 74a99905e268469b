import { useCallback, useEffect, useState } from "react";
import { Link, useParams, useSearchParams } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import type { OrderCardView } from "#contract/staff/orders/orders.ts";
import { priceText, roubles } from "#kit/format.ts";
import { fromRoubles } from "#kit/money.ts";
import type { OrderEvent } from "#shop/orders/order.ts";
import type { Act } from "#shop/orders/staff/acts.ts";
import { callStaff } from "../../client.ts";
import { useStaff } from "../../session.ts";
import { useKeys, type KeyBinding } from "../../shell/keys.ts";
import { MissingScreen } from "../../shell/states.tsx";
import { confirm } from "../../ui/form/confirm.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { Good, Notice, Trouble } from "../../ui/marks.tsx";
import { PageHead, Section } from "../../ui/page-head.tsx";
import { WithPanel } from "../../ui/panel.tsx";
import { Path, type PathStep } from "../../ui/path.tsx";
import { Field } from "../../ui/form/field.tsx";
import { StaleDialog, type StaleField } from "../../ui/form/stale-dialog.tsx";
import { takeLostFocus } from "../../ui/take-focus.ts";
import { showToast } from "../../ui/toasts.tsx";
import { leavePanel } from "../../ui/form/unsaved.ts";
import { useSend } from "../../ui/send/use-send.ts";
import { openDocument } from "../../packing/words.ts";
import { alarmFact } from "../../staff/alarm-facts.ts";
import { WaitingApprovals } from "../../staff/waiting-approvals.tsx";
import { actorText, when } from "../../staff/words.ts";
import { AssigneeChoice } from "./assignee-choice.tsx";
import { AddressPanel, PointPanel, RecipientPanel, SealPanel } from "./edit-panels.tsx";
import { AdditionPanel } from "./addition-panel.tsx";
import { addressText, type Contacts } from "./contacts.ts";
import { GiveBackPanel } from "./give-back-panel.tsx";
import { lastStep } from "./parcel-step.ts";
import { RefundPanel } from "./refund-panel.tsx";
import { RefundTransferPanel, type RefusedRefund } from "./refund-transfer-panel.tsx";
import { refusalText } from "../refusal-text.ts";
import { TransferPanel } from "./transfer-panel.tsx";
import { useOrderCard } from "./use-order-card.ts";
import { actLabels, assigneeText, panelActs, stateLabels } from "../words.ts";

const money = (sum: number): string => priceText(fromRoubles(sum));

/** The card of one order: its path, what can be done with it, and everything known about it. */
export function Component() {
  const { id = "" } = useParams();
  return <OrderCard key={id} id={id} />;
}

function OrderCard({ id }: { id: string }) {
  const { card, refusal, reload, colleagues } = useOrderCard(id);
  const [panel, setPanel] = useState<Act | null>(null);
  const [refused, setRefused] = useState<RefusedRefund | null>(null);
  const openPanel = useCallback((act: Act | null) => {
    setRefused(null);
    setPanel(act);
  }, []);
  usePanelOfAddress(card, openPanel);
  // No order has this id, or nothing could: an id of another length.
  if ((refusal?.code === "order.not_found" || refusal?.code === "staff.not_found") && !card) return <MissingScreen />;
  if (refusal && !card)
    return (
      <Notice tone="warn">
        <p>{refusal.message}</p>
      </Notice>
    );
  if (!card) return <p className="screen-loading">Загружаем…</p>;
  const close = () => {
    setPanel(null);
    setRefused(null);
  };
  const saved = async (text: string) => {
    close();
    showToast(text);
    await reload();
  };
  return (
    <WithPanel
      panel={
        refused ? (
          <RefundTransferPanel key={refused.id} refund={refused} onClose={close} onSaved={saved} />
        ) : panel ? (
          <ActPanel key={panel} act={panel} card={card} onClose={close} onSaved={saved} onReload={reload} />
        ) : null
      }
    >
      <PageHead
        title={`Заказ ${card.number}`}
        facts={[`${card.buyer.name} ${card.buyer.lastName}`, card.money ? money(card.money.total) : "", card.payment.name]
          .filter(Boolean)
          .join(", ")}
        actions={
          colleagues.length > 0 ? (
            <span className="muted" role="status">
              Смотрят тоже: {colleagues.map(({ name }) => name).join(", ")}
            </span>
          ) : null
        }
      />
      <Path label="Путь заказа" steps={stepsOf(card)} />
      <Acts card={card} panel={panel} onPanel={openPanel} onDone={saved} onReload={reload} />
      <Lines card={card} />
      <div className="columns">
        {card.money ? (
          <Money
            money={card.money}
            onPaid={(refund, owed) =>
              void leavePanel(() => {
                setPanel(null);
                setRefused({ id: refund, orderId: card.id, orderNumber: `${card.number}`, owed });
              })
            }
          />
        ) : null}
        <Parcel card={card} />
        {/* What was opened is of the order as it was: another recipient or address closes it. */}
        <Buyer key={contactsKey(card)} card={card} />
        <Messages card={card} onReload={reload} />
        <Comments card={card} onReload={reload} />
        <Section title="История">
          <ol className="history">
            {card.history.toReversed().map(({ event, text, at, actor }, index) => (
              <li key={`${event}-${at}-${index}`}>
                <time dateTime={at}>{when(at)}</time>
                <span>
                  {text} <span className="muted">{actorText(actor, card.people)}</span>
                </span>
              </li>
            ))}
          </ol>
        </Section>
      </div>
    </WithPanel>
  );
}

/** Opens the panel that the address asks for (`?act=refund`), if the act is possible; the address then names the order only. */
function usePanelOfAddress(card: OrderCardView | undefined, onPanel: (act: Act) => void): void {
  const [search, setSearch] = useSearchParams();
  const asked = search.get("act");
  useEffect(() => {
    if (!card || asked === null) return;
    setSearch({}, { replace: true });
    const act = panelActs.find((each) => each === asked);
    const isAllowed = card.acts.some((each) => each.act === act && each.allowed);
    if (act && isAllowed) void leavePanel(() => onPanel(act));
  }, [card, asked, setSearch, onPanel]);
}

const pathEvents: readonly (readonly [name: string, events: readonly (OrderEvent | "place")[]])[] = [
  ["Оформлен", ["place"]],
  ["Оплачен", ["pay"]],
  ["Собран", ["assemble"]],
  ["В пути", ["ship", "make_ready"]],
  ["Выдан", ["deliver"]],
];
/** The five places of the path; the last event decides the place of the order. */
function stepsOf({ history, state, people }: OrderCardView): PathStep[] {
  const found = pathEvents.map(([name, events]) => ({
    name,
    entry: history.findLast(({ event }) => (events as readonly string[]).includes(event)),
  }));
  const last = found.findLastIndex(({ entry }) => entry !== undefined);
  return found.map(({ name, entry }, index) => ({
    name: index === last && (state === "cancelled" || state === "returned" || state === "returning") ? stateLabels[state] : name,
    fact: entry ? [when(entry.at), actorText(entry.actor, people)].filter(Boolean).join(", ") : "",
    state: index === last ? "current" : index < last ? "done" : "next",
  }));
}

const hasPanel = (act: Act): boolean => (panelActs as readonly Act[]).includes(act);
/** The act that moves the order on comes first, as the gold button. */
const primary: readonly Act[] = ["resend_parcel", "confirm_cancel", "assemble", "make_ready", "ship", "turn_back", "deliver"];
/** What is shown beside it; the rest is in the menu. */
const secondary: readonly Act[] = ["refund", "drop_pieces", "change_recipient", "change_point", "change_address", "add_coins", "cancel"];
/** Refusals that need an explanation; the others repeat what the button says. */
const explained: readonly Act[] = ["cancel", "refund", "change_recipient", "change_point", "add_coins"];
const pressed = { ship: "KeyD", make_ready: "KeyD", refund: "KeyR" } as const;

type ActsProps = {
  card: OrderCardView;
  panel: Act | null;
  onPanel: (act: Act | null) => void;
  onDone: (text: string) => Promise<void>;
  onReload: () => Promise<void>;
};

/** Buttons drawn from the acts that the server allows, with the reason where it does not. */
function Acts({ card, panel, onPanel, onDone, onReload }: ActsProps) {
  const { login } = useStaff();
  const [stale, setStale] = useState<{ act: Act; fields: StaleField[]; revision: number } | null>(null);
  const pack = useSend(contract.packOrder);
  const move = useSend(contract.moveOrder);
  const take = useSend(contract.assignOrder);
  const settle = useSend(contract.settleRefund);
  const allowed = card.acts.filter(({ allowed: isAllowed }) => isAllowed).map(({ act }) => act);
  const first = primary.find((act) => allowed.includes(act));
  const beside = secondary.filter((act) => allowed.includes(act));
  const rest = allowed.filter((act) => act !== first && !beside.includes(act) && act !== "comment");
  const refused = card.acts.filter(({ act, reason, grant }) => reason !== null && grant !== null && explained.includes(act));

  const send = async (act: Act, revision: number) => {
    const params = { id: card.id };
    if (act === "ship" || act === "make_ready") return pack.send({ params, body: { event: act, revision } });
    if (act === "assign") return take.send({ params, body: { revision, assignee: login } });
    if (act === "settle_refund") return settle.send({ params, body: { revision } });
    return move.send({ params, body: { event: act as "cancel", revision } });
  };
  const carryOut = async (act: Act, revision = card.revision) => {
    const answer = await send(act, revision);
    if (answer?.ok) return onDone(`${actLabels[act]}: ${answer.value.stateText.toLowerCase()}`);
    if (answer && !answer.ok && answer.error) {
      const { error } = answer;
      if (error.code === "staff.stale") {
        const { current, revision: newer } = error.data;
        return setStale({
          act,
          revision: newer,
          fields: [
            { label: "Состояние", yours: card.stateText, current: current.stateText },
            { label: "Ведёт", yours: assigneeText(card), current: current.assigneeName ?? "никто" },
          ],
        });
      }
      showToast(refusalText(error), { isTrouble: true });
    }
  };
  const press = async (act: Act) => {
    if (hasPanel(act)) return leavePanel(() => onPanel(panel === act ? null : act));
    const asks = act === "cancel" || act === "turn_back" || act === "confirm_cancel";
    if (asks && !(await confirm({ title: `${actLabels[act]}?`, text: consequenceOf(act, card), action: actLabels[act] }))) return;
    // What is done closes the panel.
    await leavePanel(() => void carryOut(act));
  };
  const keys: KeyBinding[] = Object.entries(pressed).flatMap(([act, code]) =>
    allowed.includes(act as Act) ? [{ code, label: actLabels[act as Act], run: () => void press(act as Act) }] : [],
  );
  if (allowed.includes("assign")) keys.push({ code: "KeyM", label: "Взять себе", run: () => void press("assign") });
  useKeys(keys);
  const isBusy = pack.isBusy || move.isBusy || take.isBusy || settle.isBusy;
  return (
    <>
      <div className="actions">
        {[...(first ? [first] : []), ...beside].map((act) => (
          <button
            key={act}
            className={act === first && !panel ? "button button--gold" : "button"}
            type="button"
            disabled={isBusy}
            aria-expanded={hasPanel(act) ? panel === act : undefined}
            onClick={() => void press(act)}
          >
            {actLabels[act]}
            {act in pressed ? <Key of={pressed[act as keyof typeof pressed]} /> : null}
          </button>
        ))}
        {rest.length > 0 ? (
          <Menu label="Ещё" className="button">
            {rest.map((act) => (
              <MenuItem key={act} onPress={() => void press(act)}>
                {actLabels[act]}
              </MenuItem>
            ))}
          </Menu>
        ) : null}
      </div>
      {refused.length > 0 ? (
        <p className="refused-actions">
          {refused.map(({ act, reason }) => (
            <span key={act}>
              <s>{actLabels[act]}</s>: {reason}
            </span>
          ))}
        </p>
      ) : null}
      <WaitingApprovals key={card.revision} area="order" record={card.id} />
      {card.isFreeAlone ? (
        <Notice tone="warn">
          <p>
            Заказ, с которым эти монеты ехали бесплатно, отменён, а доставка осталась бесплатной. Договоритесь с покупателем: отправить за
            счёт магазина или отменить этот заказ и оформить новый с доставкой.
          </p>
        </Notice>
      ) : null}
      {card.pending ? (
        <Notice>
          <p>Посылку отзываем у СДЭК, чтобы {card.pending === "change" ? "изменить получателя или место" : "убрать монеты"}.</p>
        </Notice>
      ) : null}
      <StaleDialog
        fields={stale?.fields ?? null}
        onKeepYours={() => {
          const again = stale;
          setStale(null);
          if (again) void carryOut(again.act, again.revision);
        }}
        onTakeCurrent={() => {
          setStale(null);
          void onReload();
        }}
        onClose={() => setStale(null)}
      />
    </>
  );
}

/** The key of a button, as its cap shows it; a screen reader gets it from the list of keys. */
const Key = ({ of }: { of: string }) => (
  <>
    {" "}
    <kbd aria-hidden>{of.replace("Key", "")}</kbd>
  </>
);

/** What the question before an act says: a cancellation sends the money back. */
function consequenceOf(act: Act, { number, money: sums }: OrderCardView): string {
  const isRefund = (act === "cancel" || act === "confirm_cancel") && sums !== undefined && sums.left > 0;
  return isRefund ? `Заказ ${number}: покупателю вернётся ${money(sums.left)}` : `Заказ ${number}`;
}

/**
 * The panel of an act. It works on the order as it was when the panel was opened, also once the card shows a colleague's change: a save must
 * name the revision that the person has seen, so that it shows both versions instead of overwriting the change.
 */
function ActPanel({
  act,
  card,
  onReload,
  ...rest
}: {
  act: Act;
  card: OrderCardView;
  onClose: () => void;
  onSaved: (text: string) => Promise<void>;
  onReload: () => Promise<void>;
}) {
  const [opened, setOpened] = useState(card);
  const [isRenewing, setRenewing] = useState(false);
  if (isRenewing && card !== opened) {
    setOpened(card);
    setRenewing(false);
  }
  const renew = () => {
    setRenewing(true);
    return onReload();
  };
  const props = { ...rest, card: opened, onReload: renew };
  switch (act) {
    case "refund":
    case "drop_pieces":
      return <RefundPanel {...props} />;
    case "change_recipient":
      return <RecipientPanel {...props} />;
    case "change_point":
      return <PointPanel {...props} isResend={false} />;
    case "resend_parcel":
      return <PointPanel {...props} isResend />;
    case "add_coins":
      return <AdditionPanel {...props} />;
    case "pay":
      return <TransferPanel {...props} />;
    case "give_back":
      return <GiveBackPanel {...props} />;
    case "change_address":
      return <AddressPanel {...props} />;
    default:
      return <SealPanel {...props} event={act === "seal" ? "seal" : "assemble"} />;
  }
}

function Lines({ card }: { card: OrderCardView }) {
  const pieces = card.lines.reduce((sum, { count, dropped }) => sum + count - dropped, 0);
  return (
    <Section title="Монеты" aside={<span className="muted">штук: {pieces}</span>}>
      <div className="table-scroll" role="region" aria-label="Монеты заказа" tabIndex={0}>
        <table className="table">
          <caption className="visually-hidden">Строки заказа</caption>
          <thead>
            <tr>
              <th scope="col">Монета</th>
              <th scope="col" className="align-right">
                Штук
              </th>
              {card.money ? (
                <>
                  <th scope="col" className="align-right">
                    Цена, ₽
                  </th>
                  <th scope="col" className="align-right">
                    Сумма, ₽
                  </th>
                </>
              ) : null}
              <th scope="col" className="align-right">
                Возврат
              </th>
            </tr>
          </thead>
          <tbody>
            {card.lines.map(({ id, title, image, count, dropped, returned, price, sum }) => (
              <tr key={id}>
                <th scope="row">
                  <span className="coin">
                    <img className="coin-picture" src={image} width={26} height={26} alt="" />
                    <span>
                      {title} <span className="muted">{id}</span>
                    </span>
                  </span>
                </th>
                <td className="align-right number">{count}</td>
                {price !== undefined && sum !== undefined ? (
                  <>
                    <td className="align-right number">{roubles(fromRoubles(price))}</td>
                    <td className="align-right number strong">{roubles(fromRoubles(sum))}</td>
                  </>
                ) : null}
                <td className="align-right">
                  {dropped + returned > 0 ? `${dropped + returned} из ${count}` : <span className="muted">нет</span>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

const receiptNames = { payment: "Чек прихода", handover: "Чек зачёта", refund: "Чек возврата" } as const;

/** `onPaid`: a refund that the provider refused was paid by transfer, all that is owed of it. */
function Money({ money: sums, onPaid }: { money: NonNullable<OrderCardView["money"]>; onPaid: (refundId: string, owed: number) => void }) {
  const mayRefund = useStaff().may("orders.refund") !== null;
  return (
    <Section title="Деньги">
      <dl className="rows">
        <div>
          <dt>Монеты и доставка{sums.delivery > 0 ? "" : " (бесплатно)"}</dt>
          <dd className="number">{money(sums.total)}</dd>
        </div>
        {sums.promo ? (
          <div>
            <dt>Скидка по промокоду {sums.promo.code}, учтена в ценах</dt>
            <dd className="number">{money(sums.promo.discount)}</dd>
          </div>
        ) : null}
        {sums.payments
          .filter(({ state }) => state === "succeeded")
          .map(({ id, amount, at }) => (
            <div key={id}>
              <dt>Оплачено, {when(at)}</dt>
              <dd className="number">{money(amount)}</dd>
            </div>
          ))}
        {sums.refunds.map(({ id, amount, state, at, owed, transfer }) => (
          <div key={id}>
            <dt>
              Возврат, {when(at)} {state === "succeeded" ? "" : state === "canceled" ? <Trouble>отклонён</Trouble> : "идёт"}
              {transfer ? `переводом, поручение № ${transfer.number}` : ""}
              {owed !== null && mayRefund ? (
                <>
                  {" "}
                  <button className="text-button" type="button" onClick={() => onPaid(id, owed)}>
                    Вернули переводом
                  </button>
                </>
              ) : null}
            </dt>
            <dd className="number">−{money(amount)}</dd>
          </div>
        ))}
        <div className="total">
          <dt>Осталось у нас</dt>
          <dd className="number">{money(sums.left)}</dd>
        </div>
        {sums.receipts.map(({ id, kind, state, amount }) => (
          <div key={id}>
            <dt>
              {receiptNames[kind]} на {money(amount)}
            </dt>
            <dd>
              {state === "succeeded" ? (
                <Good>напечатан</Good>
              ) : state === "canceled" ? (
                <Trouble>касса отказала</Trouble>
              ) : (
                <span className="soft">ждёт кассу</span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

const paperNames = { slips: "Лист", labels: "Этикетка" } as const;

function Parcel({ card }: { card: OrderCardView }) {
  const { parcel, delivery } = card;
  const { may } = useStaff();
  const [isPrinting, setPrinting] = useState(false);
  // Without `useSend`: nothing that was typed on the card is stored by it.
  const printPaper = async (paper: keyof typeof paperNames) => {
    if (isPrinting) return;
    setPrinting(true);
    const answer = await callStaff(contract.printOrders, { body: { ids: [card.id], paper } });
    setPrinting(false);
    if (!answer.ok) return answer.error ? showToast(answer.error.message, { isTrouble: true }) : undefined;
    const { rows, path } = answer.value;
    if (path === null) return showToast(rows[0]?.reason ?? "Печатать нечего", { isTrouble: true });
    if (!openDocument(path)) showToast("Браузер не открыл окно: разрешите окна для этого адреса", { isTrouble: true });
  };
  const printed = parcel?.tracking ? "labels" : "slips";
  const mayPrint = may("orders.pack") !== null;
  useKeys([{ code: "KeyP", label: `Напечатать ${paperNames[printed].toLowerCase()}`, run: () => void printPaper(printed) }], mayPrint);
  const last = parcel ? lastStep(parcel.steps) : null;
  return (
    <Section title="Посылка" aside={parcel?.tracking ? <span className="number">{parcel.tracking}</span> : undefined}>
      <dl className="rows">
        <div>
          <dt>Способ</dt>
          <dd>{delivery.name}</dd>
        </div>
        <div>
          <dt>Куда</dt>
          <dd>{delivery.place}</dd>
        </div>
        <div>
          <dt>Пломба</dt>
          <dd className="number">{card.seal ?? <span className="muted">нет</span>}</dd>
        </div>
        {card.insured === undefined ? null : (
          <div>
            <dt>Страховка</dt>
            <dd className="number">{money(card.insured)}</dd>
          </div>
        )}
        {parcel?.state === "invalid" ? (
          <div>
            <dt>СДЭК</dt>
            <dd>
              <Trouble>отклонил посылку</Trouble>
              {parcel.refusal ? <span className="soft"> {alarmFact("reason", parcel.refusal, null)}</span> : null}
            </dd>
          </div>
        ) : null}
        {last ? (
          <div>
            <dt>{when(last.at)}</dt>
            <dd>{last.text}</dd>
          </div>
        ) : null}
        {delivery.expected ? (
          <div>
            <dt>Обещали</dt>
            <dd>до {when(delivery.expected.last)}</dd>
          </div>
        ) : null}
        {card.linked.map(({ id, number }) => (
          <div key={id}>
            <dt>Вместе с заказом</dt>
            <dd>
              <Link to={`/orders/${id}`}>{number}</Link>
            </dd>
          </div>
        ))}
      </dl>
      {mayPrint ? (
        <div className="actions actions--after">
          {(["slips", "labels"] as const).map((paper) => (
            <button key={paper} className="button button--small" type="button" disabled={isPrinting} onClick={() => void printPaper(paper)}>
              <Icon name="print" size="small" /> {paperNames[paper]}
              {paper === printed ? <Key of="KeyP" /> : null}
            </button>
          ))}
        </div>
      ) : null}
    </Section>
  );
}

function Buyer({ card }: { card: OrderCardView }) {
  const { may } = useStaff();
  const open = useSend(contract.openContacts);
  const [shown, setShown] = useState<Contacts | null>(null);
  const { buyer } = card;
  const name = [buyer.lastName, buyer.name, buyer.secondName].filter(Boolean).join(" ");
  const show = async () => {
    const answer = await open.send({ params: { id: card.id } });
    if (answer?.ok) setShown(answer.value);
    else if (answer?.error) showToast(answer.error.message, { isTrouble: true });
  };
  return (
    <Section title="Покупатель">
      <dl className="rows">
        <div>
          <dt>Имя</dt>
          <dd>{buyer.customerId && may("customers.read") ? <Link to={`/customers/${buyer.customerId}`}>{name}</Link> : name}</dd>
        </div>
        <div>
          <dt>Телефон</dt>
          <dd className="number">
            {shown ? (
              <a href={`tel:${shown.user.phone}`} ref={takeLostFocus}>
                {shown.user.phone}
              </a>
            ) : (
              buyer.phone
            )}
          </dd>
        </div>
        <div>
          <dt>Почта</dt>
          <dd>{shown?.user.email ?? buyer.email}</dd>
        </div>
        {shown?.address ? (
          <div>
            <dt>Адрес</dt>
            <dd>{addressText({ ...shown.address, city: shown.address.city || card.delivery.city })}</dd>
          </div>
        ) : null}
        {shown?.address?.message ? (
          <div>
            <dt>Курьеру</dt>
            <dd>{shown.address.message}</dd>
          </div>
        ) : null}
      </dl>
      {may("customers.open") && !shown ? (
        <p className="hint">
          <button className="text-button" type="button" disabled={open.isBusy} onClick={() => void show()}>
            Показать
          </button>{" "}
          Кто и когда открыл данные, видно в журнале.
        </p>
      ) : null}
    </Section>
  );
}

/** Changes when the recipient or the address does. */
const contactsKey = ({ history, buyer, delivery }: OrderCardView): string =>
  [history.findLast(({ event }) => event === "change_recipient" || event === "change_address")?.at ?? "", buyer.phone, delivery.place].join(
    " ",
  );

const messageStates = { sent: "отправлено", waiting: "в очереди", failed: "не дошло", suppressed: "не отправляли" } as const;

function Messages({ card, onReload }: { card: OrderCardView; onReload: () => Promise<void> }) {
  const { may } = useStaff();
  const again = useSend(contract.resendMessage);
  const resend = async (messageId: number) => {
    const answer = await again.send({ params: { id: card.id, messageId } });
    if (answer?.ok) {
      showToast("Отправим ещё раз");
      await onReload();
    } else if (answer?.error) showToast(refusalText(answer.error), { isTrouble: true });
  };
  return (
    <Section title="Сообщения" aside={<span className="muted">{card.messages.length}</span>}>
      <ul className="talk">
        {card.messages.map(({ id, channel, title, to, at, state }) => (
          <li key={id}>
            <p className="byline">
              <b className="strong">{title}</b> {channel === "sms" ? "SMS" : "письмо"}, {to}
              <time dateTime={at}>{when(at)}</time>
            </p>
            <p>
              {state === "failed" ? <Trouble>{messageStates[state]}</Trouble> : <span className="soft">{messageStates[state]}</span>}{" "}
              {may("orders.edit") && state !== "waiting" ? (
                <button className="text-button" type="button" disabled={again.isBusy} onClick={() => void resend(id)}>
                  Отправить ещё раз
                  <span className="visually-hidden">
                    : {title}, {channel === "sms" ? "SMS" : "письмо"}
                  </span>
                </button>
              ) : null}
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Comments({ card, onReload }: { card: OrderCardView; onReload: () => Promise<void> }) {
  const { may } = useStaff();
  const add = useSend(contract.commentOrder);
  const [text, setText] = useState("");
  const mayAssign = card.acts.some(({ act, allowed }) => act === "assign" && allowed);
  const write = async () => {
    const answer = await add.send({ params: { id: card.id }, body: { text: text.trim() } });
    if (!answer?.ok) return;
    setText("");
    await onReload();
  };
  return (
    <Section title="Между нами" aside={mayAssign ? null : <span>Ведёт {assigneeText(card)}</span>}>
      {mayAssign ? <AssigneeChoice card={card} onReload={onReload} /> : null}
      <ul className="talk">
        {card.comments.map(({ id, author, at, text: said }) => (
          <li key={id}>
            <p className="byline">
              <b className="strong">{actorText(author, card.people)}</b>
              <time dateTime={at}>{when(at)}</time>
            </p>
            <p>{said}</p>
          </li>
        ))}
      </ul>
      {may("orders.edit") ? (
        <form
          className="write"
          onSubmit={(event) => {
            event.preventDefault();
            if (text.trim()) void write();
            else event.currentTarget.querySelector("input")?.focus();
          }}
        >
          <Field
            label="Заметка для своих"
            isLabelHidden
            placeholder="Заметка для своих"
            autoComplete="off"
            value={text}
            error={add.fields["text"] ?? add.refusal?.message}
            onChange={(event) => setText(event.target.value)}
          />
          <button className="button" type="submit" disabled={add.isBusy}>
            Записать
          </button>
        </form>
      ) : null}
    </Section>
  );
}
