import { useEffect, useRef, useState } from "react";
import { Link, useNavigate } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { dayOfYear, weekday } from "#kit/format.ts";
import { moscow } from "#kit/moscow-time.ts";
import { sum as money } from "../../money/words.ts";
import { useStaff } from "../../session.ts";
import { useKeys } from "../../shell/keys.ts";
import { pressed } from "../../shell/pressed.ts";
import { useWaiting, type Waiting } from "../../shell/live-waiting.ts";
import { Notice, Trouble } from "../../ui/marks.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { useRead } from "../../ui/send/use-read.ts";
import { when } from "../../staff/words.ts";
import { dayLine, type Deadline } from "./day-line.ts";
import { OwnerFigures } from "./owner-figures.tsx";

const ranks = [
  [1, "Срочно"],
  [2, "Сегодня"],
  [3, "На неделе"],
] as const;

/** What waits for the signed-in member of staff, the most urgent first, with the deadlines of the day; the button names the act. */
export function Component() {
  const { may } = useStaff();
  const { data, refusal } = useWaiting();
  const { data: day } = useRead(contract.readDay);
  const navigate = useNavigate();
  const now = useMinute();
  const list = useRef<HTMLTableElement>(null);
  const first = data?.[0]?.path ?? null;
  const walk = (step: 1 | -1) => {
    const links = [...(list.current?.querySelectorAll("a") ?? [])];
    const at = links.findIndex((each) => each === document.activeElement);
    links[at < 0 ? (step === 1 ? 0 : links.length - 1) : Math.min(Math.max(at + step, 0), links.length - 1)]?.focus();
  };
  useKeys(
    [
      { code: "KeyJ", label: "Ниже по списку", run: () => walk(1) },
      { code: "KeyK", label: "Выше по списку", run: () => walk(-1) },
      { code: "Enter", label: "Открыть первое", run: () => first !== null && void navigate(first) },
    ],
    first !== null,
  );
  return (
    <>
      <PageHead
        title="Ждёт"
        facts={[
          `${weekday(now)}, ${dayOfYear(now)}`,
          day && !day.open ? "выходной" : "",
          day?.courier ? courierText(new Date(day.courier), now) : "",
          data?.length === 0 ? "сейчас ничего" : "",
        ]
          .filter(Boolean)
          .join(", ")}
        actions={
          first === null ? null : (
            <p className="muted hide-phone">
              Ходить <kbd>J</kbd> <kbd>K</kbd>, открыть <kbd>Enter</kbd>
            </p>
          )
        }
      />
      {may("reports") ? <OwnerFigures /> : null}
      {refusal ? (
        <Notice tone="warn">
          <p>{refusal.message}</p>
        </Notice>
      ) : null}
      {day && data ? <Day day={day} now={now} data={data} /> : null}
      {data?.length === 0 ? <p>Всё сделано. Новое появится здесь само.</p> : null}
      {data && data.length > 0 ? (
        <div className="table-scroll" role="region" aria-label="Что ждёт" tabIndex={0}>
          <table className="table waiting-list" ref={list}>
            <caption className="visually-hidden">Что ждёт, по срочности</caption>
            <thead>
              <tr>
                <th scope="col" className="hide-phone">
                  Раздел
                </th>
                <th scope="col">Дело</th>
                <th scope="col" className="hide-narrow hide-phone">
                  Ждёт с
                </th>
                <th scope="col">Срок</th>
                <th scope="col" className="align-right hide-phone">
                  Сумма, ₽
                </th>
                <th scope="col" className="hide-phone">
                  Ведёт
                </th>
                <th scope="col">
                  <span className="visually-hidden">Действие</span>
                </th>
              </tr>
            </thead>
            {ranks.map(([rank, title]) => {
              const groups = data.filter((each) => each.rank === rank);
              return groups.length === 0 ? null : (
                <tbody key={rank}>
                  <tr className="group-row">
                    <th colSpan={7} scope="rowgroup">
                      {title} <span className="muted">{groups.length}</span>
                    </th>
                  </tr>
                  {groups.map((group) => (
                    <Group key={group.id} group={group} now={now} isUrgent={rank === 1} />
                  ))}
                </tbody>
              );
            })}
          </table>
        </div>
      ) : null}
    </>
  );
}

function Group({ group, now, isUrgent }: { group: Waiting[number]; now: Date; isUrgent: boolean }) {
  const { id, area, title, facts, act, path, since, due, sum, assignees } = group;
  const [nearest] = due;
  const isLate = nearest !== undefined && new Date(nearest.at) < now;
  return (
    <tr className={isUrgent || isLate ? "is-bad" : undefined}>
      <td className="nowrap hide-phone">{isUrgent ? <Trouble>{area}</Trouble> : area}</td>
      <th scope="row" className="truncated">
        {title} <span className="muted number">{facts}</span>
      </th>
      <td className="number soft nowrap hide-narrow hide-phone">{since === null ? "" : when(since, now)}</td>
      <td className="number nowrap">
        {nearest === undefined ? "" : isLate ? <Trouble>просрочено</Trouble> : `до ${when(nearest.at, now)}`}
      </td>
      <td className="align-right number hide-phone">{sum === null ? "" : money(sum)}</td>
      <td className="nowrap hide-phone">
        {assignees === null ? "" : assignees.length === 0 ? <span className="muted">никто</span> : namesOf(assignees)}
      </td>
      <td className="align-right">
        <Link
          className={id === "to_pack" ? "button button--small button--gold" : "button button--small"}
          to={path}
          state={pressed}
          aria-label={`${act}: ${title}`}
        >
          {act}
        </Link>
      </td>
    </tr>
  );
}

/** «курьер через 1 ч 40 мин»; empty on another day, and after the visit. */
function courierText(visit: Date, now: Date): string {
  const left = Math.ceil((visit.getTime() - now.getTime()) / 60_000);
  if (left <= 0 || moscow(visit).date !== moscow(now).date) return "";
  const [hours, minutes] = [Math.floor(left / 60), left % 60];
  return `курьер через ${[hours > 0 ? `${hours}\u00A0ч` : "", minutes > 0 ? `${minutes}\u00A0мин` : ""].filter(Boolean).join(" ")}`;
}

const namesOf = ([first = "", ...others]: readonly string[]): string => (others.length === 0 ? first : `${first} и ещё ${others.length}`);

/** The deadlines of the day on one line, with now. Absent on a day off without deadlines. */
function Day({
  day: { today, open },
  now,
  data,
}: {
  day: { today: string; open: { from: string; till: string } | null };
  now: Date;
  data: Waiting;
}) {
  const { ref, width } = useWidth();
  const deadlines: Deadline[] = data
    .flatMap(({ due }) => due)
    .map(({ at, what }) => ({ at: new Date(at), what }))
    .filter(({ at }) => moscow(at).date === today);
  const hours = open ? { from: new Date(open.from), till: new Date(open.till) } : { from: now, till: deadlines.at(-1)?.at ?? now };
  if (!open && deadlines.length === 0) return null;
  const line = width > 0 ? dayLine(width, hours, now, deadlines) : null;
  return (
    <div className="day-timeline" ref={ref}>
      <h2 className="visually-hidden">Сроки дня</h2>
      {line ? (
        <svg viewBox={`0 0 ${width} 74`} role="img" aria-label={line.sentence}>
          <path className="line" d={`M8 40H${width - 8}`} />
          {line.hours.map(({ x, text, isHalf }) => (
            <g key={x}>
              <path className="tick" d={`M${x} ${isHalf ? "37V43" : "35V45"}`} />
              {text ? (
                <text x={x} y="70" textAnchor={x < 20 ? "start" : x > width - 20 ? "end" : "middle"}>
                  {text}
                </text>
              ) : null}
            </g>
          ))}
          {line.now ? (
            <>
              <path className="past" d={`M8 40H${line.now.x}`} />
              <path className="current-mark" d={`M${line.now.x} 26V50`} />
            </>
          ) : null}
          {line.marks.map(({ x, what, anchor }) => (
            <g key={x}>
              <path className="deadline-mark" d={`M${x} 26V50`} />
              <text x={x} y="18" textAnchor={anchor} className={line.now && x < line.now.x ? "warn-text" : undefined}>
                {what}
              </text>
            </g>
          ))}
          {line.now && !line.marks.some(({ x }) => Math.abs(x - (line.now?.x ?? 0)) < 60) ? (
            <text className="gold-text" x={line.now.x} y="18" textAnchor="middle">
              {line.now.text}
            </text>
          ) : null}
        </svg>
      ) : null}
    </div>
  );
}

/** The present time, updated each minute. */
function useMinute(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** The width of an element in whole pixels; 0 before it is drawn. */
function useWidth() {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(Math.floor(element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}
