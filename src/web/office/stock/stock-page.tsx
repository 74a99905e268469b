import { Link, useSearchParams } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { number } from "#kit/format.ts";
import { levelParts } from "#shop/stock/overview/overview.ts";
import { sum } from "../money/words.ts";
import { useStaff } from "../session.ts";
import type { Column } from "../ui/table/column.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { Filters } from "../ui/table/filters.tsx";
import { Trouble } from "../ui/marks.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { usePages } from "../ui/send/use-pages.ts";
import { useRead } from "../ui/send/use-read.ts";
import { costText, gramsText, metalTexts, partTexts, stockCostText, type LevelView } from "./words.ts";

type Part = (typeof levelParts)[number];

/** The pieces of every coin: on hand, in orders, free, what they cost and what their metal is worth. */
export function Component() {
  const staff = useStaff();
  const [params] = useSearchParams();
  const { cursor, newer, older } = usePages();
  const part = levelParts.find((each) => each === params.get("part")) ?? "in_stock";
  const metal = params.get("metal");
  const { data, refusal, reload } = useRead(contract.readStock, {
    query: {
      part,
      text: params.get("text") ?? "",
      ...(metal === "gold" || metal === "silver" ? { metal } : {}),
      ...(cursor === undefined ? {} : { cursor }),
    },
  });
  const { data: summary } = useRead(contract.readStockSummary);
  const showsCost = summary?.metals.some(({ cost }) => cost !== undefined) ?? false;
  return (
    <>
      <PageHead
        title="Склад"
        facts={summary ? `мало: ${summary.low}, кончились: ${summary.out}, порог ${summary.lowAt}` : undefined}
        actions={
          <>
            <Link className="button" to="/stock/documents">
              Документы
            </Link>
            {staff.may("stock.post") ? (
              <Link className="button button--gold" to="/stock/documents/new?kind=receipt">
                Приход
              </Link>
            ) : null}
          </>
        }
      />
      {summary ? (
        <dl className="figures">
          {summary.metals.map((total) => (
            <div key={total.metal}>
              <dt>{metalTexts[total.metal]}</dt>
              <dd>
                <span className="number">{number(total.pieces)} шт.</span>{" "}
                <span className="muted">
                  {gramsText(total.pureMassMg)} г{total.metalValue === null ? "" : `, металл ${sum(Math.round(total.metalValue))} ₽`}
                  {total.cost === undefined ? "" : `, ${stockCostText({ ...total, cost: total.cost })}`}
                </span>
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
      <DataTable<LevelView>
        caption="Монеты по названию"
        chooserKey="stock"
        bar={
          <Filters
            label="Отбор монет"
            find={{ name: "text", label: "Название или номер" }}
            selects={[
              { name: "part", label: "Показать", options: partOptions },
              {
                name: "metal",
                label: "Металл",
                options: [
                  ["", "любой"],
                  ["gold", "золото"],
                  ["silver", "серебро"],
                ],
              },
            ]}
          />
        }
        columns={columnsOf(showsCost)}
        rows={data?.items}
        keyOf={({ id }) => String(id)}
        nameOf={({ title }) => title}
        pathOf={({ id }) => `/stock/coins/${id}`}
        isTrouble={({ isLow, onHand }) => isLow && onHand > 0}
        error={refusal?.message ?? null}
        onRetry={() => void reload()}
        empty="Монет с таким отбором нет"
        paging={{ newer, older: older(data?.next) }}
      />
    </>
  );
}

/** The first option leaves the address. */
const partOptions = levelParts
  .toSorted((a, b) => Number(b === "in_stock") - Number(a === "in_stock"))
  .map((each: Part) => [each === "in_stock" ? "" : each, partTexts[each]] as const);

const columnsOf = (showsCost: boolean): Column<LevelView>[] => [
  {
    key: "title",
    head: "Монета",
    isRowHead: true,
    isWrapped: true,
    cell: ({ id, title, code, isPublished }) => (
      <>
        <Link to={`/stock/coins/${id}`}>{title}</Link>{" "}
        <span className="muted">
          {code}
          {isPublished ? "" : ", не в продаже"}
        </span>
      </>
    ),
  },
  { key: "onHand", head: "На складе", isRight: true, cell: ({ onHand }) => <span className="number">{number(onHand)}</span> },
  {
    key: "reserved",
    head: "В заказах",
    isRight: true,
    cell: ({ reserved }) => <span className="number soft">{reserved === 0 ? "" : number(reserved)}</span>,
  },
  {
    key: "available",
    head: "Свободно",
    isRight: true,
    cell: ({ available, isLow, onHand }) =>
      isLow && onHand > 0 ? (
        <Trouble>
          мало <b className="strong number">{number(available)}</b>
        </Trouble>
      ) : (
        <span className="number strong">{number(available)}</span>
      ),
  },
  ...(showsCost
    ? [
        {
          key: "average",
          head: "Себестоимость шт., ₽",
          isRight: true,
          isWideOnly: true,
          cell: ({ averageCost }: LevelView) => <span className="number soft">{costText(averageCost)}</span>,
        },
        {
          key: "cost",
          head: "Себестоимость, ₽",
          isRight: true,
          cell: ({ cost, uncosted = 0, onHand }: LevelView) => (
            <span className="number">
              {onHand === 0 ? "" : uncosted === onHand ? "нет данных" : costText(cost)}
              {uncosted > 0 && uncosted < onHand ? <span className="muted"> без {uncosted} шт.</span> : null}
            </span>
          ),
        },
      ]
    : []),
  {
    key: "metal",
    head: "Металл, ₽",
    isRight: true,
    cell: ({ metalValue }) => <span className="number">{metalValue === null ? "нет курса" : sum(Math.round(metalValue))}</span>,
  },
];
