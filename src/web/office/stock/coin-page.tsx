import { Link, useParams } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { useStaff } from "../session.ts";
import { MissingScreen } from "../shell/states.tsx";
import { Refusal } from "../ui/marks.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { useRead } from "../ui/send/use-read.ts";
import { CoinStock } from "./coin-stock.tsx";
import { metalTexts } from "./words.ts";

/** One coin in the stock: its pieces, the orders that reserve them, its threshold, and its whole ledger. */
export function Component() {
  const { id = "" } = useParams();
  return <CoinOfStock key={id} id={id} />;
}

function CoinOfStock({ id }: { id: string }) {
  const staff = useStaff();
  const { data, refusal, reload } = useRead(contract.readStockCoin, { params: { id } });
  if (refusal?.code === "staff.not_found" && !data) return <MissingScreen />;
  // A coin that could not be read again stays with what is typed.
  const unread = refusal ? <Refusal text={refusal.message} /> : null;
  if (!data) return unread ?? <p role="status">Загружаем…</p>;
  const { uncosted = 0 } = data;
  return (
    <>
      <PageHead
        title={data.title}
        facts={`${data.code}, ${metalTexts[data.metal]}${data.isPublished ? "" : ", не в продаже"}`}
        actions={
          data.cost !== undefined && uncosted > 0 && staff.may("stock.post") ? (
            <Link className="button" to={`/stock/documents/new?kind=opening_cost&coin=${data.id}`}>
              Ввести себестоимость
            </Link>
          ) : null
        }
      />
      {unread}
      <CoinStock data={data} reload={reload} />
    </>
  );
}
