import { useEffect, useRef, useState } from "react";
import { Link, useSearchParams } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { problemTexts } from "#contract/staff/orders/order-texts.ru.ts";
import type { OrderListRow } from "#contract/staff/orders/orders.ts";
import { priceText, roubles } from "#kit/format.ts";
import { add, fromRoubles } from "#kit/money.ts";
import { listViews } from "#shop/orders/staff/order-list.ts";
import { callStaff } from "../../client.ts";
import { useStaff } from "../../session.ts";
import { setCounts } from "../../shell/counts.ts";
import { useKeys } from "../../shell/keys.ts";
import { confirm, confirmAndSend } from "../../ui/form/confirm.tsx";
import { BulkBar, type Selection } from "../../ui/table/bulk-bar.tsx";
import type { Column } from "../../ui/table/column.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { useAddressParams } from "../../ui/table/address-params.ts";
import { Filters } from "../../ui/table/filters.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Notice, Trouble } from "../../ui/marks.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { sendParts } from "../../ui/send/send-parts.ts";
import { showToast } from "../../ui/toasts.tsx";
import { useRead } from "../../ui/send/use-read.ts";
import { useSend } from "../../ui/send/use-send.ts";
import { ViewTabs } from "../../ui/table/view-tabs.tsx";
import { Way } from "../../ui/way.tsx";
import { openDocument } from "../../packing/words.ts";
import { when } from "../../staff/words.ts";
import { AssignDialog } from "./assign-dialog.tsx";
import { assigneeOptions, type Colleague } from "./assignee-options.ts";
import { deliveryOptions, paymentOptions } from "./method-options.ts";
import { placeText, stateLabels, stateWays, viewLabels } from "../words.ts";

const filterNames = ["state", "delivery", "payment", "sumFrom", "sumTo", "from", "till", "assignee", "text", "problem"] as const;
/** As many orders as a bulk call takes. */
const maxPerRequest = 50;
const countText = (count: number): string => (count > 1_000 ? "1 000+" : `${count}`);

/** The list of orders: views, filters, bulk packing. */
export function Component() {
  const staff = useStaff();
  const [params, changeParams] = useAddressParams();
  const { data: counts, reload: recount } = useRead(contract.countOrders);
  const savedViews = useSavedViews();
  const { chosen } = savedViews;
  const colleagues = useColleagues();
  const print = useSend(contract.printOrders);
  const query = queryOf(params, chosen?.filter["view"]);
  useSavedFilter(chosen);
  const { data, refusal, reload } = useRead(contract.readOrderList, { query });
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const [trouble, setTrouble] = useState<string | null>(null);
  const [results, setResults] = useState<{ name: string; reason: string }[]>([]);
  const pack = useSend(contract.packOrders);
  const assign = useSend(contract.assignOrders);
  const [isAssigning, setAssigning] = useState(false);
  useEffect(() => {
    if (counts) setCounts({ "/orders": { text: countText(counts.to_pack), isTrouble: counts.problem > 0 } });
  }, [counts]);

  const rows = data?.rows;
  const seesMoney = staff.may("orders.money") !== null;
  const selection = { picked, onChange: setPicked };
  const chosenRows = rows?.filter(({ id }) => picked.has(id)) ?? [];
  const goTo = (page: string | null | undefined) => (page == null ? null : () => changeParams((next) => next.set("cursor", page)));
  // After a change of page or filter the picked orders are not on the screen any more.
  const shownQuery = JSON.stringify(query);
  useEffect(() => {
    setPicked(new Set());
    setResults([]);
    setTrouble(null);
  }, [shownQuery]);
  const report = (answer: RowResult[], done: string) => {
    const numberOf = new Map(rows?.map(({ id, number }) => [id, number]));
    setResults(answer.flatMap(({ id, isDone, reason }) => (isDone ? [] : [{ name: `${numberOf.get(id) ?? id}`, reason: reason ?? "" }])));
    showToast(`${done}: ${answer.filter(({ isDone }) => isDone).length} из ${answer.length}`);
  };
  /** Sends picked orders in parts. Those without an answer stay picked; `why` is the reason, null when all were answered. */
  const sendAll = async <Item,>(items: readonly Item[], done: string, send: Parameters<typeof sendParts<Item, RowResult>>[2]) => {
    const { rows: answer, refusal: why } = await sendParts(items, maxPerRequest, send);
    if (answer.length === 0) return { isAnswered: false, why };
    report(answer, done);
    const answered = new Set(answer.map(({ id }) => id));
    setPicked((before) => new Set([...before].filter((id) => !answered.has(id))));
    await Promise.all([reload(), recount()]);
    return { isAnswered: true, why };
  };
  /** The orders as they are shown: one that was changed meanwhile is refused. */
  const seen = (shown: readonly OrderListRow[]) => shown.map(({ id, revision }) => ({ id, revision }));
  const packPicked = async () => {
    const { why } = await sendAll(seen(chosenRows), "Собрано", (orders) => pack.send({ body: { orders } }));
    setTrouble(why);
  };
  const take = async (shown: readonly OrderListRow[]) => {
    const { why } = await sendAll(seen(shown), "Взято", (orders) => assign.send({ body: { orders, assignee: staff.login } }));
    setTrouble(why);
  };
  const assignPicked = async (assignee: string | null) => {
    const { isAnswered, why } = await sendAll(seen(chosenRows), assignee === null ? "Снято" : "Назначено", async (orders) => {
      const answer = await assign.send({ body: { orders, assignee } });
      if (answer?.ok) setAssigning(false);
      return answer;
    });
    if (isAnswered) setTrouble(why); // otherwise the dialog says why
  };
  const printPicked = async (paper: "slips" | "labels") => {
    const answer = await print.send({ body: { ids: [...picked], paper } });
    setTrouble(answer && !answer.ok ? (answer.error?.message ?? null) : null);
    if (!answer?.ok) return;
    const { rows: printed, path } = answer.value;
    report(printed, paper === "slips" ? "Листы" : "Этикетки");
    if (path && !openDocument(path)) showToast("Браузер не открыл окно: разрешите окна для этого адреса", { isTrouble: true });
  };

  return (
    <>
      <PageHead title="Заказы" facts={counts ? `${countText(counts.today)} сегодня` : undefined} />
      <ViewTabs
        label="Виды"
        views={[
          ...listViews.map((id) => ({
            id,
            label: viewLabels[id],
            ...(counts && id !== "all" ? { count: { text: countText(counts[id]), isTrouble: id === "problem" && counts[id] > 0 } } : {}),
          })),
          ...savedViews.all.map(({ id, name, filter }) => ({ id: `saved-${id}`, label: name, filter: addressOf(filter) })),
        ]}
        onSave={() => void savedViews.create(query)}
        end={
          chosen ? (
            <Menu label="Этот вид" className="muted">
              <MenuItem onPress={() => void savedViews.saveFilter(chosen.id, query)}>Сохранить отбор</MenuItem>
              <MenuItem onPress={() => void savedViews.rename(chosen.id, chosen.name)}>Переименовать</MenuItem>
              <MenuItem onPress={() => void savedViews.remove(chosen.id, chosen.name)}>Удалить</MenuItem>
            </Menu>
          ) : null
        }
      />
      <Filters
        label="Отбор заказов"
        find={{ name: "text", label: "Номер, имя, телефон, трек" }}
        days={[
          { name: "from", label: "С" },
          { name: "till", label: "По" },
        ]}
        selects={[
          { name: "state", label: "Состояние", options: [["", "любое"], ...Object.entries(stateLabels)] },
          { name: "payment", label: "Оплата", options: paymentOptions },
          { name: "delivery", label: "Доставка", options: deliveryOptions },
          {
            name: "assignee",
            label: "Ведёт",
            options: assigneeOptions(colleagues, staff.login, params.get("assignee")),
          },
          { name: "problem", label: "Что не так", options: problemOptions },
        ]}
        sums={
          seesMoney
            ? [
                { name: "sumFrom", label: "Сумма от, ₽" },
                { name: "sumTo", label: "до, ₽" },
              ]
            : []
        }
      />
      <DataTable
        caption={query.view === "unpaid" ? "Заказы, сверху те, чья бронь кончится раньше" : "Заказы, новые сверху"}
        columns={columnsOf(seesMoney)}
        rows={rows}
        keyOf={({ id }) => id}
        nameOf={({ number }) => `${number}`}
        pathOf={({ id }) => `/orders/${id}`}
        isTrouble={({ problem }) => problem !== null}
        error={refusal?.message ?? null}
        onRetry={() => void reload()}
        empty="Таких заказов нет"
        selection={selection}
        rowKeys={staff.may("orders.edit") ? [{ code: "KeyM", label: "Взять себе", run: (row) => void take([row]) }] : []}
        paging={{
          newer: goTo(data?.newer),
          older: goTo(data?.older),
          ...(query.view === "unpaid" ? { names: ["Раньше", "Позже"] as const } : {}),
        }}
        chooserKey="orders"
      />
      {trouble ? (
        <Notice tone="warn">
          <p>{trouble}</p>
        </Notice>
      ) : null}
      {results.length > 0 ? (
        <ul className="talk" aria-label="Что не получилось">
          {results.map(({ name, reason }) => (
            <li key={name}>
              <Trouble>
                {name}: {reason}
              </Trouble>
            </li>
          ))}
        </ul>
      ) : null}
      <OrderBulkBar
        selection={selection}
        orders={chosenRows}
        isBusy={{ pack: pack.isBusy, print: print.isBusy, assign: assign.isBusy }}
        onPack={() => void packPicked()}
        onPrint={(paper) => void printPicked(paper)}
        onTake={() => void take(chosenRows)}
        onAssign={() => {
          assign.forget();
          setAssigning(true);
        }}
      />
      {isAssigning ? (
        <AssignDialog
          count={chosenRows.length}
          isBusy={assign.isBusy}
          error={assign.fields["assignee"] ?? assign.refusal?.message}
          onAssign={(assignee) => void assignPicked(assignee)}
          onClose={() => setAssigning(false)}
        />
      ) : null}
    </>
  );
}

/** What can be done with the picked orders, by the permissions of the member of staff. */
function OrderBulkBar({
  selection,
  orders,
  isBusy,
  onPack,
  onPrint,
  onTake,
  onAssign,
}: {
  selection: Selection;
  orders: readonly OrderListRow[];
  isBusy: Readonly<Record<"pack" | "print" | "assign", boolean>>;
  onPack: () => void;
  onPrint: (paper: "slips" | "labels") => void;
  onTake: () => void;
  onAssign: () => void;
}) {
  const { may } = useStaff();
  const isEmpty = orders.length === 0;
  const mayPack = may("orders.pack") !== null;
  const mayTake = may("orders.edit") !== null;
  // Over the keys of the list, which act on its current row.
  useKeys(
    [
      ...(mayPack ? [{ code: "KeyA", label: "Собрать выбранные", run: () => !isBusy.pack && onPack() }] : []),
      ...(mayTake ? [{ code: "KeyM", label: "Взять себе выбранные", run: () => !isBusy.assign && onTake() }] : []),
    ],
    !isEmpty,
  );
  return (
    <BulkBar
      selection={selection}
      summary={may("orders.money") ? priceText(add(...orders.map(({ sum }) => fromRoubles(sum ?? 0)))) : undefined}
    >
      {mayPack ? (
        <>
          <button className="button button--gold" type="button" disabled={isBusy.pack || isEmpty} onClick={onPack}>
            Собрать <kbd aria-hidden>A</kbd>
          </button>
          {(["slips", "labels"] as const).map((paper) => (
            <button key={paper} className="button" type="button" disabled={isBusy.print} onClick={() => onPrint(paper)}>
              <Icon name="print" size="small" /> {paper === "slips" ? "Листы" : "Этикетки"}
            </button>
          ))}
        </>
      ) : null}
      {mayTake ? (
        <>
          <button className="button" type="button" disabled={isBusy.assign || isEmpty} onClick={onTake}>
            Взять себе <kbd aria-hidden>M</kbd>
          </button>
          <button className="button" type="button" disabled={isBusy.assign || isEmpty} onClick={onAssign}>
            Назначить
          </button>
        </>
      ) : null}
    </BulkBar>
  );
}

/** The colleagues to whom orders can be assigned; empty without the permission `orders.edit`. */
function useColleagues(): readonly Colleague[] {
  const mayRead = useStaff().may("orders.edit") !== null;
  const [colleagues, setColleagues] = useState<readonly Colleague[]>([]);
  useEffect(() => {
    if (!mayRead) return;
    const stop = new AbortController();
    void callStaff(contract.readOrderColleagues, { signal: stop.signal }).then((answer) => {
      if (answer.ok && !stop.signal.aborted) setColleagues(answer.value);
    });
    return () => stop.abort();
  }, [mayRead]);
  return colleagues;
}

/** The saved views of the member of staff, the one that the address names, and what can be done with them. */
function useSavedViews() {
  const [params, setParams] = useSearchParams();
  const { data: all = [], reload } = useRead(contract.readViews);
  const adding = useSend(contract.addView);
  const changing = useSend(contract.changeView);
  const deleting = useSend(contract.deleteView);
  const chosen = all.find(({ id }) => params.get("view") === `saved-${id}`);

  /** Reads the views again after a change; shows why it was refused. */
  const settle = async (answer: { ok: boolean; error?: { message: string } | null } | null): Promise<boolean> => {
    if (answer?.ok) await reload();
    else if (answer?.error) showToast(answer.error.message, { isTrouble: true });
    return answer?.ok === true;
  };
  const create = async (query: Query) => {
    const question = { title: "Сохранить вид", action: "Сохранить", note: { label: "Название", isRequired: true } };
    await settle(await confirmAndSend(question, (name) => adding.send({ body: { name, filter: filterText(query), columns: [] } })));
  };
  const rename = async (id: number, name: string) => {
    const question = { title: "Переименовать вид", action: "Сохранить", note: { label: "Название", isRequired: true, value: name } };
    await settle(await confirmAndSend(question, (given) => changing.send({ params: { id }, body: { name: given } })));
  };
  const saveFilter = async (id: number, query: Query) => {
    if (await settle(await changing.send({ params: { id }, body: { filter: filterText(query) } }))) showToast("Отбор сохранён в виде");
  };
  const remove = async (id: number, name: string) => {
    if (!(await confirm({ title: `Удалить вид «${name}»?`, text: "Заказы останутся как есть", action: "Удалить" }))) return;
    await settle(await deleting.send({ params: { id } }));
    setParams({}, { replace: true });
  };
  return { all, chosen, create, rename, saveFilter, remove };
}

type RowResult = { id: string; isDone: boolean; reason: string | null };
/** The query as a saved view stores it. */
const filterText = (query: Query): Record<string, string> =>
  Object.fromEntries(Object.entries(query).flatMap(([name, value]) => (value && name !== "page" ? [[name, value]] : [])));

/** The part of a stored filter that is in the address, where the fields over the list show it. */
const addressOf = (filter: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(filterNames.flatMap((name) => (filter[name] ? [[name, filter[name]]] : [])));

/**
 * Writes the filter of a saved view into an address that names the view only: a bookmark. Once for each view, so that filters can be
 * taken away again.
 */
function useSavedFilter(chosen: { id: number; filter: Readonly<Record<string, string>> } | undefined): void {
  const [params, setParams] = useSearchParams();
  const written = useRef<number | null>(null);
  const isBare = !filterNames.some((name) => params.has(name));
  useEffect(() => {
    const filter = chosen && addressOf(chosen.filter);
    if (filter && chosen.id !== written.current && isBare && Object.keys(filter).length > 0)
      setParams({ ...filter, view: `saved-${chosen.id}` }, { replace: true });
    written.current = chosen?.id ?? null;
  }, [chosen, isBare, setParams]);
}

const problemOptions: readonly (readonly [string, string])[] = [["", "любое"], ...Object.entries(problemTexts)];

type Query = { view?: (typeof listViews)[number]; page?: string } & { [Name in (typeof filterNames)[number]]?: string };
/** The query of the list from the address. `narrowed`: the built-in view that the saved view is based on. */
function queryOf(params: URLSearchParams, narrowed: string | undefined): Query & { problem?: never } {
  const query: Record<string, string> = {};
  const chosen = params.get("view");
  const view = chosen?.startsWith("saved-") ? narrowed : chosen;
  if (view) query["view"] = view;
  for (const name of filterNames) {
    const value = params.get(name);
    if (value) query[name] = value;
  }
  const cursor = params.get("cursor");
  if (cursor) query["page"] = cursor;
  return query as Query & { problem?: never };
}

const columnsOf = (seesMoney: boolean): Column<OrderListRow>[] => [
  {
    key: "number",
    head: "Номер",
    isRowHead: true,
    cell: ({ id, number }) => (
      <Link className="number" to={`/orders/${id}`}>
        {number}
      </Link>
    ),
  },
  { key: "at", head: "Оформлен", cell: ({ createdAt }) => <span className="number soft">{when(createdAt)}</span> },
  { key: "state", head: "Состояние", cell: ({ state }) => <Way {...stateWays[state]} word={stateLabels[state]} /> },
  {
    key: "deadline",
    head: "Срок",
    isExtra: true,
    cell: ({ deadline }) => (deadline === null ? null : <span className="number soft">{when(deadline)}</span>),
  },
  { key: "buyer", head: "Покупатель", isBounded: true, cell: ({ buyer }) => buyer },
  { key: "phone", head: "Телефон", isExtra: true, cell: ({ phone }) => <span className="number soft">{phone}</span> },
  {
    key: "what",
    head: "Монеты",
    isCut: true,
    cell: ({ what, pieces }) => (
      <span className="soft">
        {what} ×{pieces}
      </span>
    ),
  },
  ...(seesMoney
    ? [
        {
          key: "sum",
          head: "Сумма, ₽",
          isRight: true,
          cell: ({ sum }: OrderListRow) => <span className="number strong">{sum === undefined ? "" : roubles(fromRoubles(sum))}</span>,
        },
      ]
    : []),
  { key: "payment", head: "Оплата", cell: ({ payment }) => <span className="soft">{payment}</span> },
  {
    key: "delivery",
    head: "Доставка",
    isBounded: true,
    cell: ({ city, delivery }) => <span className="soft">{placeText(city, delivery)}</span>,
  },
  { key: "tracking", head: "Трек", isExtra: true, cell: ({ tracking }) => <span className="number soft">{tracking}</span> },
  {
    key: "assignee",
    head: "Ведёт",
    isWideOnly: true,
    isBounded: true,
    cell: ({ assigneeName }) => assigneeName ?? <span className="muted">никто</span>,
  },
  {
    key: "problem",
    head: "Что не так",
    isBounded: true,
    cell: ({ problemText }) => (problemText ? <Trouble>{problemText}</Trouble> : null),
  },
];
