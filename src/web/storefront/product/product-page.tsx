import { data, Link } from "react-router";
import { clock, counted, dayOfYear, fineness, grams, minuteForms, nbsp, number, percent, pieceForms, priceText } from "#kit/format.ts";
import { categoryPath } from "#shop/catalog/category.ts";
import { coinImage } from "#shop/catalog/image.ts";
import { previewedCoin } from "#shop/catalog/editing/preview.service.ts";
import * as content from "#shop/content/service.ts";
import type { PageWords } from "#shop/content/site/parts.ts";
import * as siteParts from "#shop/content/site/parts.service.ts";
import type { Kopecks } from "#kit/money.ts";
import type { Coin } from "#shop/catalog/coin.ts";
import type { Ctx } from "#shop/context.ts";
import * as delivery from "#shop/delivery/service.ts";
import { realRatingOf } from "#shop/inquiries/review.ts";
import * as inquiries from "#shop/inquiries/service.ts";
import * as search from "#shop/search/service.ts";
import { IdlePart } from "#web/client/idle-part.tsx";
import { pageContext } from "#web/context.server.ts";
import { kindNames, metalNames } from "../../texts.ru.ts";
import { Breadcrumbs } from "../../ui/breadcrumbs.tsx";
import { Delta } from "../../ui/delta.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { Live, Price } from "../../ui/price.tsx";
import { PriceRuler } from "../shared/price-ruler.tsx";
import { AlertForm } from "../alerts/alert-form.tsx";
import { cardView } from "../catalog/cards/card-view.ts";
import { CoinGrid } from "../catalog/cards/coin-card.tsx";
import { coinName, mintName } from "../catalog/cards/coin-name.ts";
import { Prose } from "../content/prose.tsx";
import { CoinReviews, ratingMarkup } from "../content/reviews/review-list.tsx";
import { useFrameData } from "../frame/use-frame-data.ts";
import type { PageHandle } from "../page/page-handle.ts";
import { breadcrumbList, pageMeta, shortened, structured } from "../page/meta.ts";
import { filmOfCoin } from "../shared/films.server.ts";
import { liveHref } from "../shared/live-href.server.ts";
import { BuyBox } from "./buy-box.tsx";
import { hasCapsule } from "./capsule.server.ts";
import { ClosedMarket } from "./closed-market.tsx";
import { dataRows, ounces } from "./data-table.ts";
import { DeliveryEstimate } from "./delivery-estimate.tsx";
import { IssueList, issueRows } from "./issue-list.tsx";
import { Gallery, type GalleryCoin } from "./gallery.tsx";
import { relatedCoins } from "./related-coins.server.ts";
import { coinHistory } from "./price-history.server.ts";
import { PriceHistory } from "./price-history.tsx";
import { TrueSize } from "./true-size.tsx";
import type { Route } from "./+types/product-page.ts";
import "./product.css";
import "../catalog/cards/card.css";

export const handle: PageHandle = { isPublic: true, hasLivePrices: true };

export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { card, description, publicUrl, trail, title, reviews, rating, mint, pureMass, tag } = loaderData;
  const url = `${publicUrl}/products/${card.slug}`;
  const image = `${publicUrl}${coinImage(card.picture, "reverse", 640)}`;
  return [
    ...pageMeta({
      title: `${title}${card.price === null ? "" : `: цена ${priceText(card.price)}`}`,
      description: shortened(`${title}, ${mint}. ${tag}, ${pureMass} чистого металла. ${description}`),
      image: `${publicUrl}${shareImage(card.picture)}`,
    }),
    breadcrumbList(publicUrl, [...trail, { title, href: `/products/${card.slug}` }]),
    structured({
      "@type": "Product",
      name: title,
      sku: String(card.id),
      url,
      description,
      image: [image, `${publicUrl}${coinImage(card.picture, "obverse", 640)}`],
      material: metalNames[card.metal],
      category: kindNames[card.kind],
      ...ratingMarkup(reviews, rating),
      ...(card.price === null
        ? {}
        : {
            offers: {
              "@type": "Offer",
              url,
              price: (card.price / 100).toFixed(2),
              priceCurrency: "RUB",
              availability: `https://schema.org/${card.available > 0 ? "InStock" : "OutOfStock"}`,
              itemCondition: "https://schema.org/NewCondition",
            },
          }),
    }),
  ];
}

/** The delivery options of one coin and which are free, by the limits of the checkout. */
function deliveryOptionsOf(ctx: Ctx, { price, metal }: Pick<Coin & { price: Kopecks | null }, "price" | "metal">) {
  const { freeCourierFromRoubles, freePickupFromRoubles } = ctx.settings.limits;
  return {
    isSpecial: price !== null && delivery.needsSpecial(ctx, { total: price, ...(metal === "gold" ? { gold: price } : {}) }),
    isPickupFree: (price ?? 0) >= freePickupFromRoubles * 100,
    courier: { isFree: price !== null && price >= freeCourierFromRoubles * 100, freeFrom: freeCourierFromRoubles },
    office: [ctx.settings.shop.placeholders.CITY, "в рабочие часы"].filter(Boolean).join(", "),
  };
}

/** The protections of the buyer as text, placeholders filled. */
const protectionsOf = (ctx: Ctx, protections: PageWords["protections"], isSpecial: boolean) =>
  Promise.all(
    protections.map(async ({ icon, text, special, fallback, href }) => {
      const wanted = isSpecial && special !== "" ? special : text;
      const isWhole = fallback === "" || content.hasValues(ctx, wanted);
      return { icon, text: content.filledText(ctx, isWhole ? wanted : fallback), href: await liveHref(ctx, href) };
    }),
  );

/** The picture for link previews: on a paper background, as JPEG, which every program reads. */
const shareImage = (picture: string): string => `/_image?url=/media/coins/${picture}-reverse.webp&width=640&format=jpeg&background=paper`;

export async function loader({ context, params }: Route.LoaderArgs) {
  const { ctx } = context.get(pageContext);
  const draft = await previewedCoin(ctx, params.slug);
  const coin = draft ? await search.detailsOf(ctx, draft) : await search.coinBySlug(ctx, params.slug);
  if (!coin) throw data(null, { status: 404 });
  const issues = await search.issues(ctx, coin.id);
  const [categories, everything, neighbours, questions, reviews, history, words, film] = await Promise.all([
    search.categories(ctx),
    search.list(ctx, {}),
    relatedCoins(ctx, coin, issues),
    content.questions(ctx),
    inquiries.reviews(ctx, coin.slug),
    coinHistory(ctx, coin),
    siteParts.pageWords(ctx),
    filmOfCoin(ctx, coin.slug),
  ]);

  // The breadcrumbs follow the narrowest listing: «Золото / Георгий Победоносец», not «Монеты Сбербанка».
  const sizes = new Map(everything.facets.category.map(({ value, count }) => [value, count]));
  const narrowest = coin.categories.toSorted((a, b) => (sizes.get(a) ?? 0) - (sizes.get(b) ?? 0))[0] ?? "";
  const branch = categoryPath(categories, narrowest);
  const carriage = deliveryOptionsOf(ctx, coin);
  const metal = coin.price === null || coin.premium === null ? null : ((coin.price - coin.premium.amount) as Kopecks);
  return {
    card: cardView(coin),
    promoEndsAt: coin.promoEndsAt,
    title: coin.title,
    description: coin.description,
    publicUrl: ctx.settings.publicUrl.replace(/\/$/, ""),
    trail: [{ title: "Главная", href: "/" }, ...branch.slice(0, 2).map((each) => ({ title: each.title, href: `/catalog/${each.slug}` }))],
    mint: coin.mint ? mintName(coin.mint) : coin.country,
    year: coin.year,
    tag: `${metalNames[coin.metal]} ${fineness(coin.finenessTenths)}`,
    pureMass: grams(coin.pureMassMg),
    part: ounces(coin.pureMassMg),
    metalValue: metal,
    premium: coin.premium,
    rate: coin.rateE4 === null ? null : coin.rateE4 / 10_000,
    most: Math.max(0, Math.min(coin.available, coin.purchaseLimit ?? 999, 999)),
    gallery: {
      slug: coin.slug,
      picture: coin.picture,
      title: coin.title,
      metal: coin.metal,
      kind: coin.kind,
      isRound: coin.shape === "round",
      diameterMm: coin.diameterMm,
      lengthMm: coin.lengthMm,
      widthMm: coin.widthMm,
      hasEdge: coin.shape === "round",
      hasCapsule: await hasCapsule(ctx, coin, words.capsuleCoin),
      isDrawing: coin.isDrawing,
      alts: coin.pictures.alts,
      film,
    } satisfies GalleryCoin,
    size: { diameterMm: coin.diameterMm, thicknessMm: coin.thicknessMm, totalMass: grams(coin.totalMassMg) },
    rows: dataRows(coin, ctx.settings.seller.tax),
    issues: issueRows(issues, coin.id),
    neighbours,
    reviews,
    rating: realRatingOf(reviews),
    questions: questions
      .filter(({ extra }) => extra.group === words.coinQuestions)
      .slice(0, 5)
      .map(({ id, title, html }) => ({ id, title, html })),
    lockMinutes: Math.round(ctx.settings.limits.quoteLifeSeconds / 60),
    steps: coin.priceSteps,
    history,
    carriage,
    protections: await protectionsOf(ctx, words.protections, carriage.isSpecial),
  };
}

const loadRecentlyViewed = async () => (await import("./recently-viewed.tsx")).RecentlyViewed;

export default function ProductPage({ loaderData }: Route.ComponentProps) {
  const { card, title, description, trail, tag, mint, year, gallery, size, rows, neighbours, reviews, questions, most, part } = loaderData;
  const { face, name } = coinName(title);
  const sub = [[face, year].filter(Boolean).join(" "), mint].join(", ");
  return (
    <main id="main" key={card.slug} tabIndex={-1}>
      <div className="wrap">
        <Breadcrumbs trail={trail} here={[face, year].filter(Boolean).join(" ") || name} />
        <div className="product">
          <Gallery coin={gallery} />
          <div className={`purchase card--${card.metal}`}>
            <p className="purchase__tag">
              <span className="card__metal">
                <i />
                {tag}
              </span>
              <span>{kindNames[card.kind]}</span>
              <span>{card.available > 0 ? `В наличии ${counted(card.available, pieceForms)}` : "Нет в наличии"}</span>
            </p>
            <h1>{card.name}</h1>
            <p className="purchase__subtitle">{sub}</p>
            <Offer {...loaderData} />
            <PriceSteps steps={loaderData.steps} />
            <IssueList issues={loaderData.issues} />
            <BuyBox card={card} most={most} />
            <BuyerProtection protections={loaderData.protections} />
            <AlertForm coinId={card.id} now={card.price === null ? null : card.price / 100} unit="₽" hasStock={card.available > 0} />
            {card.available <= 0 && (
              <p className="order__note">
                Все монеты проданы.{" "}
                {neighbours.length > 0 && (
                  <>
                    <a href="#like-it">Похожие есть в наличии</a>.{" "}
                  </>
                )}
                В избранном эта монета не потеряется.
              </p>
            )}
            <p className="order__note">
              На оформлении цена фиксируется на {counted(loaderData.lockMinutes, minuteForms)}. Если время вышло, спросим вас заново — молча
              сумма не меняется.
            </p>
            <DeliveryOptions carriage={loaderData.carriage} />
          </div>
        </div>
      </div>
      <section className="section">
        <div className="wrap about">
          <div className="about__text">
            <h2>{part ? inWords(part) : "О монете"}</h2>
            {paragraphs(description).map((text) => (
              <p key={text}>{text}</p>
            ))}
          </div>
          <dl className="specification">
            {rows.map((row) => (
              <div key={row.name}>
                <dt>{row.name}</dt>
                <dd>
                  {row.value}
                  {row.note && <small>{row.note}</small>}
                </dd>
              </div>
            ))}
          </dl>
        </div>
      </section>
      {loaderData.history && <PriceHistory history={loaderData.history} price={card.price} />}
      {size.diameterMm !== null && size.diameterMm <= 50 && (
        <TrueSize
          picture={card.picture}
          diameterMm={size.diameterMm}
          thicknessMm={size.thicknessMm}
          totalMass={size.totalMass}
          metal={card.metal}
        />
      )}
      {questions.length > 0 && (
        <section className="section">
          <div className="wrap questions">
            <h2>О чём спрашивают</h2>
            <div>
              {questions.map((each, index) => (
                <details key={each.id} open={index === 0}>
                  <summary>
                    {each.title}
                    <Icon name="plus" />
                  </summary>
                  <Prose html={each.html} />
                </details>
              ))}
            </div>
          </div>
        </section>
      )}
      <CoinReviews slug={card.slug} reviews={reviews} />
      {neighbours.map(({ title: row, all, count, cards }, index) => (
        <section className="section" key={row} id={index === 0 ? "like-it" : undefined}>
          <div className="wrap">
            <div className="section__head">
              <h2>{row}</h2>
              {count > cards.length + 1 && (
                <Link className="more" to={all}>
                  Все {number(count)} <Icon name="right" />
                </Link>
              )}
            </div>
            <CoinGrid cards={cards} columns={4} heading="h3" />
          </div>
        </section>
      ))}
      <IdlePart load={loadRecentlyViewed} props={{ id: card.id }} />
    </main>
  );
}

type Loaded = Route.ComponentProps["loaderData"];

/** Lower prices for more pieces. */
function PriceSteps({ steps }: Pick<Loaded, "steps">) {
  if (steps.length === 0) return null;
  return (
    <table className="price-steps">
      <caption className="visually-hidden">Цена за монету по количеству</caption>
      <tbody>
        {steps.map(({ quantity, price }) => (
          <tr key={quantity}>
            <th scope="row">{quantity === 1 ? "за монету" : `от ${counted(quantity, ["штуки", "штук", "штук"])}`}</th>
            <td>
              <Price amount={price} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The price, its premium to the metal, and the buyback price. */
function Offer({ card, promoEndsAt, metalValue, premium, pureMass, rate }: Loaded) {
  const frame = useFrameData();
  const today = frame?.rates.find(({ code }) => code === (card.metal === "gold" ? "XAU_RUB" : "XAG_RUB"));
  const isBullion = card.kind === "bullion";
  const isOut = card.available <= 0;
  const { price, buyback } = card;
  const metalText = metalValue === null ? "" : priceText(wholeRoubles(metalValue));
  if (price === null)
    return (
      <div className="offer">
        <p className="offer__price">Цена по запросу</p>
        <p className="offer__reason">Курс металла сейчас неизвестен: цена появится вместе с ним.</p>
      </div>
    );
  return (
    <div className="offer">
      <div className="offer__row">
        <Live as="p" className={isOut ? "offer__price is-old" : "offer__price"} value={price}>
          <Price amount={price} />
        </Live>
        {promoEndsAt !== null && !isOut && (
          <p className="offer__time">
            {card.oldPrice !== null && (
              <s>
                <span className="visually-hidden">прежняя цена </span>
                <Price amount={card.oldPrice} />
              </s>
            )}{" "}
            акция до {dayOfYear(promoEndsAt)}, <span className="digits">{clock(promoEndsAt)}</span>
          </p>
        )}
        {isOut && (
          <p className="offer__time">
            последняя цена для справки:
            <br />
            монеты нет в наличии
          </p>
        )}
        {!isOut && isBullion && today && frame?.ratesAt && (
          <p className="offer__time">
            металл <Delta percent={today.percent} isNeutral /> за день
            <br />
            обновлено в <span className="digits">{clock(new Date(frame.ratesAt))}</span>
          </p>
        )}
        {!isOut && !isBullion && (
          <p className="offer__time">
            твёрдая цена:
            <br />
            за курсом не следует
          </p>
        )}
      </div>
      <p className="offer__reason">
        {isBullion && premium && (
          <span>
            премия <b className="digits">{percent(premium.bp)}</b>
            {nbsp}% к металлу
          </span>
        )}
        {card.perGram !== null && (
          <span>
            <b className="digits">{number(Math.ceil(card.perGram / 100))}</b>
            {nbsp}₽ за грамм
          </span>
        )}
      </p>
      {isBullion && rate !== null && premium && (
        <p className="offer__formula digits">
          {pureMass} × {number(rate, 2)}
          {nbsp}₽/г {premium.bp < 0 ? "−" : "+"} {percent(Math.abs(premium.bp))}
          {nbsp}% = {priceText(price)}
        </p>
      )}
      {isBullion && buyback !== null && metalValue !== null && premium && metalValue > buyback && price > metalValue ? (
        <PriceRuler
          share={(metalValue - buyback) / (price - buyback)}
          label={`Шкала: выкуп ${priceText(buyback)}, металл в монете ${metalText}, цена ${priceText(price)}`}
          left={
            <>
              <em>Выкупаем за</em>
              <Price amount={buyback} />
            </>
          }
          middle={
            <>
              <em>Металл</em>
              <Price amount={wholeRoubles(metalValue)} />
            </>
          }
          right={
            <>
              <em>Премия</em>
              <Price amount={wholeRoubles(premium.amount)} />
            </>
          }
        />
      ) : (
        buyback !== null && (
          <p className="offer__back">
            <span>
              Выкупаем сегодня за{" "}
              <b>
                <Price amount={buyback} />
              </b>
            </span>
          </p>
        )
      )}
      {buyback === null || card.spreadBp === null ? (
        <p className="offer__back">
          <span>Такую монету мы обратно не выкупаем, поэтому спреда у неё нет.</span>
        </p>
      ) : (
        <p className="offer__back offer__spread">
          <span>
            Спред{" "}
            <Live value={card.spreadBp} as="b">
              <span className="digits">{number(card.spreadBp / 100, 1)}</span>
              {nbsp}%
            </Live>
            : <Price amount={(price - buyback) as Kopecks} /> теряется, если продать сегодня же
          </span>
          <Link to={`/coin-buyback?coin=${card.slug}`}>Продать нам такую монету</Link>
        </p>
      )}
      <ClosedMarket kind={card.kind} />
      {isBullion && frame?.market.isOpen && frame.isStale && (
        <p className="offer__note" role="status">
          Курс задерживается: показана последняя известная цена.
        </p>
      )}
    </div>
  );
}

const wholeRoubles = (amount: Kopecks): Kopecks => (Math.round(amount / 100) * 100) as Kopecks;

/** One line for each protection of the buyer. */
function BuyerProtection({ protections }: Pick<Loaded, "protections">) {
  return (
    <ul className="trust">
      {protections.map(({ icon, text, href }) => (
        <li key={text}>
          <Icon name={icon} />
          <Link to={href}>{text}</Link>
        </li>
      ))}
    </ul>
  );
}

function DeliveryOptions({ carriage: { isSpecial, courier, isPickupFree, office } }: { carriage: Loaded["carriage"] }) {
  const byHand = "лично в руки по паспорту";
  const carried: { icon: IconName; name: string; note: string; cost: string }[] = [
    {
      icon: "box",
      name: "Пункт выдачи или постамат СДЭК",
      note: "по всей России, страховка на полную цену",
      cost: isPickupFree ? "бесплатно" : "по тарифу",
    },
    {
      icon: "truck",
      name: "Курьер до двери",
      note: courier.isFree ? byHand : `бесплатно от ${number(courier.freeFrom)}${nbsp}₽, ${byHand}`,
      cost: courier.isFree ? "бесплатно" : "по тарифу",
    },
  ];
  const special = { icon: "truck", name: "Спецсвязь", note: "вооружённая перевозка", cost: "назовёт менеджер" } as const;
  const ways = [
    ...(isSpecial ? [special] : carried),
    { icon: "door", name: "Из офиса, с осмотром монеты", note: office, cost: "бесплатно" } as const,
  ];
  return (
    <section className="ways">
      <div className="ways__head">
        <h2>Получить монету</h2>
        <Link to="/delivery">Доставка и оплата</Link>
      </div>
      <ul>
        {ways.map(({ icon, name, note, cost }) => (
          <li key={icon}>
            <Icon name={icon} />
            <span>
              {name}
              <small>{note}</small>
            </span>
            <b>{cost}</b>
          </li>
        ))}
      </ul>
      <DeliveryEstimate />
    </section>
  );
}

/** Two paragraphs: the first two sentences, and the rest. */
function paragraphs(text: string): string[] {
  const sentences = text.split(/(?<=[.!?…])\s+(?=[А-ЯЁ«])/);
  return sentences.length <= 2 ? [text] : [sentences.slice(0, 2).join(" "), sentences.slice(2).join(" ")];
}

const partNames: Readonly<Record<string, string>> = {
  "1/20": "Двадцатая унции",
  "1/10": "Десятая унции",
  "1/4": "Четверть унции",
  "1/2": "Пол-унции",
  "1": "Одна унция",
  "2": "Две унции",
  "5": "Пять унций",
  "10": "Десять унций",
};
const inWords = (part: string): string => partNames[part.split(nbsp)[0] ?? ""] ?? "О монете";
