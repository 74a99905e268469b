import { Suspense } from "react";
import { millimetres, nbsp, number, percent } from "#kit/format.ts";
import { coinImage, coinSrcSet } from "#shop/catalog/image.ts";
import { drawingsNote } from "../../../texts.ru.ts";
import { Icon } from "../../../ui/icon.tsx";
import { Link } from "../../../ui/link.tsx";
import { Live, Price } from "../../../ui/price.tsx";
import { MainPicture } from "../../../first-view/main-picture.tsx";
import { CachedFragment } from "../../../fragments/cached-fragment.tsx";
import { CartButton, ListButton } from "./card-buttons.tsx";
import { type ShownCard, plateShare, trueShare } from "./card-view.ts";

/**
 * A grid of coin cards. When the list is the page itself (headings are `h2`), each card has an anchor, and a note below the grid says that
 * the pictures are drawings. The pages with cards import `card.css`: this module is part of the frame's script, which would bring the style
 * sheet to all pages.
 */
export function CoinGrid({
  cards,
  columns = 3,
  heading,
  eager = 0,
  isRows = false,
}: {
  cards: readonly ShownCard[];
  columns?: 3 | 4;
  heading: "h2" | "h3";
  eager?: number;
  isRows?: boolean;
}) {
  return (
    <>
      <ul className={`grid${columns === 4 ? " grid--four" : ""}${isRows ? " grid--rows" : ""}`}>
        {cards.map((card, index) => (
          <CoinCard
            key={card.id}
            card={card}
            id={heading === "h2" ? `place-${index + 1}` : undefined}
            heading={heading}
            isEager={index < eager}
          />
        ))}
      </ul>
      {heading === "h2" && cards.some(({ isDrawing }) => isDrawing) && <p className="grid__note">{drawingsNote}</p>}
    </>
  );
}

/** A coin card: the picture with its size below; the picture turns over under the pointer. */
function CoinCard({ card, id, heading, isEager }: { card: ShownCard; id: string | undefined; heading: "h2" | "h3"; isEager: boolean }) {
  const size = `plate-${plateShare(card.sizeMm)} true-size-${trueShare(card.sizeMm)}`;
  return (
    <CachedFragment
      as="li"
      id={id}
      className={`card card--${card.metal} ${size}${card.available <= 0 ? " is-sold-out" : ""}`}
      of={isEager ? CardContent : LaterCardContent}
      props={propsOf(card, heading, isEager)}
      isCached={!isEager}
    />
  );
}

type CardProps = { card: ShownCard; heading: "h2" | "h3"; isEager: boolean };

/** Props of cards that never change (`shownCards`), which do not change either, so that the key of their HTML is made once. */
const frozen = /* @__PURE__ */ new WeakMap<ShownCard, Partial<Record<string, CardProps>>>();

function propsOf(card: ShownCard, heading: "h2" | "h3", isEager: boolean): CardProps {
  if (isEager || !Object.isFrozen(card)) return { card, heading, isEager };
  const known = frozen.get(card) ?? {};
  if (!known[heading]) frozen.set(card, known);
  return (known[heading] ??= Object.freeze({ card, heading, isEager }));
}

/** `isEager`: the document may contain the picture, so that the card is not the same on every page, but its other parts are. */
function CardContent({ card, heading: Heading, isEager }: CardProps) {
  return (
    <>
      <CachedFragment as="div" className="card__head" of={CardHead} props={{ card }} isCached={isEager} />
      <Link className="card__link" to={`/products/${card.slug}`}>
        <span className="card__plate">
          <span className="card__turn">
            <CoinPicture card={card} side="reverse" alt={card.alt ?? `${card.title}, реверс`} isEager={isEager} />
            <CoinPicture card={card} side="obverse" alt="" isEager={false} />
          </span>
          <span className="card__dimension dimension">
            <span className="digits">{card.sizeMm === null ? "размер не указан" : millimetres(card.sizeMm)}</span>
          </span>
        </span>
        <Heading className="card__name">{card.name}</Heading>
      </Link>
      <p className="card__subtitle">{card.sub}</p>
      <CachedFragment as="div" className="card__buy" of={CardBuy} props={{ card }} isCached={isEager} />
      <CachedFragment as="p" className="card__back" of={CardBack} props={{ card }} isCached={isEager} />
    </>
  );
}

/**
 * A card in a boundary of its own: React hydrates it after the rest of the page, or at once when it is pressed, so that what is on the first
 * screen answers earlier.
 */
const LaterCardContent = (props: CardProps) => (
  <Suspense>
    <CardContent {...props} />
  </Suspense>
);

const CardHead = ({ card }: { card: ShownCard }) => (
  <>
    <span className="card__metal">
      <i />
      {card.sign}
      <span className="card__mass">{card.mass}</span>
      {card.available === 1 && <span className="card__left">последняя</span>}
    </span>
    <span className="card__tools">
      <ListButton list="compare" id={card.id} title={card.title} />
      <ListButton list="wishlist" id={card.id} title={card.title} />
    </span>
  </>
);

function CardBuy({ card }: { card: ShownCard }) {
  const isOut = card.available <= 0;
  return (
    <>
      <div>
        <CardPrice card={card} />
        <p className="card__reason">
          {isOut ? (
            <>
              <span>Нет в наличии</span>
              <span>последняя цена</span>
            </>
          ) : (
            <>
              {card.oldPrice !== null && (
                <s>
                  <Price amount={card.oldPrice} />
                </s>
              )}
              <PriceBasis card={card} />
            </>
          )}
        </p>
      </div>
      {isOut || card.price === null ? (
        <Link className="card-button card-button--wait" to={`/products/${card.slug}`} aria-label={`Подробнее: ${card.title}`}>
          <Icon name="right" />
        </Link>
      ) : (
        <CartButton id={card.id} title={card.title} available={card.available} />
      )}
    </>
  );
}

const CardBack = ({ card }: { card: ShownCard }) => (
  <>
    {card.buyback === null ? (
      "Обратно не выкупаем"
    ) : (
      <>
        <span>{card.available <= 0 ? "Выкупаем и сейчас" : "Выкупаем за"}</span>{" "}
        <Live value={card.buyback}>
          <Price amount={card.buyback} />
        </Live>
      </>
    )}
    {card.spreadBp !== null && (
      <span className="card__spread">
        спред <span className="digits">{number(card.spreadBp / 100, 1)}</span>
        {nbsp}%
      </span>
    )}
  </>
);

function CardPrice({ card }: { card: ShownCard }) {
  if (card.price === null) return <p className="card__price card__price--none">Цена по запросу</p>;
  return (
    <Live as="p" className="card__price" value={card.price}>
      {card.isLowest && `от${nbsp}`}
      <Price amount={card.price} />
    </Live>
  );
}

/** Bullion: premium to the metal and price per gram. Memorable coins: mintage and stock. */
function PriceBasis({ card }: { card: ShownCard }) {
  if (card.kind === "bullion") {
    return (
      <>
        {card.premiumBp !== null && (
          <span>
            премия <b className="digits">{percent(card.premiumBp)}</b>
            {nbsp}%
          </span>
        )}
        {card.perGram !== null && (
          <span>
            <b className="digits">{number(Math.ceil(card.perGram / 100))}</b>
            {nbsp}₽/г
          </span>
        )}
      </>
    );
  }
  return (
    <>
      <span>
        {card.mintage === null ? (
          card.quality
        ) : (
          <>
            тираж <b className="digits">{number(card.mintage)}</b>
          </>
        )}
      </span>
      <span>
        в{nbsp}наличии {number(card.available)}
      </span>
    </>
  );
}

function CoinPicture({ card, side, alt, isEager }: { card: ShownCard; side: "obverse" | "reverse"; alt: string; isEager: boolean }) {
  const attributes = { className: `coin coin--${card.metal}`, sizes: "(max-width: 767px) 44vw, 210px", decoding: "async" } as const;
  if (isEager) return <MainPicture {...attributes} alt={alt} picture={card.picture} side={side} width={320} inlineWidth={200} />;
  return (
    <img
      {...attributes}
      alt={alt}
      src={coinImage(card.picture, side, 320)}
      srcSet={coinSrcSet(card.picture, side)}
      width="320"
      height="320"
      loading="lazy"
    />
  );
}
