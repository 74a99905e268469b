import { Dialog } from "@base-ui/react/dialog";
import { useEffect, useId, useRef, useState, type KeyboardEvent, type RefObject } from "react";
import { useNavigate } from "react-router";
import { isAllowed } from "../../area.ts";
import { useStaff, type Me } from "../../session.ts";
import { Icon } from "../../ui/icon.tsx";
import { showOverlay, useOverlay } from "../frame/overlays.ts";
import { answered, begun, isWhole, mayOpen, type PaletteSearch, type PressedEnter } from "./palette-search.ts";
import type { Hit, SearchProvider } from "./search-provider.ts";
import { searchProviders } from "./search.ts";

/** Finds screens, actions and data: Ctrl K from anywhere. */
export function Palette() {
  const isOpen = useOverlay() === "palette";
  const field = useRef<HTMLInputElement>(null);
  // At once: the dialog itself moves the focus with the next frame, and what is typed before that would be lost.
  const focusField = () => {
    field.current?.focus();
    return false;
  };
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => showOverlay(open ? "palette" : null)}>
      <Dialog.Portal>
        <Dialog.Backdrop className="veil" />
        <Dialog.Popup className="palette" aria-label="Поиск и действия" initialFocus={focusField}>
          <Query field={field} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Query({ field }: { field: RefObject<HTMLInputElement | null> }) {
  const [text, setText] = useState("");
  const [position, setPosition] = useState(0);
  const staff = useStaff();
  const navigate = useNavigate();
  const listId = useId();
  const { search, repeat } = useSearch(text, staff);
  const enter = useRef<PressedEnter | null>(null);
  const groups = search.text === text ? searchProviders.flatMap(({ id }) => search.found[id] ?? []) : [];
  const hits = groups.flatMap((group) => group.hits);
  const isDone = isWhole(search, text);
  const chosen = Math.min(position, hits.length - 1);
  const optionId = (hit: Hit | undefined) => (hit ? `${listId}-${hit.id}` : undefined);
  const open = (hit: Hit | undefined, isBeside: boolean) => {
    if (!hit) return;
    showOverlay(null);
    if (isBeside || hit.path.startsWith("http")) window.open(hit.path, "_blank", "noopener");
    else void navigate(hit.path);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      if (hits.length > 0) setPosition((chosen + step + hits.length) % hits.length);
    } else if (event.key === "Enter") {
      event.preventDefault();
      const isBeside = event.ctrlKey || event.metaKey;
      if (!isDone) enter.current = { text, isBeside };
      else if (hits.length === 0 && search.refusal !== null) repeat();
      else open(hits[chosen], isBeside);
    }
  };
  // Enter was pressed before the server had answered.
  useEffect(() => {
    const waited = enter.current;
    if (waited === null || !mayOpen(search, text, waited)) return;
    enter.current = null;
    open(hits[chosen], waited.isBeside);
  });
  useEffect(() => {
    const id = optionId(hits[chosen]);
    if (id) document.getElementById(id)?.scrollIntoView({ block: "nearest" });
  });
  return (
    <>
      <div className="palette__query">
        <Icon name="search" />
        <input
          ref={field}
          role="combobox"
          aria-label="Искать"
          aria-expanded={hits.length > 0}
          aria-controls={listId}
          aria-activedescendant={optionId(hits[chosen])}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          placeholder="Заказ, телефон, монета, трек-номер"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setPosition(0);
          }}
          onKeyDown={onKeyDown}
        />
        <kbd>Esc</kbd>
      </div>
      <div className="palette__list" id={listId} role="listbox" aria-label="Найдено">
        {groups.map((group) => (
          <div key={group.title} role="group" aria-label={group.title}>
            <p className="palette__group" role="presentation">
              {group.title}
            </p>
            {group.hits.map((hit) => (
              <div
                key={hit.id}
                id={optionId(hit)}
                role="option"
                tabIndex={-1}
                aria-selected={hit === hits[chosen]}
                onMouseMove={() => setPosition(hits.indexOf(hit))}
                onClick={(event) => open(hit, event.ctrlKey || event.metaKey)}
                onKeyDown={onKeyDown}
              >
                <Icon name={hit.icon} />
                <span className="truncated">
                  <Marked text={hit.title} typed={text.replace(/^[>#]\s*/, "")} />{" "}
                  {hit.note ? <span className="muted">{hit.note}</span> : null}
                </span>
                <span>{hit.facts}</span>
                <span>{hit === hits[chosen] ? <kbd>Enter</kbd> : hit.cap ? <kbd>{hit.cap}</kbd> : null}</span>
              </div>
            ))}
          </div>
        ))}
      </div>
      {search.refusal !== null && isDone ? (
        <p className="palette__none" role="alert">
          {search.refusal}
        </p>
      ) : hits.length === 0 ? (
        <p className="palette__none">{isDone ? "Ничего не нашлось" : "Ищем…"}</p>
      ) : null}
      <p className="palette__foot">
        <span>
          Выбрать <kbd>↑</kbd> <kbd>↓</kbd>
        </span>
        <span>
          Рядом <kbd>Ctrl Enter</kbd>
        </span>
        <span>
          Экраны <kbd>&gt;</kbd>
        </span>
        <span role="status">{isDone ? (hits.length > 0 ? `Найдено: ${hits.length}` : "") : "Ищем…"}</span>
      </p>
    </>
  );
}

/** The answers of all providers to this text, each shown as soon as it arrives. `repeat` searches again. */
function useSearch(text: string, staff: Me): { search: PaletteSearch; repeat: () => void } {
  const [search, setSearch] = useState<PaletteSearch>(() => begun(text, ["begins"]));
  const [attempt, setAttempt] = useState(0);
  const latest = useRef(staff);
  useEffect(() => {
    latest.current = staff;
  });
  useEffect(() => {
    const stop = new AbortController();
    const providers = providersFor(text, latest.current);
    setSearch(
      begun(
        text,
        providers.map(({ id }) => id),
      ),
    );
    for (const provider of providers) {
      void Promise.resolve(provider.find(text.trim(), latest.current, stop.signal)).then((answer) => {
        if (!stop.signal.aborted) setSearch((before) => answered(before, provider.id, answer));
      });
    }
    return () => stop.abort();
  }, [text, attempt]);
  return { search, repeat: () => setAttempt(attempt + 1) };
}

/** The providers that search this text; after a leading `>` only screens and actions. */
const providersFor = (text: string, { grants }: Me): SearchProvider[] =>
  searchProviders.filter(({ id, permission }) => isAllowed(grants, permission) && (!text.startsWith(">") || id === "screens"));

/** The typed part of a title, underlined. */
function Marked({ text, typed }: { text: string; typed: string }) {
  const at = typed ? text.toLowerCase().indexOf(typed.toLowerCase()) : -1;
  if (at < 0) return <>{text}</>;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + typed.length)}</mark>
      {text.slice(at + typed.length)}
    </>
  );
}
