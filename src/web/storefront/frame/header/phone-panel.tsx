import { useState } from "react";
import { CachedFragment } from "../../../fragments/cached-fragment.tsx";
import { Icon } from "../../../ui/icon.tsx";
import type { FrameData } from "../frame-data.ts";

/** The phone of the wide header: a press calls; hover or focus shows hours and messengers. */
export function PhonePanel({ shop }: { shop: FrameData["shop"] }) {
  const [isDismissed, setDismissed] = useState(false);
  const [phone] = shop.phones;
  if (!phone) return null;
  return (
    <div
      className={`call-us${isDismissed ? " is-dismissed" : ""}`}
      role="group"
      aria-label="Телефоны и мессенджеры"
      onKeyDown={(event) => {
        if (event.key === "Escape") setDismissed(true);
      }}
      onPointerEnter={() => setDismissed(false)}
      onFocus={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setDismissed(false);
      }}
    >
      <a className="tool" href={phone.href} aria-label={`Позвонить: ${phone.display}`}>
        <Icon name="phone" />
      </a>
      <CachedFragment as="div" className="call-us__panel" of={Numbers} props={{ shop }} />
    </div>
  );
}

function Numbers({ shop }: { shop: FrameData["shop"] }) {
  return (
    <>
      <ul>
        {shop.phones.map(({ display, href }) => (
          <li key={href}>
            <a className="call-us__phone digits" href={href}>
              {display}
            </a>
          </li>
        ))}
      </ul>
      <p>Поддержка сайта: добавочный {shop.supportExtension}</p>
      <p>
        {shop.hours.map((line) => (
          <span key={line}>
            {line}
            <br />
          </span>
        ))}
      </p>
      <p>
        <a href={`mailto:${shop.email}`}>{shop.email}</a>
      </p>
      <Messengers items={shop.messengers.slice(0, 2)} />
    </>
  );
}

function Messengers({ items }: { items: FrameData["shop"]["messengers"] }) {
  return (
    <ul className="messengers" aria-label="Мессенджеры">
      {items.map(({ id, title, href }) => (
        <li key={href}>
          <a className="tool" href={href} aria-label={title} rel="noreferrer" target="_blank">
            <Icon name={id === "telegram" ? "send" : "chat"} />
          </a>
        </li>
      ))}
    </ul>
  );
}
