import { Link } from "react-router";
import * as catalog from "#shop/catalog/service.ts";
import * as inquiries from "#shop/inquiries/service.ts";
import { pageContext } from "#web/context.server.ts";
import { Breadcrumbs } from "../../ui/breadcrumbs.tsx";
import { day } from "../../ui/format.ts";
import { pageMeta } from "../meta.ts";
import type { Route } from "./+types/reviews-page.ts";
import "../../styles/content.css";

export const meta = () => pageMeta({ title: "Отзывы", description: "Что пишут покупатели: отзывы показаны целиком, хорошие и плохие." });

export async function loader({ context }: Route.LoaderArgs) {
  const { ctx } = context.get(pageContext);
  const reviews = await inquiries.reviews(ctx);
  const slugs = [...new Set(reviews.flatMap(({ coinSlug }) => coinSlug ?? []))];
  const coins = new Map((await Promise.all(slugs.map((slug) => catalog.coinBySlug(ctx, slug)))).flatMap((coin) => (coin ? [[coin.slug, coin.title] as const] : [])));
  return { reviews: reviews.map((each) => ({ ...each, coinTitle: each.coinSlug === null ? null : (coins.get(each.coinSlug) ?? null) })) };
}

export default function ReviewsPage({ loaderData: { reviews } }: Route.ComponentProps) {
  return (
    <main id="main" className="wrap">
      <Breadcrumbs trail={[{ title: "Главная", href: "/" }]} here="Отзывы" />
      <h1 className="text__h1">Отзывы</h1>
      {reviews.some(({ isDemo }) => isDemo) && <p className="eyebrow">Примеры для демонстрации: эти отзывы вымышлены.</p>}
      {reviews.length === 0 && <p className="lead">Отзывов пока нет.</p>}
      <ul className="reviews">
        {reviews.map(({ id, name, city, writtenOn, rating, body, coinSlug, coinTitle }) => (
          <li key={id}>
            <p className="reviews__stars" role="img" aria-label={`Оценка ${rating} из 5`}><span aria-hidden="true">{"●".repeat(rating)}<i>{"●".repeat(5 - rating)}</i></span></p>
            <p>{body}</p>
            {coinSlug && coinTitle && <p className="eyebrow"><Link to={`/products/${coinSlug}`}>{coinTitle}</Link></p>}
            <p className="eyebrow">{name}, {city}, <time dateTime={writtenOn}>{day(writtenOn)}</time></p>
          </li>
        ))}
      </ul>
    </main>
  );
}
