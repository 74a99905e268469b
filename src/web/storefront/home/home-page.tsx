import { Link, useRouteLoaderData } from "react-router";
import { clock, day, dayOfYear, fineness, grams, millimetres, nbsp, number, percent, priceText, weekday } from "#kit/format.ts";
import { type Kopecks, kopecks } from "#kit/money.ts";
import { drawingsNote } from "../../texts.ru.ts";
import { coinImage, coinSrcSet } from "#shop/catalog/image.ts";
import { entryHref, type EntrySummary } from "#shop/content/entry.ts";
import * as content from "#shop/content/service.ts";
import type { CoinDetails } from "#shop/search/index/card.ts";
import * as search from "#shop/search/service.ts";
import { pageContext } from "#web/context.server.ts";
import capsule from "../../images/capsule.webp";
import cover from "../../images/news-1.webp";
import { ButtonLink } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Live, Price } from "../../ui/price.tsx";
import { PriceRuler } from "../shared/price-ruler.tsx";
import { cardView, distinctFirst } from "../catalog/cards/card-view.ts";
import { CoinGrid } from "../catalog/cards/coin-card.tsx";
import { coinName, mintSign } from "../catalog/cards/coin-name.ts";
import { ounces } from "../product/data-table.ts";
import type { FrameData } from "../frame/frame-data.ts";
import type { PageHandle } from "../page/page-handle.ts";
import { pageMeta } from "../page/meta.ts";
import { PriceSheet } from "./price-sheet.tsx";
import type { Route } from "./+types/home-page.ts";
import "./home.css";

export const handle: PageHandle = { isPublic: true, hasLivePrices: true };

export function meta() {
  return pageMeta({
    title: "Чекан: монеты из золота и серебра с объяснимой ценой",
    description:
      "Инвестиционные и памятные монеты из золота и серебра. Цена, премия к металлу и выкуп рядом. " +
      "Бесплатная доставка до пункта СДЭК по всей России.",
  });
}

/** The coin of the first screen and of the price ruler: the best-seller. */
const heroSlug = "georgij-pobedonosec-50-rublej-2026-mmd";
/** One design («Георгий Победоносец») from a tenth of an ounce to a kilogram, for the row drawn to scale. */
const scaleSlugs = [
  "georgij-pobedonosec-25-rublej-2023",
  heroSlug,
  "georgij-pobedonosec-100-rublej-2025",
  "georgij-pobedonosec-200-rublej-2025",
  "georgij-pobedonosec-10-000-rublej-2025",
];

export async function loader({ context }: Route.LoaderArgs) {
  const { ctx } = context.get(pageContext);
  const [hero, scale, popular, memorable, articles, news] = await Promise.all([
    search.coinBySlug(ctx, heroSlug),
    Promise.all(scaleSlugs.map((slug) => search.coinBySlug(ctx, slug))),
    search.list(ctx, { kind: ["bullion"], inStock: true }),
    search.list(ctx, { kind: ["memorable"], inStock: true }),
    content.list(ctx, "training"),
    content.list(ctx, "news"),
  ]);
  return {
    hero: hero && plateOf(hero),
    scale: scale
      .filter((coin) => coin !== null)
      .map(({ slug, picture, title, pureMassMg, diameterMm, price, perGram }) => ({
        slug,
        picture,
        title,
        face: coinName(title).face,
        part: ounces(pureMassMg) ?? grams(pureMassMg),
        diameterMm: diameterMm ?? 0,
        price,
        perGram,
      })),
    popular: distinctFirst(
      popular.items.map((card) => ({
        ...cardView(card),
        metalValue: card.price !== null && card.premium ? kopecks(card.price - card.premium.amount) : null,
      })),
      6,
    ),
    memorable: memorable.items.slice(0, 4).map(cardView),
    lead: leadArticle(articles.items.find(({ slug }) => slug === "kak-skladyvaetsya-cena") ?? articles.items[0]),
    reads: [
      ...articles.items
        .filter(({ slug }) => slug !== "kak-skladyvaetsya-cena")
        .slice(0, 4)
        .map((each) => ({ href: entryHref(each) ?? "/training", title: each.title, mark: `${each.extra.minutes ?? 5}${nbsp}мин` })),
      ...news.items
        .slice(0, 1)
        .map((each) => ({ href: `/news/${each.slug}`, title: each.title, mark: each.publishedOn ? dayOfYear(each.publishedOn) : "" })),
    ],
  };
}

const leadArticle = (entry: EntrySummary | undefined) =>
  entry ? { href: entryHref(entry) ?? "/training", title: entry.title, lead: entry.lead } : null;

function plateOf(coin: CoinDetails) {
  const metalValue = coin.price !== null && coin.premium ? kopecks(Math.round((coin.price - coin.premium.amount) / 100) * 100) : null;
  const { name, face } = coinName(coin.title);
  return {
    slug: coin.slug,
    picture: coin.picture,
    title: coin.title,
    name: `«${name}», ${face ?? ""} ${coin.year}`,
    fineness: fineness(coin.finenessTenths),
    mass: grams(coin.pureMassMg),
    mint: mintSign(coin.mint) ?? coin.country,
    year: coin.year,
    edge: coin.edge,
    diameter: coin.diameterMm === null ? null : millimetres(coin.diameterMm),
    price: coin.price,
    buyback: coin.buyback,
    metalValue,
    premiumBp: coin.premium?.bp ?? null,
    discountBp: coin.buybackBp === null ? null : -coin.buybackBp,
  };
}

export default function HomePage({ loaderData: { hero, scale, popular, memorable, lead, reads } }: Route.ComponentProps) {
  const frame = useRouteLoaderData<FrameData>("root");
  return (
    <main id="main">
      <section className="hero">
        <div className="wrap">
          <div className="hero__inner">
            <div>
              <h1>Цена должна быть объяснима</h1>
              <p className="lead">
                Золотые и серебряные монеты, цену которых можно пересчитать на калькуляторе. Рядом с каждой — премия к металлу и сумма, за
                которую мы купим её обратно.
              </p>
              <div className="hero__actions">
                <ButtonLink to="/catalog/bullion-coins">Выбрать монету</ButtonLink>
                {lead && (
                  <Link className="more" to={lead.href}>
                    Из чего складывается цена <Icon name="right" />
                  </Link>
                )}
              </div>
            </div>
            {hero && <Plate coin={hero} />}
          </div>
        </div>
      </section>
      {hero && <Anatomy coin={hero} frame={frame} />}
      {scale.length > 1 && <OneScale coins={scale} />}
      <section className="section">
        <div className="wrap">
          <div className="section__head">
            <h2>Котировальный лист</h2>
            <p className="lead">Шесть монет, которые спрашивают чаще других. Цены живые: меняются вместе с биржей.</p>
            <Link className="more" to="/catalog">
              Весь каталог <Icon name="right" />
            </Link>
          </div>
          <PriceSheet rows={popular} rates={frame?.rates ?? []} at={frame?.ratesAt ? clock(new Date(frame.ratesAt)) : null} />
        </div>
      </section>
      <section className="section">
        <div className="wrap promises">
          <figure className="promises__picture">
            <img src={capsule} width="720" height="720" alt="Золотая монета в прозрачной капсуле" loading="lazy" />
            <figcaption>Каждая монета уходит в капсуле, снятой на видео и опечатанной в пакет с номером.</figcaption>
          </figure>
          <div className="promises__list">
            <h2>На чём мы стоим</h2>
            <div className="promise">
              <h3>Монета должна быть настоящей</h3>
              <p>
                Каждый экземпляр измеряется и взвешивается, спорные проверяются прибором для определения сплава. Продаём только монеты с
                законным происхождением.
              </p>
            </div>
            <div className="promise">
              <h3>Выкуп — часть сделки</h3>
              <p>Мы называем цену выкупа рядом с ценой продажи и выкупаем монеты, купленные не у нас.</p>
            </div>
            <div className="promise">
              <h3>Документы — не формальность</h3>
              <p>Кассовый чек приходит на каждую покупку. Он пригодится через три года, когда монету решат продать.</p>
            </div>
          </div>
        </div>
      </section>
      {memorable.length > 0 && (
        <section className="section">
          <div className="wrap">
            <div className="section__head">
              <h2>Памятные монеты</h2>
              <p className="lead">Их цену задаёт не вес, а тираж, сюжет и сохранность.</p>
              <Link className="more" to="/catalog/memorable-coins">
                Все памятные <Icon name="right" />
              </Link>
            </div>
            <CoinGrid cards={memorable} columns={4} heading="h3" />
            <p className="grid__note">{drawingsNote}</p>
          </div>
        </section>
      )}
      {lead && (
        <section className="section">
          <div className="wrap">
            <div className="section__head">
              <h2>Прочитать до покупки</h2>
              <Link className="more" to="/training">
                Обучение для новичков <Icon name="right" />
              </Link>
            </div>
            <div className="reads">
              <Link className="reads__lead" to={lead.href}>
                <span className="reads__picture">
                  <img src={cover} width="960" height="540" alt="" loading="lazy" />
                </span>
                <h3>{lead.title}</h3>
                <p>{lead.lead}</p>
              </Link>
              <ul className="reads__list">
                {reads.map(({ href, title, mark }) => (
                  <li key={href}>
                    <Link to={href}>
                      <h3>{title}</h3>
                      <span className="digits">{mark}</span>
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          </div>
        </section>
      )}
      {hero && <BuybackFormula coin={hero} rate={frame?.rates.find(({ code }) => code === "XAU_RUB")?.value ?? null} />}
    </main>
  );
}

type PlateCoin = ReturnType<typeof plateOf>;

/** The coin as a technical drawing: fineness, mass, mint, edge and diameter. */
function Plate({ coin }: { coin: PlateCoin }) {
  return (
    <figure className="plate">
      <Link className="plate__coin" to={`/products/${coin.slug}`}>
        <img
          className="coin coin--gold"
          src={coinImage(coin.picture, "reverse", 640)}
          srcSet={coinSrcSet(coin.picture, "reverse")}
          sizes="(max-width: 767px) 66vw, 440px"
          width="640"
          height="640"
          alt={`${coin.title}, реверс`}
          fetchPriority="high"
        />
      </Link>
      <svg className="plate__drawing" viewBox="0 0 640 560" aria-hidden="true">
        <polyline points="0,72 130,72 166,108" />
        <polyline points="640,72 510,72 474,108" />
        <polyline points="0,452 130,452 166,416" />
        <polyline points="640,452 510,452 474,416" />
        <circle className="plate__point" cx="166" cy="108" r="3.2" />
        <circle className="plate__point" cx="474" cy="108" r="3.2" />
        <circle className="plate__point" cx="166" cy="416" r="3.2" />
        <circle className="plate__point" cx="474" cy="416" r="3.2" />
        <text className="plate__figure" x="0" y="28">
          Золото {coin.fineness}
        </text>
        <text x="0" y="53">
          проба
        </text>
        <text className="plate__figure" x="640" y="28" textAnchor="end">
          {coin.mass}
        </text>
        <text x="640" y="53" textAnchor="end">
          чистого металла
        </text>
        <text className="plate__figure" x="0" y="483">
          {coin.mint}, {coin.year}
        </text>
        <text x="0" y="508">
          двор и год
        </text>
        {coin.edge && (
          <>
            <text className="plate__figure" x="640" y="483" textAnchor="end">
              {coin.edge}
            </text>
            <text x="640" y="508" textAnchor="end">
              гурт
            </text>
          </>
        )}
        {coin.diameter && (
          <>
            <line x1="105" y1="540" x2="240" y2="540" />
            <line x1="400" y1="540" x2="535" y2="540" />
            <line x1="105" y1="530" x2="105" y2="550" />
            <line x1="535" y1="530" x2="535" y2="550" />
            <text x="320" y="546" textAnchor="middle">
              ⌀ {coin.diameter}
            </text>
          </>
        )}
      </svg>
    </figure>
  );
}

/** The price of one coin on a ruler: buyback, value of the metal, selling price. */
function Anatomy({
  coin: { slug, name, price, buyback, metalValue, premiumBp, discountBp },
  frame,
}: {
  coin: PlateCoin;
  frame: FrameData | undefined;
}) {
  if (
    price === null ||
    buyback === null ||
    metalValue === null ||
    premiumBp === null ||
    discountBp === null ||
    !(buyback < metalValue && metalValue < price)
  )
    return null;
  const at = frame?.ratesAt ? new Date(frame.ratesAt) : null;
  return (
    <section className="wrap">
      <div className="anatomy">
        <div className="anatomy__head">
          <h2>
            <Link to={`/products/${slug}`}>{name}</Link>
          </h2>
          {at && (
            <p className="eyebrow">
              {weekday(at)}, {day(at)}, <span className="digits">{clock(at)}</span> мск
            </p>
          )}
        </div>
        <PriceRuler
          wide
          share={(metalValue - buyback) / (price - buyback)}
          label={`Шкала: выкуп ${priceText(buyback)}, металл в монете ${priceText(metalValue)}, цена ${priceText(price)}`}
          gaps={[
            <>
              дисконт{" "}
              <b className="digits">
                {percent(discountBp)}
                {nbsp}%
              </b>
            </>,
            <>
              премия{" "}
              <b className="digits">
                {percent(premiumBp)}
                {nbsp}%
              </b>
            </>,
          ]}
          left={
            <>
              <em>Выкуп</em>
              <Live value={buyback}>
                <Price amount={buyback} />
              </Live>
            </>
          }
          middle={
            <>
              <em>Металл</em>
              <Live value={metalValue}>
                <Price amount={metalValue} />
              </Live>
            </>
          }
          right={
            <>
              <em>Цена</em>
              <Live value={price}>
                <Price amount={price} />
              </Live>
            </>
          }
        />
      </div>
    </section>
  );
}

type ScaleCoin = {
  slug: string;
  picture: string;
  title: string;
  face: string | null;
  part: string;
  diameterMm: number;
  price: Kopecks | null;
  perGram: Kopecks | null;
};

/** Picture sizes by the row's pixels per millimetre, the same as `--mm` in home.css. */
const scaleSizes = (mm: number): string =>
  `(max-width: 767px) ${Math.ceil(mm * 2.3)}px, (max-width: 1023px) ${Math.ceil(mm * 4.5)}px, ${mm * 6}px`;

/** All denominations of one design side by side, drawn to scale. */
function OneScale({ coins }: { coins: ScaleCoin[] }) {
  return (
    <section className="section scale-section">
      <div className="wrap">
        <div className="scale-section__title">
          <h2>От десятой унции до&nbsp;килограмма</h2>
          <p className="lead">Один и тот же всадник в одном масштабе. Чем тяжелее монета, тем меньше премия и тем дешевле грамм.</p>
          <Link className="more" to="/catalog/bullion-coins/georgij-pobedonosec">
            Все «Георгии» <Icon name="right" />
          </Link>
        </div>
        <div className="row-scale" tabIndex={0} role="region" aria-label="Номиналы «Георгия Победоносца» в одном масштабе">
          <div className="scale">
            <span className="scale__millimetres digits" aria-hidden="true">
              10{nbsp}мм
            </span>
            {coins.map(({ slug, picture, diameterMm }) => (
              <Link
                key={slug}
                className={`scale__coin diameter-${Math.round(diameterMm)}`}
                to={`/products/${slug}`}
                tabIndex={-1}
                aria-hidden="true"
              >
                <img
                  className="coin coin--gold"
                  src={coinImage(picture, "reverse", 320)}
                  srcSet={coinSrcSet(picture, "reverse")}
                  sizes={scaleSizes(diameterMm)}
                  width="320"
                  height="320"
                  alt=""
                  loading="lazy"
                  decoding="async"
                />
              </Link>
            ))}
          </div>
          <ul className="scale__list">
            {coins.map(({ slug, face, part, diameterMm, price, perGram }) => (
              <li key={slug} className={`scale__text diameter-${Math.round(diameterMm)}`}>
                <p className="scale__name">
                  <Link to={`/products/${slug}`}>{part}</Link>
                </p>
                <p className="scale__detail">
                  {face}
                  <span className="scale__diameter">
                    , ⌀{nbsp}
                    {millimetres(diameterMm)}
                  </span>
                </p>
                {price !== null && (
                  <p className="scale__price">
                    <Live value={price}>
                      <Price amount={price} />
                    </Live>
                  </p>
                )}
                {perGram !== null && (
                  <p className="scale__detail">
                    <span className="digits">{number(Math.ceil(perGram / 100))}</span>
                    {nbsp}₽/г
                  </p>
                )}
              </li>
            ))}
          </ul>
        </div>
      </div>
    </section>
  );
}

/** The formula of the buyback price with the present numbers. */
function BuybackFormula({ coin: { mass, discountBp, buyback }, rate }: { coin: PlateCoin; rate: number | null }) {
  if (buyback === null || discountBp === null || rate === null) return null;
  return (
    <section className="formula">
      <div className="wrap">
        <h2>Как считается цена выкупа</h2>
        <div className="formula__equation">
          <span className="formula__term">
            <span className="digits">{mass}</span>
            <small>чистого металла</small>
          </span>
          <span className="formula__operator">×</span>
          <span className="formula__term">
            <Live className="digits" value={rate}>
              {number(rate, 2)}
            </Live>
            <small>₽ за грамм, сейчас</small>
          </span>
          <span className="formula__operator">×</span>
          <span className="formula__term">
            (1 − <span className="digits">{number(discountBp / 10_000, 3)}</span>)
            <small>
              дисконт «Георгия», {percent(discountBp)}
              {nbsp}%
            </small>
          </span>
          <span className="formula__operator">=</span>
          <span className="formula__term formula__result">
            <Live className="digits" value={buyback}>
              {number(buyback / 100)}
            </Live>
            <small>₽ на карту в день сделки</small>
          </span>
        </div>
        <div className="formula__foot">
          <p>
            Выкупаем инвестиционные и памятные монеты из золота и серебра: отечественные и иностранные, купленные у нас и не у нас. Вы
            соглашаетесь или забираете монеты — без платы за оценку.
          </p>
          <ButtonLink variant="line" to="/coin-buyback">
            Как продать монету
          </ButtonLink>
        </div>
      </div>
    </section>
  );
}
