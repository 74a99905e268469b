import { Link, useRouteLoaderData } from "react-router";
import type { CourseCode } from "#shop/rates/rate.ts";
import * as rates from "#shop/rates/service.ts";
import { pageContext } from "#web/context.server.ts";
import { Delta } from "../../ui/delta.tsx";
import { clock, day, nbsp, number } from "../../ui/format.ts";
import { Icon } from "../../ui/icon.tsx";
import { Live } from "../../ui/price.tsx";
import type { FrameData } from "../frame/frame-data.ts";
import type { PageHandle } from "../frame/frame.tsx";
import { PageHead, placeMeta } from "./page-head.tsx";
import { places } from "./places.ts";
import type { Route } from "./+types/quotes-page.ts";

const place = places["quotes-online"];
export const handle: PageHandle = { hasLivePrices: true, place };
export function meta({ matches }: Route.MetaArgs) {
  return placeMeta(matches, { title: "Цена золота сегодня", description: "Курс золота и серебра в рублях за грамм и в долларах за унцию, курс доллара: сейчас, по данным биржи." });
}

const lines: readonly { code: CourseCode; name: string; unit: string }[] = [
  { code: "XAU_RUB", name: "Золото", unit: "₽ за грамм" },
  { code: "XAG_RUB", name: "Серебро", unit: "₽ за грамм" },
  { code: "XAU_USD", name: "Золото", unit: "$ за унцию" },
  { code: "XAG_USD", name: "Серебро", unit: "$ за унцию" },
  { code: "USD_RUB", name: "Доллар", unit: "₽" },
];

export async function loader({ context }: Route.LoaderArgs) {
  const { ctx } = context.get(pageContext);
  const courses = await rates.courses(ctx);
  return {
    at: courses?.time.toISOString() ?? null,
    rows: courses ? lines.map((line) => ({ ...line, value: courses.courses[line.code].course, diff: courses.courses[line.code].diff })) : [],
  };
}

export default function QuotesPage({ loaderData: { rows, at } }: Route.ComponentProps) {
  const frame = useRouteLoaderData<FrameData>("root");
  const time = at ? new Date(at) : null;
  return (
    <main id="main" className="wrap">
      <PageHead />
      {time && <p className="lead">{frame?.market.isOpen ? "Торги идут" : "Торги закрыты"}. Последние цены: {day(time)}, <span className="num">{clock(time)}</span> по Москве.</p>}
      {rows.length === 0 && <p className="lead">Курсы ещё не получены. Зайдите через минуту.</p>}
      {rows.length > 0 && (
        <div className="prose quotes"><table>
          <caption className="vh">Курсы металлов и доллара</caption>
          <thead><tr><th scope="col">Что</th><th scope="col">Курс</th><th scope="col">За день</th></tr></thead>
          <tbody>
            {rows.map(({ code, name, unit, value, diff }) => (
              <tr key={code}>
                <th scope="row">{name}<small>{unit}</small></th>
                <td><Live className="num" value={value}>{number(value, 2)}</Live></td>
                <td><Delta percent={value === diff ? 0 : (diff / (value - diff)) * 100} />{nbsp}<small className="num">{diff >= 0 ? "+" : ""}{number(diff, 2)}</small></td>
              </tr>
            ))}
          </tbody>
        </table></div>
      )}
      <div className="prose">
        <p>Рублёвые цены металла берём с биржи; долларовые пересчитаны из них по курсу Банка России. От рублёвой цены грамма считается каждая инвестиционная монета магазина: масса чистого металла, умноженная на курс, плюс премия.</p>
      </div>
      <p><Link className="more" to="/catalog/bullion-coins" prefetch="intent">Монеты по этой цене <Icon name="right" /></Link></p>
    </main>
  );
}
