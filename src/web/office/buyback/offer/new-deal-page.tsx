import { useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { dealLimits } from "#shop/buyback/deal.ts";
import { Field, TextArea } from "../../ui/form/field.tsx";
import { UnsavedMark } from "../../ui/form/unsaved-mark.tsx";
import { Notice } from "../../ui/marks.tsx";
import { PageHead, Section } from "../../ui/page-head.tsx";
import { useRead } from "../../ui/send/use-read.ts";
import { useSend } from "../../ui/send/use-send.ts";
import { showToast } from "../../ui/toasts.tsx";
import { atNewPrices, lineOf, readLines, type TypedLine } from "../lines.ts";
import type { DealForm } from "../words.ts";
import { OfferLines } from "./offer-lines.tsx";

/** A new deal, from nothing or from a request (`?request=`). */
export function Component() {
  const [params] = useSearchParams();
  const request = params.get("request") ?? undefined;
  return <NewDeal key={request} request={request} />;
}

function NewDeal({ request }: { request: string | undefined }) {
  const { data, refusal } = useRead(contract.readDealForm, { query: { request } });
  if (refusal && !data)
    return (
      <>
        <PageHead title="Новая сделка" />
        <Notice tone="warn">
          <p>{refusal.message}</p>
        </Notice>
      </>
    );
  if (!data) return <p className="screen-loading">Загружаем…</p>;
  return <Offer form={data} />;
}

/** The coins of the request that the catalogue has; one that is named twice is one line. */
function linesOf({ request }: DealForm): TypedLine[] {
  const pieces = new Map<number, TypedLine>();
  for (const { coin, quantity } of request?.coins ?? []) {
    if (coin === null) continue;
    const known = pieces.get(coin.id);
    pieces.set(coin.id, lineOf(coin, quantity + Number(known?.quantity ?? 0), request?.condition));
  }
  return [...pieces.values()];
}

function Offer({ form }: { form: DealForm }) {
  const { request, lockHours } = form;
  const navigate = useNavigate();
  const { send, isBusy, refusal, fields } = useSend(contract.createDeal, { stores: "screen" });
  const [first] = useState(() => linesOf(form));
  const [lines, setLines] = useState<readonly TypedLine[]>(first);
  const [seller, setSeller] = useState({ name: "", phone: "", email: "" });
  const [note, setNote] = useState("");
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({});
  const unknown = (request?.coins ?? []).filter(({ coin }) => coin === null);
  const save = async (lock: boolean) => {
    const read = readLines(lines);
    setWrong(read.wrong);
    if (Object.keys(read.wrong).length > 0) return;
    const answer = await send({ body: { request: request?.id ?? null, ...seller, note, lines: read.lines, lock } });
    if (!answer) return;
    if (!answer.ok) {
      const { error } = answer;
      if (error?.code === "buyback.other_prices") setLines((before) => atNewPrices(before, error.data.coins));
      return;
    }
    showToast(lock ? "Цены зафиксированы" : "Предложение сохранено");
    await navigate(`/buyback/${answer.value.id}`, { replace: true });
  };
  const shown = { ...fields, ...wrong };
  return (
    <>
      <PageHead
        title="Новая сделка"
        facts={request ? <Link to={`/requests/${request.id}`}>по обращению {request.id}</Link> : "покупаем монеты у человека"}
        actions={
          <>
            <button className="button" type="button" disabled={isBusy || lines.length === 0} onClick={() => void save(false)}>
              Сохранить предложение
            </button>
            <button className="button button--gold" type="button" disabled={isBusy || lines.length === 0} onClick={() => void save(true)}>
              Зафиксировать на {lockHours} ч
            </button>
          </>
        }
      />
      {refusal && Object.keys(fields).length === 0 ? (
        <Notice tone="warn">
          <p>{refusal.message}</p>
        </Notice>
      ) : null}
      {request && request.dealId !== null ? (
        <Notice>
          <p>
            По этому обращению уже есть <Link to={`/buyback/${request.dealId}`}>сделка № {request.dealId}</Link>.
          </p>
        </Notice>
      ) : null}
      {unknown.length > 0 ? (
        <Notice>
          <p>Найдите в каталоге: {unknown.map(({ title, quantity }) => `${title}, ${quantity} шт.`).join("; ")}</p>
        </Notice>
      ) : null}
      <UnsavedMark value={lines.map(({ coin }) => coin.id)} stored={first.map(({ coin }) => coin.id)} />
      <OfferLines lines={lines} fields={shown} onChange={setLines} />
      <Section title="Продавец">
        {request ? (
          <dl className="rows">
            <div>
              <dt>Имя</dt>
              <dd>{request.name || "не назвал"}</dd>
            </div>
            <div>
              <dt>Телефон</dt>
              <dd className="number">{request.maskedPhone}</dd>
            </div>
            {request.maskedEmail ? (
              <div>
                <dt>Почта</dt>
                <dd>{request.maskedEmail}</dd>
              </div>
            ) : null}
          </dl>
        ) : (
          <div className="offer-seller">
            <Field
              label="Имя"
              autoComplete="off"
              maxLength={dealLimits.name}
              value={seller.name}
              error={shown["name"]}
              onChange={({ target }) => setSeller({ ...seller, name: target.value })}
            />
            <Field
              label="Телефон"
              type="tel"
              autoComplete="off"
              value={seller.phone}
              error={shown["phone"]}
              onChange={({ target }) => setSeller({ ...seller, phone: target.value })}
            />
            <Field
              label="Почта, если есть"
              type="email"
              autoComplete="off"
              value={seller.email}
              error={shown["email"]}
              onChange={({ target }) => setSeller({ ...seller, email: target.value })}
            />
          </div>
        )}
        <div className="offer-note">
          <TextArea
            label="Заметка для своих"
            rows={2}
            maxLength={dealLimits.note}
            value={note}
            error={shown["note"]}
            onChange={({ target }) => setNote(target.value)}
          />
        </div>
      </Section>
    </>
  );
}
