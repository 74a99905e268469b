import { useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import type * as z from "zod";
import * as contract from "#contract/staff/calls.ts";
import type { readGoods } from "#contract/staff/exchange.ts";
import { when } from "../staff/words.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { Field } from "../ui/form/field.tsx";
import { Notice, Refusal, Trouble } from "../ui/marks.tsx";
import { Section } from "../ui/page-head.tsx";
import { useStaff } from "../session.ts";
import { showToast } from "../ui/toasts.tsx";
import { usePages } from "../ui/send/use-pages.ts";
import { useRead } from "../ui/send/use-read.ts";
import { useSend } from "../ui/send/use-send.ts";
import { ViewTabs } from "../ui/table/view-tabs.tsx";
import { useRecheck } from "./use-recheck.ts";
import { articleOf } from "./words.ts";

type Good = z.output<(typeof readGoods)["answer"]>["items"][number];
const outcomes = { success: "выполнено", progress: "продолжается", failure: "отказ" } as const;

/** The state of the exchange with 1C: its last call, what waits, its goods and the coins that they are mapped to. */
export function AccountingView() {
  const { data, refusal, reload } = useRead(contract.readAccounting);
  const unread = refusal ? <Refusal text={refusal.message} /> : null;
  if (!data) return unread ?? <p role="status">Загружаем…</p>;
  return (
    <>
      {unread}
      {data.address ? (
        <p>
          Адрес обмена: <span className="number">{data.address}</span>
        </p>
      ) : (
        <Notice>
          <p>Обмен с 1С выключен. Его включает администратор сервера: логин и пароль COMMERCEML_LOGIN и COMMERCEML_PASSWORD.</p>
        </Notice>
      )}
      <dl className="figures">
        <div>
          <dt>Последнее обращение</dt>
          <dd className="number">{data.lastCallAt ? when(data.lastCallAt) : "не было"}</dd>
        </div>
        <div>
          <dt>заказов ждут отправки</dt>
          <dd className="number">{data.ordersWaiting}</dd>
        </div>
        <div>
          <dt>таблиц ждут применения</dt>
          <dd className="number">{data.importsWaiting > 0 ? <Link to="/exchange">{data.importsWaiting}</Link> : 0}</dd>
        </div>
        <div>
          <dt>значений ждут проверки</dt>
          <dd className="number">{data.offersWaiting}</dd>
        </div>
        <div>
          <dt>товаров без монеты</dt>
          <dd className="number">{data.unknownGoods}</dd>
        </div>
      </dl>
      {data.offersWaiting > 0 ? <Offers onChecked={reload} /> : null}
      <Goods unknown={data.unknownGoods} onMapped={reload} />
      <Section title="Что 1С сообщила о заказах">
        <DataTable
          caption="Документы 1С о заказах"
          columns={[
            {
              key: "order",
              head: "Заказ",
              isRowHead: true,
              cell: ({ order }) => (order ? <Link to={`/orders/${order.id}`}>{order.number}</Link> : "не наш"),
            },
            { key: "operation", head: "Документ", cell: ({ operation, number }) => `${operation} ${number}` },
            { key: "date", head: "Дата в 1С", cell: ({ date }) => <span className="number">{date}</span> },
            {
              key: "details",
              head: "Сведения",
              isCut: true,
              cell: ({ details }) => (
                <span className="soft">
                  {Object.entries(details)
                    .map(([name, value]) => `${name}: ${value}`)
                    .join(", ")}
                </span>
              ),
            },
          ]}
          rows={data.documents}
          keyOf={({ guid }) => guid}
          nameOf={({ number }) => number}
          empty="Пока ничего."
        />
      </Section>
      <Section title="Последние обращения">
        <DataTable
          caption="Последние обращения 1С"
          columns={[
            { key: "at", head: "Когда", isRowHead: true, cell: ({ at }) => <span className="number">{when(at)}</span> },
            { key: "mode", head: "Команда", cell: ({ type, mode }) => `${type} ${mode}` },
            {
              key: "outcome",
              head: "Итог",
              cell: ({ outcome }) => (outcome === "failure" ? <Trouble>{outcomes.failure}</Trouble> : outcomes[outcome]),
            },
            { key: "detail", head: "Подробности", isCut: true, cell: ({ detail }) => <span className="soft">{detail}</span> },
          ]}
          rows={data.calls}
          keyOf={({ id }) => String(id)}
          nameOf={({ mode }) => mode}
          isTrouble={({ outcome }) => outcome === "failure"}
          empty="1С ещё не обращалась."
          isTight
        />
      </Section>
    </>
  );
}

/** Pieces and prices that no waiting table shows: their good was mapped later, the table was put aside, or the row was left out. */
function Offers({ onChecked }: { onChecked: () => Promise<void> }) {
  const { run, isBusy, refusal } = useRecheck();
  const navigate = useNavigate();
  const check = async () => {
    const imports = await run();
    if (!imports) return;
    const [only] = imports;
    if (imports.length === 1 && only) return navigate(`/exchange/imports/${only.id}`);
    showToast(imports.length === 0 ? "Отличий от магазина нет" : "Проверено: таблицы в разделе «Загрузить»");
    return onChecked();
  };
  return (
    <Notice>
      <p>
        Часть остатков и цен, которые прислала 1С, не попала в таблицы или пропущена в них.{" "}
        <button className="text-button" type="button" disabled={isBusy} onClick={() => void check()}>
          Проверить заново
        </button>
      </p>
      {refusal ? (
        <p role="alert">
          <Trouble>{refusal.message}</Trouble>
        </p>
      ) : null}
    </Notice>
  );
}

const shownGoods = {
  unknown: {
    label: "Без монеты",
    caption: "Товары 1С, для которых не нашлось монеты",
    empty: "Все товары 1С сопоставлены.",
    about: "Новых монет обмен не создаёт. Впишите артикул монеты или скажите, что это не наш товар.",
  },
  known: {
    label: "Сопоставлены",
    caption: "Товары 1С и их монеты",
    empty: "Сопоставленных товаров нет.",
    about: "Остатки и цены этих товаров приходят монете. Если монета не та, впишите артикул другой.",
  },
  ignored: {
    label: "Не наши",
    caption: "Товары 1С, которых в магазине нет",
    empty: "Таких товаров нет.",
    about: "О них обмен не спрашивает. Впишите артикул монеты или верните товар к тем, что без монеты.",
  },
} as const;
type Shown = keyof typeof shownGoods;

/** Goods of the accounting system by how staff has mapped them. */
function Goods({ unknown, onMapped }: { unknown: number; onMapped: () => Promise<void> }) {
  const [params] = useSearchParams();
  const chosen = params.get("goods") ?? "";
  const show: Shown = Object.hasOwn(shownGoods, chosen) ? (chosen as Shown) : "unknown";
  return (
    <Section title="Товары 1С">
      <ViewTabs
        label="Какие товары показать"
        param="goods"
        views={Object.entries(shownGoods).map(([id, { label }]) => ({
          id,
          label,
          ...(id === "unknown" && unknown > 0 ? { count: { text: String(unknown), isTrouble: true } } : {}),
        }))}
      />
      <p className="soft">{shownGoods[show].about}</p>
      <GoodsTable key={show} show={show} onMapped={onMapped} />
    </Section>
  );
}

function GoodsTable({ show, onMapped }: { show: Shown; onMapped: () => Promise<void> }) {
  const pages = usePages();
  const { data, refusal, reload } = useRead(contract.readGoods, { query: { show, ...(pages.cursor ? { cursor: pages.cursor } : {}) } });
  const refresh = async () => {
    await Promise.all([reload(), onMapped()]);
  };
  return (
    <DataTable
      caption={shownGoods[show].caption}
      columns={[
        { key: "name", head: "Товар в 1С", isRowHead: true, isCut: true, cell: ({ name }) => name || "Без названия" },
        { key: "article", head: "Артикул в 1С", cell: ({ article }) => <span className="number">{article || "нет"}</span> },
        { key: "coin", head: "Монета", cell: (good) => <MapGood good={good} onDone={refresh} /> },
      ]}
      rows={data?.items}
      keyOf={({ guid }) => guid}
      nameOf={({ name }) => name}
      error={refusal?.message ?? null}
      onRetry={() => void reload()}
      empty={pages.cursor === undefined ? shownGoods[show].empty : "Здесь товаров больше нет: вернитесь назад."}
      paging={{ newer: pages.newer, older: pages.older(data?.next) }}
    />
  );
}

const mappedTexts = { coin: "Товар сопоставлен", ignored: "Товар больше не спрашиваем", unknown: "Товар снова ждёт монету" } as const;

function MapGood({ good, onDone }: { good: Good; onDone: () => Promise<void> }) {
  const { may } = useStaff();
  const { send, isBusy, fields, refusal } = useSend(contract.mapGood);
  const [article, setArticle] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const save = async (as: keyof typeof mappedTexts, coinId: number | null = null) => {
    setFault(null);
    const answer = await send({ body: { guid: good.guid, coinId, isIgnored: as === "ignored" } });
    if (!answer?.ok) return;
    setArticle("");
    showToast(mappedTexts[as]);
    await onDone();
  };
  return (
    <>
      {good.coin ? (
        <p>
          {may("coins") ? <Link to={`/coins/${good.coin.id}`}>{good.coin.title}</Link> : good.coin.title}{" "}
          <span className="number muted">{good.coin.id}</span>
        </p>
      ) : null}
      <form
        className="filters"
        onSubmit={(event) => {
          event.preventDefault();
          const coinId = articleOf(article);
          if (coinId === null) setFault("Артикул монеты — число, например 1001");
          else void save("coin", coinId);
        }}
      >
        <Field
          label={`Артикул монеты для «${good.name}»`}
          isLabelHidden
          inputMode="numeric"
          placeholder={good.coin ? "другой артикул" : "артикул"}
          value={article}
          error={fault ?? fields["coinId"] ?? refusal?.message}
          onChange={(event) => {
            setArticle(event.target.value);
            setFault(null);
          }}
        />
        <button className="button button--small" type="submit" disabled={isBusy || article.trim() === ""}>
          Сопоставить
        </button>
        {good.isIgnored ? (
          <button className="button button--small" type="button" disabled={isBusy} onClick={() => void save("unknown")}>
            Вернуть
          </button>
        ) : (
          <button className="button button--small" type="button" disabled={isBusy} onClick={() => void save("ignored")}>
            Не наш
          </button>
        )}
      </form>
    </>
  );
}
