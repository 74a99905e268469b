import { Link, useSearchParams } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { priceText, trimmed } from "#kit/format.ts";
import { fromRoubles } from "#kit/money.ts";
import type { AnswerOf } from "../client.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { Filters } from "../ui/table/filters.tsx";
import { Trouble } from "../ui/marks.tsx";
import { WaitingApprovals } from "../staff/waiting-approvals.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { usePages } from "../ui/send/use-pages.ts";
import { useRead } from "../ui/send/use-read.ts";
import type { StaffEntryOf } from "#contract/staff/calls.ts";
import { CoinTabs } from "./coin-tabs.tsx";
import { decimal, kindLabels, metalLabels } from "./words.ts";
import "./coins.css";

type Row = AnswerOf<StaffEntryOf<typeof contract.readCoins>>["items"][number];
const few = 3;

/** All coins, on sale or not, the newest entries first. */
export function Component() {
  const [params] = useSearchParams();
  const { cursor, newer, older } = usePages();
  const query: Record<string, string> = cursor === undefined ? {} : { cursor };
  for (const name of ["q", "metal", "kind", "published", "photo", "stock", "featured"]) {
    const value = params.get(name);
    if (value) query[name] = value;
  }
  const { data, refusal, reload } = useRead(contract.readCoins, { query });
  return (
    <>
      <PageHead
        title="Монеты"
        actions={
          <Link className="button button--gold" to="/coins/new">
            Новая монета
          </Link>
        }
      />
      <WaitingApprovals area="coin" />
      <CoinTabs />
      <DataTable<Row>
        caption="Монеты, новые сверху"
        chooserKey="coins"
        bar={
          <Filters
            label="Отбор монет"
            find={{ name: "q", label: "Название, артикул, каталожный номер" }}
            selects={[
              { name: "metal", label: "Металл", options: [["", "любой"], ...Object.entries(metalLabels)] },
              { name: "kind", label: "Вид", options: [["", "любой"], ...Object.entries(kindLabels)] },
              {
                name: "published",
                label: "Витрина",
                options: [
                  ["", "все"],
                  ["yes", "показаны"],
                  ["no", "не показаны"],
                ],
              },
              {
                name: "photo",
                label: "Снимки",
                options: [
                  ["", "все"],
                  ["no", "без снимков"],
                ],
              },
              {
                name: "stock",
                label: "Остаток",
                options: [
                  ["", "любой"],
                  ["low", "заканчиваются"],
                ],
              },
              {
                name: "featured",
                label: "Место",
                options: [
                  ["", "все"],
                  ["yes", "в начале каталога"],
                ],
              },
            ]}
          />
        }
        columns={[
          {
            key: "picture",
            head: "Снимок",
            isHeadHidden: true,
            cell: ({ image }) => <img className="coin-thumb" src={image} width="28" height="28" alt="" loading="lazy" />,
          },
          { key: "title", head: "Монета", isRowHead: true, isCut: true, cell: ({ id, title }) => <Link to={`/coins/${id}`}>{title}</Link> },
          { key: "id", head: "Артикул", isRight: true, cell: ({ id }) => <span className="number soft">{id}</span> },
          {
            key: "metal",
            head: "Металл",
            cell: ({ metal, finenessTenths }) => `${metalLabels[metal]} ${decimal(finenessTenths / 10)}`,
            isWideOnly: true,
          },
          { key: "kind", head: "Вид", cell: ({ kind }) => kindLabels[kind], isWideOnly: true },
          {
            key: "mass",
            head: "Чистого, г",
            isRight: true,
            cell: ({ pureMassMg }) => <span className="number">{trimmed(pureMassMg / 1000, 3)}</span>,
          },
          {
            key: "state",
            head: "Витрина",
            cell: ({ isPublished, featuredPosition }) =>
              isPublished ? featuredPosition === null ? "показана" : `показана, место ${featuredPosition}` : <Trouble>не показана</Trouble>,
          },
          { key: "photos", head: "Снимки", cell: ({ hasPhotos }) => (hasPhotos ? "есть" : <span className="muted">рисунок</span>) },
          {
            key: "available",
            head: "Свободно, шт.",
            isRight: true,
            cell: ({ available }) => <span className={available <= few ? "number warn" : "number"}>{available}</span>,
          },
          {
            key: "price",
            head: "Цена, ₽",
            isRight: true,
            cell: ({ price }) => (
              <span className="number strong">{price === null ? "" : priceText(fromRoubles(price)).replace(/\s?₽/, "")}</span>
            ),
          },
        ]}
        rows={data?.items}
        keyOf={({ id }) => String(id)}
        nameOf={({ title }) => title}
        pathOf={({ id }) => `/coins/${id}`}
        error={refusal?.message ?? null}
        onRetry={() => void reload()}
        empty="Монет с таким отбором нет"
        paging={{ newer, older: older(data?.next) }}
      />
    </>
  );
}
