import { data } from "react-router";
import * as catalog from "#shop/catalog/service.ts";
import { reviewForm } from "#contract/public/inquiries.ts";
import { counted, number } from "#kit/format.ts";
import { reviewMaxLengths, ratings, reviewsPageSize, type RatingSummary } from "#shop/inquiries/review.ts";
import * as inquiries from "#shop/inquiries/service.ts";
import { consentPages } from "#shop/customers/consent-pages.ts";
import { pageContext } from "#web/context.server.ts";
import { Field } from "../../../ui/fields/field.tsx";
import { Pagination } from "../../../ui/pagination.tsx";
import { TextArea } from "../../../ui/fields/text-area.tsx";
import type { PageHandle } from "../../page/page-handle.ts";
import { structured } from "../../page/meta.ts";
import { ContentForm, type FieldValues } from "../forms/content-form.tsx";
import { formStamp, handleForm } from "../forms/content-form.server.ts";
import { EmailField } from "../forms/inquiry-fields.tsx";
import { PageHead, contentMeta, publicUrlOf, shopNameOf } from "../page-head.tsx";
import { contentPages } from "../content-pages.ts";
import { ratingMarkup, ReviewList } from "./review-list.tsx";
import type { Route } from "./+types/reviews-page.ts";
import "../content.css";
import "../forms/content-form.css";

const node = contentPages.reviews;
export { shouldRevalidate } from "../forms/form-answer.ts";
export const handle: PageHandle = { isPublic: true, parameters: ["coin", "page"], values: { coin: "coin", page: "any" }, node };

export function meta({ loaderData, matches }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { realRating, reviews, page, isRefused } = loaderData;
  const rating = ratingMarkup(reviews, realRating);
  const publicUrl = publicUrlOf(matches);
  return [
    ...contentMeta(matches, {
      title: page > 1 ? `Отзывы покупателей, страница ${page}` : "Отзывы покупателей",
      description: "Что пишут покупатели о магазине и монетах: хорошее и плохое, после проверки и без правки смысла.",
      isRefused,
    }),
    ...(Object.keys(rating).length > 0
      ? [structured({ "@type": "Organization", "@id": `${publicUrl}/#organization`, name: shopNameOf(matches), url: publicUrl, ...rating })]
      : []),
  ];
}

export async function loader({ context, request }: Route.LoaderArgs) {
  const { ctx, isRefused } = context.get(pageContext);
  const query = new URL(request.url).searchParams;
  const about = query.get("coin");
  const pageParam = query.get("page") ?? "1";
  const page = /^[1-9]\d{0,4}$/.test(pageParam) ? Number(pageParam) : 0;
  const { items: reviews, rating, realRating, pages } = await inquiries.reviewsPage(ctx, Math.max(1, page));
  if (page < 1 || (page > 1 && page > pages)) throw data(null, { status: 404, statusText: "Page not found" });
  const slugs = [...new Set([...reviews.flatMap(({ coinSlug }) => coinSlug ?? []), ...(about ? [about] : [])])];
  const coins = new Map(
    (await Promise.all(slugs.map((slug) => catalog.coinBySlug(ctx, slug)))).flatMap((coin) => (coin ? [[coin.slug, coin] as const] : [])),
  );
  const named = about === null ? undefined : coins.get(about);
  return {
    isRefused,
    reviews: reviews.map((each) => ({ ...each, coinTitle: each.coinSlug === null ? null : (coins.get(each.coinSlug)?.title ?? null) })),
    coin: named ? { id: named.id, title: named.title } : null,
    page,
    pages,
    rating,
    realRating,
    stamp: formStamp(ctx),
  };
}

export const action = ({ request, context }: Route.ActionArgs) => {
  const page = context.get(pageContext);
  return handleForm(request, page, {
    kind: "review",
    schema: reviewForm,
    read: ({ text, texts, hasConsent }) => ({
      ...texts("name", "city", "email", "text"),
      rating: Number(text("rating") || "0"),
      productId: text("productId") === "" ? null : Number(text("productId")),
      consent: hasConsent,
    }),
    save: ({ consent: _consent, text: body, productId, ...review }, origin) =>
      inquiries.writeReview(page.ctx, { ...review, ...origin, body, coinId: productId ?? null }),
  });
};

const reviewForms = ["отзыв", "отзыва", "отзывов"] as const;

export default function ReviewsPage({ loaderData: { reviews, coin, page, pages, rating, stamp }, actionData }: Route.ComponentProps) {
  return (
    <main id="main" className="wrap" tabIndex={-1}>
      <PageHead />
      {rating.count === 0 ? <p className="lead">Отзывов пока нет. Ваш будет первым.</p> : <Rating {...rating} />}
      {reviews.some(({ isDemo }) => isDemo) && <p className="eyebrow">Отзывы с пометкой «образец» вымышлены для демонстрации.</p>}
      <p>
        <a className="more" href="#review">
          Написать отзыв
        </a>
      </p>
      <ReviewList reviews={reviews} />
      <Pagination
        page={page}
        pages={pages}
        total={rating.count}
        pageSize={reviewsPageSize}
        hrefOf={(n) => (n === 1 ? node.href : `${node.href}?page=${n}`)}
      />
      <ContentForm
        id="review"
        action={node.href}
        answer={actionData}
        stamp={stamp}
        title="Ваш отзыв"
        lead="Покажем после проверки, обычно в тот же рабочий день. Оценку и смысл не правим."
        button="Отправить отзыв"
        consent={
          <>
            Разрешаю обработать мои данные и{" "}
            <a href={consentPages.review} target="_blank" rel="noopener">
              опубликовать отзыв
            </a>{" "}
            с именем и городом
          </>
        }
        thanks={{ title: "Спасибо за отзыв", text: "Он у нас. Прочитаем и покажем на этой странице." }}
      >
        {(fields) => <ReviewFields fields={fields} coin={coin} />}
      </ContentForm>
    </main>
  );
}

/** The average rating and how often each rating was given. */
function Rating({ count, average, counts }: RatingSummary) {
  return (
    <div className="rating">
      <p className="rating__average">
        <span className="digits">{number(average ?? 0, 1)}</span>
        <small>из 5, {counted(count, reviewForms)}</small>
      </p>
      <ul className="rating__rows" aria-label="Сколько каких оценок">
        {ratings.toReversed().map((rating) => (
          <li key={rating}>
            <span>
              <span className="visually-hidden">Оценка </span>
              {rating}
            </span>
            <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
              <rect width={count === 0 ? 0 : ((counts[rating - 1] ?? 0) / count) * 100} height="6" />
            </svg>
            <span className="digits">
              <span className="visually-hidden">: </span>
              {counts[rating - 1]}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function ReviewFields({ fields, coin }: { fields: FieldValues; coin: { id: number; title: string } | null }) {
  const { value } = fields;
  const error = fields.error("rating");
  return (
    <>
      {coin && (
        <p>
          О монете: <b>{coin.title}</b>
        </p>
      )}
      {(coin || value("productId")) && <input type="hidden" name="productId" value={coin?.id ?? value("productId")} />}
      <fieldset
        className="request__rates"
        role="radiogroup"
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? "rating-error" : undefined}
      >
        <legend>Оценка</legend>
        <ul>
          {ratings.toReversed().map((rating) => (
            <li key={rating}>
              <label>
                <input
                  className="radio"
                  type="radio"
                  name="rating"
                  value={rating}
                  required
                  defaultChecked={value("rating") === String(rating)}
                />
                {rating}
              </label>
            </li>
          ))}
        </ul>
        {error && (
          <p className="error" id="rating-error">
            {error}
          </p>
        )}
      </fieldset>
      <TextArea label="Отзыв" required rows={6} maxLength={reviewMaxLengths.body} {...fields.input("text")} />
      <div className="request__pair">
        <Field
          label="Имя, как показать на сайте"
          required
          autoComplete="given-name"
          maxLength={reviewMaxLengths.name}
          {...fields.input("name")}
        />
        <Field label="Город" autoComplete="address-level2" maxLength={reviewMaxLengths.city} {...fields.input("city")} />
      </div>
      <EmailField fields={fields} label="Электронная почта, на сайте её не видно" hint="Поблагодарим и, если нужно, уточним подробности" />
    </>
  );
}
