import { href, Link } from "react-router";
import { day } from "#kit/format.ts";
import { typeset, withTitleUnbroken } from "#kit/text/typeset.ts";
import type { RatingSummary, Review } from "#shop/inquiries/review.ts";
import { Icon } from "../../../ui/icon.tsx";
import "./reviews.css";

/** A list of reviews; `coinTitle` is shown in a list about several coins. */
export function ReviewList({ reviews }: { reviews: readonly (Review & { coinTitle?: string | null })[] }) {
  return (
    <ul className="reviews">
      {reviews.map(({ id, name, city, writtenOn, rating, body, answer, coinSlug, coinTitle, isDemo }) => (
        <li key={id}>
          <p className="reviews__stars" role="img" aria-label={`Оценка ${rating} из 5`}>
            <span aria-hidden="true">
              {"●".repeat(rating)}
              <i>{"●".repeat(5 - rating)}</i>
            </span>
          </p>
          <p className="reviews__body">{typeset(body)}</p>
          {answer && <p className="reviews__body">Ответ магазина: {typeset(answer)}</p>}
          {coinSlug && coinTitle && (
            <p className="eyebrow">
              <Link to={href("/products/:slug", { slug: coinSlug })}>{withTitleUnbroken(coinTitle)}</Link>
            </p>
          )}
          <p className="eyebrow">
            {[name, city].filter(Boolean).join(", ")}, <time dateTime={writtenOn}>{day(writtenOn)}</time>
            {isDemo && " · образец"}
          </p>
        </li>
      ))}
    </ul>
  );
}

/** The reviews of one coin, with a link to the form. */
export function CoinReviews({ slug, reviews }: { slug: string; reviews: readonly Review[] }) {
  return (
    <section className="section">
      <div className="wrap">
        <div className="section__head">
          <h2>Отзывы</h2>
          {reviews.length === 0 && <p className="lead">Об этой монете ещё никто не написал.</p>}
          <Link className="more" to={`${href("/reviews")}?coin=${slug}#review`}>
            Написать отзыв <Icon name="right" />
          </Link>
        </div>
        {reviews.length > 0 && <ReviewList reviews={reviews.slice(0, 6)} />}
      </div>
    </section>
  );
}

/**
 * The structured data of reviews, without the samples (`isDemo`). `rating` is that of all reviews, also when `reviews` is one page of them.
 */
export function ratingMarkup(reviews: readonly Review[], { average, count }: RatingSummary): Record<string, unknown> {
  const real = reviews.filter(({ isDemo }) => !isDemo);
  if (average === null) return {};
  return {
    aggregateRating: { "@type": "AggregateRating", ratingValue: average, reviewCount: count, bestRating: 5 },
    review: real.slice(0, 10).map(({ name, rating, body, writtenOn }) => ({
      "@type": "Review",
      author: { "@type": "Person", name },
      datePublished: writtenOn,
      reviewBody: body,
      reviewRating: { "@type": "Rating", ratingValue: rating, bestRating: 5 },
    })),
  };
}
