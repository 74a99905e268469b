import type { ReactNode } from "react";
import { Link } from "react-router";
import { clock, day, millimetres, nbsp, number, percent, priceText, weekday } from "#kit/format.ts";
import { coinImage, coinSrcSet } from "#shop/catalog/image.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Live, Price } from "../../ui/price.tsx";
import { MainPicture } from "../../first-view/main-picture.tsx";
import type { FrameData } from "../frame/frame-data.ts";
import { PriceRuler } from "../shared/price-ruler.tsx";
import type { BlockView, PlateCoin } from "./home-view.server.ts";

/** The blocks of the home page. Their words, coins and links are data: shop/content/site/parts.ts. */

/** The first screen. */
export function Hero({ title, lead, button, more, coin }: BlockView<"hero">) {
  return (
    <section className="hero">
      <div className="wrap">
        <div className="hero__inner">
          <div>
            <h1>{title}</h1>
            <p className="lead">{lead}</p>
            <div className="hero__actions">
              <ButtonLink to={button.href}>{button.text}</ButtonLink>
              <More link={more} />
            </div>
          </div>
          {coin && <Plate coin={coin} />}
        </div>
      </div>
    </section>
  );
}

/** The link of a block to more of its kind. */
function More({ link }: { link: { text: string; href: string } | null }) {
  return (
    link && (
      <Link className="more" to={link.href}>
        {`${link.text} `}
        <Icon name="right" />
      </Link>
    )
  );
}

/** A section with its head; without a lead only the title and the link. */
export function Section({
  title,
  lead,
  more,
  children,
}: {
  title: string;
  lead?: string;
  more: { text: string; href: string } | null;
  children?: ReactNode;
}) {
  return (
    <section className="section">
      <div className="wrap">
        <div className="section__head">
          <h2>{title}</h2>
          {lead !== undefined && <p className="lead">{lead}</p>}
          <More link={more} />
        </div>
        {children}
      </div>
    </section>
  );
}

/** What the shop promises, beside a picture. */
export function Promises({ title, picture, alt, caption, items }: BlockView<"promises">) {
  return (
    <section className="section">
      <div className="wrap promises">
        <figure className="promises__picture">
          <img src={picture} width="720" height="720" alt={alt} loading="lazy" />
          <figcaption>{caption}</figcaption>
        </figure>
        <div className="promises__list">
          <h2>{title}</h2>
          {items.map((each) => (
            <div className="promise" key={each.title}>
              <h3>{each.title}</h3>
              <p>{each.text}</p>
            </div>
          ))}
        </div>
      </div>
    </section>
  );
}

/** One article with a picture, and links to others. */
export function Reads({ title, more, lead, picture, reads }: BlockView<"articles">) {
  return (
    <Section title={title} more={more}>
      <div className="reads">
        <Link className="reads__lead" to={lead.href}>
          <span className="reads__picture">
            <img src={picture} width="960" height="540" alt="" loading="lazy" />
          </span>
          <h3>{lead.title}</h3>
          <p>{lead.lead}</p>
        </Link>
        <ul className="reads__list">
          {reads.map(({ href, title: name, mark }) => (
            <li key={href}>
              <Link to={href}>
                <h3>{name}</h3>
                <span className="digits">{mark}</span>
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </Section>
  );
}

/** The coin as a technical drawing: fineness, mass, mint, edge and diameter. */
function Plate({ coin }: { coin: PlateCoin }) {
  return (
    <figure className="plate">
      <Link className="plate__coin" to={`/products/${coin.slug}`}>
        <MainPicture
          className={`coin coin--${coin.metal}`}
          picture={coin.picture}
          side="reverse"
          width={640}
          inlineWidth={320}
          sizes="(max-width: 767px) 66vw, 440px"
          alt={coin.alt ?? `${coin.title}, реверс`}
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
          {`${coin.metalName} `}
          {coin.fineness}
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
export function Ruler({
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

/** Picture sizes by the row's pixels per millimetre, the same as `--mm` in home.css. */
const scaleSizes = (mm: number): string =>
  `(max-width: 767px) ${Math.ceil(mm * 2.3)}px, (max-width: 1023px) ${Math.ceil(mm * 4.5)}px, ${mm * 6}px`;

/** Coins of one design side by side, drawn to scale. */
export function SizeRow({ title, lead, more, label, coins }: BlockView<"sizes">) {
  return (
    <section className="section scale-section">
      <div className="wrap">
        <div className="scale-section__title">
          <h2>{title}</h2>
          <p className="lead">{lead}</p>
          <More link={more} />
        </div>
        <div className="row-scale" tabIndex={0} role="region" aria-label={label}>
          <div className="scale">
            <span className="scale__millimetres digits" aria-hidden="true">
              10{nbsp}мм
            </span>
            {coins.map(({ slug, picture, metal, diameterMm }) => (
              <Link
                key={slug}
                className={`scale__coin diameter-${Math.round(diameterMm)}`}
                to={`/products/${slug}`}
                tabIndex={-1}
                aria-hidden="true"
              >
                <img
                  className={`coin coin--${metal}`}
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
export function BuybackFormula({
  block: { title, coin, coinName, text, button },
  frame,
}: {
  block: BlockView<"formula">;
  frame: FrameData | undefined;
}) {
  const { mass, discountBp, buyback, metal } = coin;
  const rate = frame?.rates.find(({ code }) => code === (metal === "gold" ? "XAU_RUB" : "XAG_RUB"))?.value ?? null;
  if (buyback === null || discountBp === null || rate === null) return null;
  return (
    <section className="formula">
      <div className="wrap">
        <h2>{title}</h2>
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
              {`дисконт ${coinName}, `}
              {percent(discountBp)}
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
          <p>{text}</p>
          <ButtonLink variant="line" to={button.href}>
            {button.text}
          </ButtonLink>
        </div>
      </div>
    </section>
  );
}
