import { clock, dayOfYear } from "#kit/format.ts";
import { Icon } from "../../../../ui/icon.tsx";
import type { ParcelView } from "./parcel-view.ts";

/** Where the parcel is according to the carrier; while the carrier does not answer, its last answer with the time of it. */
export function ParcelTracking({ parcel: { number, steps, isBehind, heardAt, note } }: { parcel: ParcelView }) {
  if (steps.length === 0 && number === null && note === null) return null;
  return (
    <section>
      <h2>Где посылка</h2>
      {note ? <p className="tracking__message">{note}</p> : null}
      {isBehind ? (
        <p className="tracking__message" role="status">
          Обновляется: СДЭК сейчас не отвечает
          {heardAt ? (
            <>
              , это было известно{" "}
              <span className="digits">
                {dayOfYear(heardAt)} в {clock(heardAt)}
              </span>
            </>
          ) : null}
          .
        </p>
      ) : null}
      <ol className="tracking">
        {steps.map(({ text, city, at }, index) => (
          <li key={`${index}${at.toISOString()}`}>
            <time dateTime={at.toISOString()} className="digits">
              {dayOfYear(at)}, {clock(at)}
            </time>
            <span>
              {text}
              {city ? <small>{city}</small> : null}
            </span>
          </li>
        ))}
      </ol>
      {number ? (
        <p>
          <a
            className="more"
            href={`https://www.cdek.ru/ru/tracking/?order_id=${encodeURIComponent(number)}`}
            rel="noopener noreferrer"
            target="_blank"
          >
            <span>
              Отследить в СДЭК, <span className="digits">{number}</span>
            </span>{" "}
            <Icon name="right" />
          </a>
        </p>
      ) : null}
    </section>
  );
}
