import { Link, useNavigate } from "react-router";
import { useStaff } from "../session.ts";
import { useKeys } from "../shell/keys.ts";
import { useWaiting } from "../shell/live-waiting.ts";
import { Notice, Trouble } from "../ui/marks.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { when } from "../staff/words.ts";
import { OwnerFigures } from "./owner-figures.tsx";

const ranks = [
  [1, "Срочно"],
  [2, "Сегодня"],
  [3, "На неделе"],
] as const;

/** What waits for the signed-in member of staff, the most urgent first; the button names the act. */
export function Component() {
  const { may } = useStaff();
  const { data, refusal } = useWaiting();
  const navigate = useNavigate();
  const first = data?.[0]?.path ?? null;
  useKeys([{ code: "Enter", label: "Открыть первое", run: () => first !== null && void navigate(first) }], first !== null);
  return (
    <>
      <PageHead title="Ждёт" facts={data ? (data.length === 0 ? "сейчас ничего" : undefined) : undefined} />
      {may("reports") ? <OwnerFigures /> : null}
      {refusal ? (
        <Notice tone="warn">
          <p>{refusal.message}</p>
        </Notice>
      ) : null}
      {data?.length === 0 ? <p>Всё сделано. Новое появится здесь само.</p> : null}
      {data && data.length > 0 ? (
        <div className="table-scroll" role="region" aria-label="Что ждёт" tabIndex={0}>
          <table className="table">
            <caption className="visually-hidden">Что ждёт, по срочности</caption>
            <thead>
              <tr>
                <th scope="col">Дело</th>
                <th scope="col" className="align-right">
                  Сколько
                </th>
                <th scope="col" className="hide-phone">
                  Ждёт с
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
                    <th colSpan={4} scope="rowgroup">
                      {title} <span className="muted">{groups.length}</span>
                    </th>
                  </tr>
                  {groups.map(({ id, title: name, act, path, count, since }) => (
                    <tr key={id} className={rank === 1 ? "is-bad" : undefined}>
                      <th scope="row">{rank === 1 ? <Trouble>{name}</Trouble> : name}</th>
                      <td className="align-right number">{count > 1_000 ? "1 000+" : count}</td>
                      <td className="number soft hide-phone">{since === null ? "" : when(since)}</td>
                      <td className="align-right">
                        <Link className="button button--small" to={path} aria-label={`${act}: ${name}`}>
                          {act}
                        </Link>
                      </td>
                    </tr>
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
