import type { ReactNode } from "react";
import { Link } from "react-router";

type TextItem = { id: number; href: string; title: string; lead: string };
type LessonItem = TextItem & { note: ReactNode };

/** Numbered texts, each with a remark below its lead. */
export function LessonList({ items }: { items: readonly LessonItem[] }) {
  return (
    <ol className="lessons">
      {items.map(({ id, href, title, lead, note }) => (
        <li key={id}>
          <Link to={href}>
            <h2>{title}</h2>
            <p>{lead}</p>
            {note}
          </Link>
        </li>
      ))}
    </ol>
  );
}

type PictureItem = TextItem & { picture: string; eyebrow: ReactNode };

/** Texts with a picture each; the first picture is loaded at once. */
export function PictureList({
  items,
  height,
  hasLargeFirst = false,
}: {
  items: readonly PictureItem[];
  height: number;
  hasLargeFirst?: boolean;
}) {
  return (
    <ul className="notes">
      {items.map(({ id, href, title, lead, picture, eyebrow }, index) => (
        <li key={id} className={index === 0 && hasLargeFirst ? "note note--first" : "note"}>
          <Link to={href}>
            <span className="note__picture">
              <img src={picture} width="1200" height={height} alt="" loading={index === 0 ? "eager" : "lazy"} />
            </span>
            <span className="note__text">
              {eyebrow ? <span className="eyebrow">{eyebrow}</span> : null}
              <h2>{title}</h2>
              <p>{lead}</p>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
