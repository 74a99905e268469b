import { useEffect, useRef, useState } from "react";
import { Link, useSearchParams } from "react-router";
import type * as z from "zod";
import * as contract from "#contract/staff/calls.ts";
import type { readReviews } from "#contract/staff/customers/reviews.ts";
import { day } from "#kit/format.ts";
import { useKeys } from "../shell/keys.ts";
import { setCounts } from "../shell/counts.ts";
import { when } from "../staff/words.ts";
import { TextArea } from "../ui/form/field.tsx";
import { Good, Notice, Trouble } from "../ui/marks.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { Panel, WithPanel } from "../ui/panel.tsx";
import { StaleDialog } from "../ui/form/stale-dialog.tsx";
import { showToast } from "../ui/toasts.tsx";
import { leavePanel } from "../ui/form/unsaved.ts";
import { UnsavedMark } from "../ui/form/unsaved-mark.tsx";
import { usePages } from "../ui/send/use-pages.ts";
import { useRead } from "../ui/send/use-read.ts";
import { useSend } from "../ui/send/use-send.ts";
import { Paging } from "../ui/table/paging.tsx";
import { ViewTabs } from "../ui/table/view-tabs.tsx";

type Review = z.output<(typeof readReviews)["answer"]>["items"][number];
type State = Review["state"];
type Event = "approve" | "reject" | "withdraw";

/** For this long Esc reverts the last decision. */
const undoMs = 10_000;
const stateWords: Readonly<Record<State, string>> = { pending: "ждёт", approved: "опубликован", rejected: "отклонён" };
const doneWords: Readonly<Record<Event, string>> = { approve: "Опубликован", reject: "Отклонён", withdraw: "Возвращён в очередь" };
const eventWords: Readonly<Record<Event, string>> = { approve: "опубликовать", reject: "отклонить", withdraw: "вернуть в очередь" };

const nowMs = (): number => Date.now();

/** The queue of reviews. J and K move through it, A publishes and shows the next one, R rejects, Esc reverts the last decision. */
export function Component() {
  const [params] = useSearchParams();
  const view = params.get("view");
  const state: State = view === "approved" || view === "rejected" ? view : "pending";
  const pages = usePages();
  const { data, refusal, reload } = useRead(contract.readReviews, { query: { state, cursor: pages.cursor } });
  const { send, refusal: decideRefusal, fields, forget } = useSend(contract.decideReview);
  const [gone, setGone] = useState<ReadonlySet<number>>(new Set());
  /** Null: the panel was closed; undefined: nothing was chosen yet. */
  const [currentId, setCurrentId] = useState<number | null>();
  const [isRejecting, setRejecting] = useState(false);
  const [reason, setReason] = useState("");
  const [stale, setStale] = useState<{ review: Review; event: Event; now: Review } | null>(null);
  /** The newer version that the dialog has shown: a press before the list is read again is sent with it. */
  const seen = useRef<Review | null>(null);
  const last = useRef<{ review: Review; at: number } | null>(null);

  const rows = data?.items.filter((each) => each.state === state && !gone.has(each.id));
  const position = rows?.findIndex(({ id }) => id === currentId) ?? -1;
  const current = rows?.[position];
  const pending = data?.pending;
  useEffect(() => {
    if (pending !== undefined) setCounts({ "/reviews": { text: pending > 1000 ? "1 000+" : `${pending}` } });
  }, [pending]);
  // A wide screen shows the first review at once; on a phone the panel would cover the list.
  const firstId = rows?.[0]?.id;
  useEffect(() => {
    if (firstId !== undefined && currentId === undefined && matchMedia("(min-width: 701px)").matches) setCurrentId(firstId);
  }, [firstId, currentId]);

  const choose = (id: number | null | undefined) => {
    setRejecting(false);
    setReason("");
    forget();
    setCurrentId(id);
  };
  const show = (id: number | null) => {
    if (id !== currentId) void leavePanel(() => choose(id));
  };
  const walk = (step: number) => {
    const next = rows?.[Math.min(Math.max(position + step, 0), rows.length - 1)];
    if (next) show(next.id);
  };
  const decide = async (review: Review, event: Event, why = "") => {
    const { revision } = seen.current?.id === review.id && seen.current.revision > review.revision ? seen.current : review;
    const answer = await send({ params: { id: review.id }, body: { revision, event, reason: why } });
    const next = rows?.[position + 1] ?? rows?.[position - 1];
    if (answer?.ok) {
      const decided = answer.value;
      last.current = event === "withdraw" ? null : { review: decided, at: nowMs() };
      setGone(new Set(gone).add(review.id));
      choose(next?.id);
      showToast(`${doneWords[event]}: ${review.name}`, event === "withdraw" ? {} : { undo: () => void undo(decided) });
      if ((rows?.length ?? 0) <= 1) await refresh();
    } else if (answer?.error?.code === "staff.stale") {
      const { current: now } = answer.error.data;
      if (now.state === review.state || why !== "") {
        seen.current = now;
        setStale({ review, event, now });
        return;
      }
      showToast(`Этот отзыв уже ${stateWords[now.state]}: его успел решить другой редактор`, { isTrouble: true });
      choose(next?.id);
      await refresh();
    }
  };
  const refresh = async () => {
    await reload();
    setGone(new Set());
  };
  /** Reverts one decision, whatever was decided after it. */
  const undo = async (decided: Review) => {
    // Reverting a decision shows its review in place of the open one.
    await leavePanel(() => {
      if (last.current?.review.id === decided.id) last.current = null;
      void withdraw(decided);
    });
  };
  const withdraw = async (decided: Review) => {
    const { id, revision, name } = decided;
    const answer = await send({ params: { id }, body: { revision, event: "withdraw" } });
    if (!answer) return;
    if (answer.ok) {
      showToast(`Возвращён в очередь: ${name}`);
      await refresh();
      choose(id);
      return;
    }
    forget();
    if (answer.error?.code === "staff.stale") {
      showToast(`Решение не отменено: отзыв «${name}» тем временем изменили`, { isTrouble: true });
      await refresh();
    } else if (answer.error) showToast(answer.error.message, { isTrouble: true, undo: () => void undo(decided) });
  };
  const escape = () => {
    if (isRejecting) setRejecting(false);
    else if (last.current && nowMs() - last.current.at <= undoMs) void undo(last.current.review);
    else show(null);
  };
  // A decision does not store a typed answer, so the panel asks before it is replaced.
  const publish = (review: Review) => void leavePanel(() => void decide(review, "approve"));
  const reject = () => {
    if (!isRejecting) void leavePanel(() => setRejecting(true));
  };
  useKeys([
    { code: "KeyJ", label: "Ниже по списку", run: () => walk(1) },
    { code: "KeyK", label: "Выше по списку", run: () => walk(-1) },
    { code: "KeyA", label: "Опубликовать отзыв", run: () => current && state !== "approved" && publish(current) },
    { code: "KeyR", label: "Отклонить отзыв", run: () => current && state !== "rejected" && reject() },
    { code: "Escape", label: "Отменить последнее решение", run: escape },
  ]);

  return (
    <WithPanel
      panel={
        current ? (
          <ReviewPanel
            key={current.id}
            review={current}
            isRejecting={isRejecting}
            reason={reason}
            onReason={setReason}
            problem={
              decideRefusal && decideRefusal.code !== "staff.stale" && Object.keys(fields).length === 0 ? decideRefusal.message : null
            }
            reasonError={fields["reason"]}
            escape={{ label: "Отменить последнее решение", run: escape }}
            onPublish={() => publish(current)}
            onReject={reject}
            onConfirmReject={() => void decide(current, "reject", reason)}
            onWithdraw={() => void leavePanel(() => void decide(current, "withdraw"))}
            onClose={() => choose(null)}
            onChanged={refresh}
          />
        ) : null
      }
    >
      <PageHead
        title="Отзывы"
        facts={
          pending === undefined ? null : pending === 0 ? "все разобраны" : pending > 1000 ? "ждут больше 1 000" : `ждут решения: ${pending}`
        }
      />
      <ViewTabs
        label="Отзывы"
        views={[
          { id: "pending", label: "Ждут" },
          { id: "approved", label: "Опубликованы" },
          { id: "rejected", label: "Отклонены" },
        ]}
      />
      {refusal ? (
        <Notice tone="warn">
          <p>{refusal.message}</p>
        </Notice>
      ) : null}
      <ReviewTable
        rows={rows}
        currentId={currentId}
        isLoading={rows === undefined && !refusal}
        emptyText={state === "pending" ? "Отзывов, которые ждут решения, нет" : "Таких отзывов нет"}
        onShow={show}
      />
      <Paging newer={pages.newer} older={pages.older(data?.next)} names={["Назад", "Дальше"]} />
      <StaleDialog
        fields={
          stale && [
            { label: "Решение", yours: eventWords[stale.event], current: stateWords[stale.now.state] },
            ...(stale.event === "reject" ? [{ label: "Почему отклонён", yours: reason, current: stale.now.rejectReason || "пусто" }] : []),
            { label: "Ответ магазина", yours: stale.review.answer || "пусто", current: stale.now.answer || "пусто" },
          ]
        }
        {...(stale && stale.now.state === stale.review.state
          ? {
              onKeepYours: () => {
                setStale(null);
                void decide(stale.now, stale.event, reason);
              },
            }
          : { note: "Отзыв уже решил другой редактор. Ваша причина не записана: скопируйте её, если она ещё нужна." })}
        onTakeCurrent={() => {
          setStale(null);
          choose(stale?.review.id);
          void refresh();
        }}
        onClose={() => {
          // What was typed stays, and the next press sends it with what the server has now.
          setStale(null);
          void refresh();
        }}
      />
    </WithPanel>
  );
}

/** The reviews of a view; the current one stays in sight. */
function ReviewTable({
  rows,
  currentId,
  isLoading,
  emptyText,
  onShow,
}: {
  rows: readonly Review[] | undefined;
  currentId: number | null | undefined;
  isLoading: boolean;
  emptyText: string;
  onShow: (id: number) => void;
}) {
  const body = useRef<HTMLTableSectionElement>(null);
  useEffect(() => {
    body.current?.querySelector(".is-current")?.scrollIntoView({ block: "nearest" });
  }, [currentId]);
  return (
    <div className="table-scroll" role="region" aria-label="Список отзывов" tabIndex={0}>
      <table className="table table--list" aria-busy={rows === undefined}>
        <caption className="visually-hidden">Отзывы</caption>
        <thead>
          <tr>
            <th scope="col">Автор</th>
            <th scope="col" className="align-right">
              Оценка
            </th>
            <th scope="col">Отзыв</th>
            <th scope="col" className="hide-narrow">
              О чём
            </th>
            <th scope="col" className="hide-narrow">
              Дата
            </th>
          </tr>
        </thead>
        <tbody ref={body}>
          {rows?.map((review) => (
            <tr key={review.id} className={review.id === currentId ? "is-current" : undefined}>
              <th scope="row" className="bounded">
                <button className="text-button" type="button" aria-pressed={review.id === currentId} onClick={() => onShow(review.id)}>
                  {review.name}
                </button>
              </th>
              <td className="align-right number">{review.rating}</td>
              <td className="truncated">{review.body}</td>
              <td className="hide-narrow truncated soft">{review.coin?.title ?? "магазин"}</td>
              <td className="hide-narrow nowrap soft number">{day(review.writtenOn)}</td>
            </tr>
          ))}
          {isLoading ? (
            <tr>
              <td className="table__state" colSpan={5}>
                <span role="status">Загружаем…</span>
              </td>
            </tr>
          ) : null}
          {rows?.length === 0 ? (
            <tr>
              <td className="table__state" colSpan={5}>
                {emptyText}
              </td>
            </tr>
          ) : null}
        </tbody>
      </table>
    </div>
  );
}

function ReviewPanel({
  review,
  isRejecting,
  reason,
  onReason,
  problem,
  reasonError,
  escape,
  onPublish,
  onReject,
  onConfirmReject,
  onWithdraw,
  onClose,
  onChanged,
}: {
  review: Review;
  isRejecting: boolean;
  reason: string;
  onReason: (reason: string) => void;
  problem: string | null;
  reasonError: string | undefined;
  escape: { label: string; run: () => void };
  onPublish: () => void;
  onReject: () => void;
  onConfirmReject: () => void;
  onWithdraw: () => void;
  onClose: () => void;
  onChanged: () => Promise<void>;
}) {
  const reasonField = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isRejecting) reasonField.current?.querySelector("textarea")?.focus();
  }, [isRejecting]);
  const { state, purchase } = review;
  return (
    <Panel
      title={`Отзыв: ${review.name}`}
      onClose={onClose}
      escape={escape}
      takesFocus={false}
      {...(isRejecting ? { onSubmit: onConfirmReject } : {})}
      foot={
        isRejecting ? (
          <button className="button button--gold button--wide" type="submit">
            Отклонить <kbd>Ctrl Enter</kbd>
          </button>
        ) : (
          <div className="actions">
            {state === "approved" ? null : (
              <button className="button button--gold" type="button" onClick={onPublish}>
                Опубликовать <kbd>A</kbd>
              </button>
            )}
            {state === "rejected" ? null : (
              <button className="button" type="button" onClick={onReject}>
                Отклонить <kbd>R</kbd>
              </button>
            )}
            {state === "pending" ? null : (
              <button className="button" type="button" onClick={onWithdraw}>
                {state === "approved" ? "Снять с публикации" : "Вернуть в очередь"}
              </button>
            )}
          </div>
        )
      }
    >
      {problem ? (
        <Notice tone="warn">
          <p>{problem}</p>
        </Notice>
      ) : null}
      <p className="review-text">{review.body}</p>
      <dl className="rows">
        <div>
          <dt>Оценка</dt>
          <dd className="number">{review.rating} из 5</dd>
        </div>
        <div>
          <dt>О чём</dt>
          <dd>{review.coin?.title ?? "о магазине"}</dd>
        </div>
        <div>
          <dt>Покупка</dt>
          <dd>{purchase ? <Bought purchase={purchase} /> : <span className="muted">оплаченного заказа не нашли</span>}</dd>
        </div>
        {[
          ["Город", review.city],
          ["Почта", review.maskedEmail],
          ["Дата", day(review.writtenOn)],
          ["Решение", state === "pending" || !review.decidedAt ? "" : `${stateWords[state]} ${when(review.decidedAt)}`],
          ["Почему отклонён", review.rejectReason],
        ].flatMap(([name, value]) =>
          value
            ? [
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>,
              ]
            : [],
        )}
      </dl>
      {review.isSuspect ? <Trouble>форму мог отправить робот</Trouble> : null}
      {isRejecting ? (
        <div ref={reasonField}>
          <TextArea
            label="Почему отклоняете (увидят только сотрудники)"
            rows={2}
            value={reason}
            maxLength={300}
            error={reasonError}
            onChange={(event) => onReason(event.target.value)}
          />
        </div>
      ) : (
        <Answer review={review} onChanged={onChanged} />
      )}
    </Panel>
  );
}

function Bought({ purchase: { at, isConfirmed, order } }: { purchase: NonNullable<Review["purchase"]> }) {
  const what = order ? <Link to={`/orders/${order.id}`}>заказ {order.number}</Link> : "покупал";
  return isConfirmed ? (
    <Good>
      {what}, {day(at)}
    </Good>
  ) : (
    <>
      {what}, {day(at)}: совпала почта, вход не подтверждён
    </>
  );
}

/** The shop's public answer, which is shown as plain text. */
function Answer({ review, onChanged }: { review: Review; onChanged: () => Promise<void> }) {
  const { send, isBusy, refusal, fields } = useSend(contract.answerReview, { stores: "nothing" });
  /** Null: nothing was typed since it was stored. */
  const [typed, setTyped] = useState<string | null>(null);
  /** The review after the own save, until the list has been read again. */
  const [saved, setSaved] = useState<Review | null>(null);
  const [stale, setStale] = useState<Review | null>(null);
  const stored = saved && saved.revision > review.revision ? saved : review;
  const text = typed ?? stored.answer;
  const save = async (answer: string, revision: number) => {
    const result = await send({ params: { id: review.id }, body: { revision, answer } });
    if (result?.ok) {
      setSaved(result.value);
      // What was typed while the answer was on its way stays.
      setTyped((now) => (now === answer ? null : now));
      showToast(result.value.answer === "" ? "Ответ убран" : "Ответ сохранён");
      await onChanged();
    } else if (result?.error?.code === "staff.stale") setStale(result.error.data.current);
  };
  return (
    <>
      <TextArea
        label="Ответ магазина (увидят все)"
        rows={3}
        value={text}
        maxLength={2000}
        error={fields["answer"] ?? (stale ? null : refusal?.message)}
        data-passing
        onChange={(event) => setTyped(event.target.value)}
      />
      <UnsavedMark value={text.trim()} stored={stored.answer} />
      {text.trim() === stored.answer ? null : (
        <div className="actions actions--after">
          <button className="button" type="button" disabled={isBusy} onClick={() => void save(text, stored.revision)}>
            {text.trim() === "" ? "Убрать ответ" : "Сохранить ответ"}
          </button>
        </div>
      )}
      <StaleDialog
        fields={stale && [{ label: "Ответ магазина", yours: text, current: stale.answer }]}
        onKeepYours={() => {
          const revision = stale?.revision ?? stored.revision;
          setStale(null);
          void save(text, revision);
        }}
        onTakeCurrent={() => {
          setSaved(stale);
          setTyped(null);
          setStale(null);
          void onChanged();
        }}
        onClose={() => setStale(null)}
      />
    </>
  );
}
