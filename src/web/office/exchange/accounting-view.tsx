import { useState } from "react";
import { Link } from "react-router";
import type * as z from "zod";
import * as contract from "#contract/staff/calls.ts";
import type { readGoods } from "#contract/staff/exchange.ts";
import { when } from "../staff/words.ts";
import { DataTable } from "../ui/data-table.tsx";
import { Field } from "../ui/field.tsx";
import { Notice, Trouble } from "../ui/marks.tsx";
import { Section } from "../ui/page-head.tsx";
import { showToast } from "../ui/toasts.tsx";
import { useRead } from "../ui/use-read.ts";
import { useSend } from "../ui/use-send.ts";

type Good = z.output<(typeof readGoods)["answer"]>["items"][number];
const outcomes = { success: "выполнено", progress: "продолжается", failure: "отказ" } as const;

/** The exchange with 1C: what it did last, goods that it has and the shop does not know, what it says about orders. */
export function AccountingView() {
  const { data, refusal, reload } = useRead(contract.readAccounting);
  const goods = useRead(contract.readGoods, { query: { show: "unknown" } });
  if (refusal) return <Notice tone="warn">{<p>{refusal.message}</p>}</Notice>;
  if (!data) return <p role="status">Загружаем…</p>;
  const refresh = async () => {
    await Promise.all([reload(), goods.reload()]);
  };
  return (
    <>
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
          <dt>товаров без монеты</dt>
          <dd className="number">{data.unknownGoods}</dd>
        </div>
      </dl>
      <Section title="Товары без монеты">
        <p className="soft">Новых монет обмен не создаёт. Впишите артикул монеты или скажите, что это не наш товар.</p>
        <DataTable
          caption="Товары 1С, для которых не нашлось монеты"
          columns={[
            { key: "name", head: "Товар в 1С", isRowHead: true, isCut: true, cell: ({ name }) => name || "Без названия" },
            { key: "article", head: "Артикул в 1С", cell: ({ article }) => <span className="number">{article || "нет"}</span> },
            { key: "coin", head: "Монета", cell: (good) => <MapGood good={good} onDone={refresh} /> },
          ]}
          rows={goods.data?.items}
          keyOf={({ guid }) => guid}
          nameOf={({ name }) => name}
          error={goods.refusal?.message ?? null}
          onRetry={() => void goods.reload()}
          empty="Все товары 1С сопоставлены."
        />
      </Section>
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

function MapGood({ good, onDone }: { good: Good; onDone: () => Promise<void> }) {
  const { send, isBusy, fields, refusal } = useSend(contract.mapGood);
  const [article, setArticle] = useState("");
  const save = async (coinId: number | null) => {
    const answer = await send({ body: { guid: good.guid, coinId, isIgnored: coinId === null } });
    if (!answer?.ok) return;
    showToast(coinId === null ? "Товар больше не спрашиваем" : "Товар сопоставлен");
    await onDone();
  };
  return (
    <form
      className="filters"
      onSubmit={(event) => {
        event.preventDefault();
        if (/^[1-9]\d{0,8}$/.test(article)) void save(Number(article));
      }}
    >
      <Field
        label={`Артикул монеты для «${good.name}»`}
        isLabelHidden
        inputMode="numeric"
        placeholder="артикул"
        value={article}
        error={fields["coinId"] ?? (refusal ? refusal.message : undefined)}
        onChange={(event) => setArticle(event.target.value.trim())}
      />
      <button className="button button--small" type="submit" disabled={isBusy || article === ""}>
        Сопоставить
      </button>
      <button className="button button--small" type="button" disabled={isBusy} onClick={() => void save(null)}>
        Не наш
      </button>
    </form>
  );
}
