import { number } from "#kit/format.ts";
import { Icon } from "./icon.tsx";
import { Link } from "./link.tsx";

/** The page numbers to print: first, last, the current page and its neighbours; `null` is a gap. */
export function pageNumbers(page: number, pages: number): (number | null)[] {
  const shown = [...new Set([1, 2, page - 1, page, page + 1, pages])]
    .filter((each) => each >= 1 && each <= pages && (each !== 2 || pages <= 7 || page <= 4))
    .sort((a, b) => a - b);
  return shown.flatMap((each, index) => {
    const before = shown[index - 1];
    if (before === undefined || each - before === 1) return [each];
    return each - before === 2 ? [each - 1, each] : [null, each];
  });
}

/** `first`: the pages from this one to `page` are on the screen. */
export function Pagination({
  page,
  first = page,
  pages,
  total,
  pageSize,
  hrefOf,
}: {
  page: number;
  first?: number;
  pages: number;
  total: number;
  pageSize: number;
  hrefOf: (page: number) => string;
}) {
  if (pages <= 1) return null;
  return (
    <nav className="pager" aria-label="Страницы">
      {first > 1 ? (
        <Link className="pager__link" to={hrefOf(first - 1)} rel="prev">
          <Icon name="left" />
          Назад
        </Link>
      ) : (
        <span className="pager__link pager__link--none" />
      )}
      <ol>
        {pageNumbers(page, pages).map((each, index) => (
          <li key={each ?? `gap-${index}`}>
            {each === null ? (
              <span aria-hidden="true">…</span>
            ) : each === page ? (
              <span aria-current="page">
                <span className="visually-hidden">Страница </span>
                {each}
              </span>
            ) : (
              <Link to={hrefOf(each)}>
                <span className="visually-hidden">Страница </span>
                {each}
              </Link>
            )}
          </li>
        ))}
      </ol>
      <p className="digits">
        {number((first - 1) * pageSize + 1)}–{number(Math.min(total, page * pageSize))} из {number(total)}
      </p>
      {page < pages ? (
        <Link className="pager__link" to={hrefOf(page + 1)} rel="next">
          Дальше <Icon name="right" />
        </Link>
      ) : (
        <span className="pager__link pager__link--none" />
      )}
    </nav>
  );
}
