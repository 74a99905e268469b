import { useEffect, useMemo, useState } from "react";
import { Link } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { clock, dayOfYear } from "#kit/format.ts";
import { fromMoscow, isoMoscow, moscow } from "#kit/moscow-time.ts";
import { days, plus } from "#kit/time.ts";
import { sum } from "../money/words.ts";
import { useKeys } from "../shell/keys.ts";
import { WaitingApprovals } from "../staff/waiting-approvals.tsx";
import { confirm } from "../ui/form/confirm.tsx";
import { Field } from "../ui/form/field.tsx";
import { Notice, Trouble } from "../ui/marks.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { showToast } from "../ui/toasts.tsx";
import { useRead } from "../ui/send/use-read.ts";
import { useSend } from "../ui/send/use-send.ts";
import "../styles/screens/prices.css";
import { ActionBar, Segments } from "./action-bar.tsx";
import { FilterColumn, filterText, usePriceFilter } from "./filter-column.tsx";
import { PriceTable } from "./price-table.tsx";
import { PromoFields, usePromo } from "./promo-fields.tsx";
import { canBePromo } from "./promo-words.ts";
import {
  actionOf,
  actionText,
  coinCount,
  emptyDraft,
  kindText,
  points,
  summaryFor,
  type PriceActionDraft,
  type PriceFilters,
  type Row,
} from "./words.ts";

/** Prices in bulk: filter, what is changed, before and after, and the sums with schedule and the reason why a second person is needed. */
export function Component() {
  const filter = usePriceFilter();
  const [draft, setDraft] = useState<PriceActionDraft>(emptyDraft);
  const [skipped, setSkipped] = useState<ReadonlySet<number>>(new Set());
  const { data: facets } = useRead(contract.readPriceFilters);
  const { data: changes, reload: reloadChanges } = useRead(contract.readPriceChanges, { query: {} });

  const action = actionOf(draft);
  const typed = typeof action === "object" && action ? JSON.stringify(action) : "";
  const asked = useDelayed(typed, 250);
  const { data, refusal, isCurrent, reload } = useRead(contract.previewPrices, {
    query: { ...filter.query, ...(asked ? { action: asked } : {}) },
  });
  const filterKey = JSON.stringify(filter.query);
  useEffect(() => setSkipped(new Set()), [filterKey]);

  const rows = data?.rows;
  const ticked = useMemo(() => rows?.filter(({ id }) => !skipped.has(id)) ?? [], [rows, skipped]);
  const last = changes?.items.find(({ state, undoneBy, changed }) => state === "applied" && undoneBy === null && changed > 0);
  const undo = useUndo(async () => {
    await Promise.all([reload(), reloadChanges()]);
  });
  const undoLast = async () => {
    if (!last) return;
    const isSure = await confirm({
      title: "Вернуть прежние цены?",
      text: <p>{`${kindText(last)}: ${coinCount(last.changed)}. Цены, которые с тех пор меняли снова, останутся.`}</p>,
      action: "Вернуть",
    });
    if (isSure) await undo.run(last.id);
  };
  useKeys([{ code: "Ctrl+KeyZ", label: "Отменить прошлое изменение", run: () => void undoLast() }], last !== undefined);

  const pieces = rows?.reduce((total, row) => total + row.available, 0) ?? 0;
  return (
    <>
      <PageHead
        title="Цены"
        facts={
          data
            ? `${coinCount(data.rows.length)}, ${sum(pieces)} шт. на полке, ` +
              `золото ${sum(data.rates.gold)} ₽/г, серебро ${sum(data.rates.silver)} ₽/г`
            : undefined
        }
        actions={
          <>
            <Link className="button" to="/prices/promos">
              Акции
            </Link>
            <Link className="button" to="/prices/codes">
              Промокоды
            </Link>
            <Link className="button" to="/prices/steps">
              По количеству
            </Link>
            <Link className="button" to="/prices/changes">
              Изменения
            </Link>
            <button className="button" type="button" disabled={!last || undo.isBusy} onClick={() => void undoLast()}>
              Отменить прошлое <kbd>Ctrl Z</kbd>
            </button>
          </>
        }
      />
      <WaitingApprovals area="price" />
      {(refusal ?? undo.refusal) ? (
        <Notice tone="warn">
          <p>{(refusal ?? undo.refusal)?.message}</p>
        </Notice>
      ) : null}
      {data?.rates.isDead ? (
        <Notice tone="warn">
          <p>Курс давно не приходил: цены посчитаны по последнему известному.</p>
        </Notice>
      ) : null}
      <div className="bulk-prices">
        <FilterColumn filter={filter} facets={facets} found={rows?.length} />
        <div className="bulk-prices__table">
          <ActionBar draft={draft} error={typeof action === "string" ? action : null} onChange={setDraft} />
          <PriceTable rows={rows} skipped={skipped} onSkip={setSkipped} />
        </div>
      </div>
      {asked && facets && rows ? (
        <Foot
          key={asked}
          rows={ticked}
          isShown={isCurrent && asked === typed}
          found={rows.length}
          limits={facets.limits}
          action={asked}
          label={filterText(filter)}
          onSkip={(ids) => setSkipped(new Set([...skipped, ...ids]))}
          onDone={async () => {
            setDraft({ ...draft, typed: "" });
            setSkipped(new Set());
            await Promise.all([reload(), reloadChanges()]);
          }}
          onUndo={undo.run}
        />
      ) : null}
    </>
  );
}

/** A value as it was when it stopped changing for a moment. */
function useDelayed(value: string, milliseconds: number): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), value === "" ? 0 : milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return settled;
}

/** Restores the prices of a change and shows the outcome. */
function useUndo(onDone: () => Promise<void>) {
  const { send, isBusy, refusal } = useSend(contract.undoPriceChange);
  const run = async (id: number) => {
    const answer = await send({ params: { id } });
    if (!answer?.ok) return;
    const { changed, stale } = answer.value;
    showToast(`Прежние цены вернулись: ${coinCount(changed)}`);
    if (stale > 0) showToast(`${coinCount(stale)}: цены с тех пор меняли, они остались`, { isTrouble: true });
    await onDone();
  };
  return { run, isBusy, refusal };
}

type When = "now" | "evening" | "date" | "promo";
const eveningHour = "18:00";
/** The next six in the evening, Moscow time. */
function evening(now: Date): Date {
  const today = fromMoscow(moscow(now).date, eveningHour);
  return today > now ? today : plus(today, days(1));
}

/** The sums of what is ticked, when it happens, and the one button. */
function Foot({
  rows,
  isShown,
  found,
  limits,
  action,
  label,
  onSkip,
  onDone,
  onUndo,
}: {
  rows: readonly Row[];
  /** Whether the rows show what is typed by now: nothing else may be applied. */
  isShown: boolean;
  found: number;
  limits: PriceFilters["limits"];
  action: string;
  label: string;
  onSkip: (ids: number[]) => void;
  onDone: () => Promise<void>;
  onUndo: (id: number) => Promise<void>;
}) {
  const [when, setWhen] = useState<When>("now");
  const [date, setDate] = useState("");
  const [dateError, setDateError] = useState<string | null>(null);
  const { send, isBusy, refusal, fields } = useSend(contract.changePrices, { stores: "screen" });
  const totals = useMemo(() => summaryFor(rows, limits), [rows, limits]);
  const bad = rows.filter((row) => row.isBelowMetal || row.isOutOfRange).map(({ id }) => id);
  const wanted = JSON.parse(action) as Parameters<typeof actionText>[0];

  const promo = usePromo();
  const promoAction = canBePromo(wanted) ? wanted : null;
  const isPromo = when === "promo" && promoAction !== null;

  const dueAt = (): string | null => {
    if (when === "evening") return isoMoscow(evening(new Date()));
    return when === "date" ? isoMoscow(fromMoscow(date.slice(0, 10), date.slice(11, 16))) : null;
  };
  const apply = async () => {
    if (isPromo) {
      if (await promo.make(promoAction, rows)) await onDone();
      return;
    }
    if (when === "date" && date === "") return setDateError("Укажите день и время");
    setDateError(null);
    const answer = await send({
      body: {
        action: wanted,
        coins: rows.filter((row) => row.isChanged && !row.isOutOfRange).map(({ id, before }) => ({ id, seen: before })),
        label,
        dueAt: dueAt(),
      },
    });
    if (!answer) return;
    if (!answer.ok) {
      if (answer.error === null) await onDone();
      return;
    }
    const { id, state, changed, stale, dueAt: due } = answer.value;
    if (state === "scheduled" && due) showToast(`Цены изменятся ${dayOfYear(new Date(due))} в ${clock(new Date(due))}`);
    else showToast(`Цены изменены: ${coinCount(changed)}. На сайте они видны через секунду`, { undo: () => void onUndo(id) });
    if (stale > 0) showToast(`${coinCount(stale)}: цену успели изменить, она осталась`, { isTrouble: true });
    await onDone();
  };
  const canApply = isShown && totals.changed > 0 && !isBusy && !promo.isBusy;
  useKeys([{ code: "Ctrl+Enter", label: "Изменить цены", run: () => canApply && void apply() }]);

  const buttonText = (): string => {
    if (totals.reason) return "На согласование";
    if (isPromo) return `Сделать акцией, ${totals.changed}`;
    return when === "now" || when === "promo" ? `Изменить, ${totals.changed}` : `Запланировать, ${totals.changed}`;
  };
  return (
    <section className="foot" aria-label="Итог">
      <dl className="figures">
        <div>
          <dt>Изменится</dt>
          <dd className="number">
            {totals.changed} из {found}
          </dd>
        </div>
        {totals.premiumBpBefore !== null && totals.premiumBpAfter !== null ? (
          <div>
            <dt>премия в среднем</dt>
            <dd className="number">
              <span className="from">{points(totals.premiumBpBefore)}</span> {points(totals.premiumBpAfter)} %
            </dd>
          </div>
        ) : null}
        <div>
          <dt>{totals.shelf < 0 ? "полка подешевеет на" : "полка подорожает на"}</dt>
          <dd className="number">{sum(Math.abs(totals.shelf) / 100)} ₽</dd>
        </div>
      </dl>
      <div>
        {totals.reason ? (
          <p>
            <Trouble>{totals.reason.replace(/[.]?$/, ".")}</Trouble> Нужен второй человек.
          </p>
        ) : (
          <p className="soft">Закреплённые покупателями цены останутся прежними.</p>
        )}
        {totals.outOfRange > 0 ? <p className="warn">{coinCount(totals.outOfRange)}: цена вне разумного, останется прежней.</p> : null}
        {isPromo && promo.refusal ? (
          <p role="alert">
            <Trouble>{promo.refusal.message}</Trouble>
          </p>
        ) : null}
        {!isPromo && refusal ? (
          <p role="alert">
            <Trouble>{Object.values(fields)[0] ?? refusal.message}</Trouble>
          </p>
        ) : null}
      </div>
      <div className="foot__actions">
        <Segments
          title="Когда"
          name="when"
          isTitleHidden
          options={[
            ["now", "Сразу"],
            ["evening", `В ${eveningHour}`],
            ["date", "Дата…"],
            ...(promoAction ? ([["promo", "Акция…"]] as const) : []),
          ]}
          value={when}
          onChange={setWhen}
        />
        {isPromo ? <PromoFields promo={promo} /> : null}
        {when === "date" ? (
          <Field
            label="День и время, московское"
            isLabelHidden
            type="datetime-local"
            value={date}
            error={dateError}
            onChange={(event) => setDate(event.target.value)}
          />
        ) : null}
        {bad.length > 0 ? (
          <button className="button" type="button" onClick={() => onSkip(bad)}>
            {bad.length === 1 ? "Без этой монеты" : `Без этих монет, ${bad.length}`}
          </button>
        ) : null}
        <button className="button button--gold" type="button" disabled={!canApply} onClick={() => void apply()}>
          {buttonText()} <kbd>Ctrl Enter</kbd>
        </button>
      </div>
    </section>
  );
}
