import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Form, Link, useNavigate } from "react-router";
import type { SuggestView } from "#contract/public/catalog.ts";
import { counted, nbsp, number } from "#kit/format.ts";
import { Icon } from "../../../ui/icon.tsx";
import { clearRecent, recentEntries, addRecent } from "./recent-history.ts";
import { useSuggestions } from "./use-suggestions.ts";

/** A longer query is cut. */
export const maxQueryLength = 120;

type Option = { href: string; text: string; group: string; picture?: string; note?: ReactNode };

/**
 * A search field that suggests coins, sections and articles while text is typed, and recent queries while it is empty. Arrow keys move
 * through the suggestions, Enter opens the active one or searches, Escape closes them. Without scripts it is a plain form.
 */
export function SearchBox({ query = "", isInDialog = false }: { query?: string; isInDialog?: boolean }) {
  const [text, setText] = useState(query);
  const [isOpen, setOpen] = useState(false);
  const [past, setPast] = useState<string[]>([]);
  const [active, setActive] = useState(-1);
  const input = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  const listId = useId();
  /** The text that was last sent or filled from the address; text typed while the answer is loading is not replaced. */
  const settled = useRef(query);
  useEffect(() => {
    const before = settled.current;
    settled.current = query;
    setText((now) => (now === before ? query : now));
  }, [query]);
  const { offer, forQuery } = useSuggestions(isOpen ? text : "");

  const isPast = text.trim() === "";
  const options = isPast
    ? past.map((each) => ({ href: hrefOf(each), text: each, group: "Вы искали" }))
    : forQuery === ""
      ? []
      : optionsOf(offer);
  const isShown = isOpen && options.length > 0;
  const chosen = isShown ? options[active] : undefined;

  function open() {
    setPast(recentEntries("queries"));
    setActive(-1);
    setOpen(true);
  }
  function leave() {
    setOpen(false);
    setActive(-1);
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (!isShown) return open();
      // One position more than there are options: the field itself, between the last and the first.
      const positions = options.length + 1;
      setActive(((active + 1 + (event.key === "ArrowDown" ? 1 : -1) + positions) % positions) - 1);
    } else if (event.key === "Escape" && isShown) {
      event.preventDefault();
      event.stopPropagation(); // the dialog around it stays open
      leave();
    } else if (event.key === "Enter" && chosen) {
      event.preventDefault();
      leave();
      void navigate(chosen.href);
    }
  }

  return (
    <Form
      action="/search"
      role="search"
      className={`seek${isInDialog ? " seek--inside" : ""}`}
      onSubmit={() => {
        settled.current = text;
        if (text.trim() !== "") addRecent("queries", text.replace(/\s+/g, " ").trim());
        leave();
      }}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) leave();
      }}
    >
      <div className="seek__row">
        <label>
          <span className="visually-hidden">Что найти</span>
          <input
            ref={input}
            type="search"
            name="q"
            value={text}
            placeholder="Георгий Победоносец, четверть унции, 2025…"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck="false"
            enterKeyHint="search"
            maxLength={maxQueryLength}
            data-autofocus={isInDialog || undefined}
            role="combobox"
            aria-expanded={isShown}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={chosen ? `${listId}-${active}` : undefined}
            onChange={(event) => {
              setText(event.target.value);
              setOpen(true);
              setActive(-1);
            }}
            onFocus={open}
            onClick={() => {
              if (!isOpen) open();
            }}
            onKeyDown={onKeyDown}
          />
        </label>
        <button className="button button--gold" type="submit">
          <Icon name="search" />
          Найти
        </button>
      </div>
      <div className="seek__list" hidden={!isShown}>
        <div role="listbox" id={listId} aria-label="Подсказки">
          {isShown &&
            groupsOf(options).map(([group, members]) => (
              <div key={group} role="group" aria-label={group}>
                <p className="seek__group" aria-hidden="true">
                  {group}
                </p>
                {members.map(({ option, at }) => (
                  <Link
                    key={option.href}
                    id={`${listId}-${at}`}
                    role="option"
                    aria-selected={at === active}
                    tabIndex={-1}
                    className={`seek__option${at === active ? " is-on" : ""}`}
                    to={option.href}
                    onClick={leave}
                  >
                    {option.picture && <img src={option.picture} width="44" height="44" alt="" />}
                    <span>{option.text}</span>
                    {option.note && <b className="digits">{option.note}</b>}
                  </Link>
                ))}
              </div>
            ))}
        </div>
        {isShown && isPast && (
          <button
            className="seek__forget"
            type="button"
            onClick={() => {
              clearRecent("queries");
              setPast([]);
              input.current?.focus();
            }}
          >
            Забыть запросы
          </button>
        )}
      </div>
      <p className="visually-hidden" role="status">
        {isShown && !isPast ? `${counted(options.length, suggestionForms)}, листайте стрелками` : ""}
      </p>
    </Form>
  );
}

const suggestionForms = ["подсказка", "подсказки", "подсказок"] as const;
/** The address of a search. `exact`: without spelling correction. */
export const hrefOf = (query: string, page = 1, exact = false): string =>
  `/search?q=${encodeURIComponent(query)}${exact ? "&exact=1" : ""}${page > 1 ? `&page=${page}` : ""}`;

const optionsOf = ({ products, categories, articles }: SuggestView): Option[] => [
  ...products.map(({ slug, title, image, price, inStock }) => ({
    href: `/products/${slug}`,
    text: title,
    group: "Монеты",
    picture: image.replace(/-320\.webp$/, "-160.webp"),
    note: inStock ? (price === null ? null : `${number(price)}${nbsp}₽`) : "нет в наличии",
  })),
  ...categories.map(({ title, href }) => ({ href, text: title, group: "Разделы" })),
  ...articles.map(({ title, href }) => ({ href, text: title, group: "Статьи" })),
];

/** Options by group, each with its index among all. */
const groupsOf = (options: readonly Option[]) => [
  ...Map.groupBy(
    options.map((option, at) => ({ option, at })),
    ({ option }) => option.group,
  ),
];
