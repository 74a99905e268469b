import { Dialog } from "@base-ui/react/dialog";
import { useEffect, useId, useRef, useState, type KeyboardEvent } from "react";
import { useNavigate } from "react-router";
import { isAllowed } from "../area.ts";
import { useStaff, type Me } from "../session.ts";
import { Icon } from "../ui/icon.tsx";
import { showOverlay, useOverlay } from "./overlays.ts";
import type { Hit, HitGroup, SearchProvider } from "./search-provider.ts";
import { searchProviders } from "./search.ts";

/** Finds screens, actions and data: Ctrl K from anywhere. */
export function Palette() {
  const isOpen = useOverlay() === "palette";
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => showOverlay(open ? "palette" : null)}>
      <Dialog.Portal>
        <Dialog.Backdrop className="veil" />
        <Dialog.Popup className="palette" aria-label="Поиск и действия">
          <Query />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Query() {
  const [text, setText] = useState("");
  const [position, setPosition] = useState(0);
  const staff = useStaff();
  const navigate = useNavigate();
  const listId = useId();
  const groups = useFound(text, staff);
  const hits = groups.flatMap((group) => group.hits);
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
      open(hits[chosen], event.ctrlKey || event.metaKey);
    }
  };
  useEffect(() => {
    const id = optionId(hits[chosen]);
    if (id) document.getElementById(id)?.scrollIntoView({ block: "nearest" });
  });
  return (
    <>
      <div className="palette__query">
        <Icon name="search" />
        <input
          role="combobox"
          aria-label="Искать"
          aria-expanded={hits.length > 0}
          aria-controls={listId}
          aria-activedescendant={optionId(hits[chosen])}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
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
        {hits.length === 0 ? <p className="palette__none">Ничего не нашлось</p> : null}
      </div>
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
        <span role="status">{hits.length > 0 ? `Найдено: ${hits.length}` : ""}</span>
      </p>
    </>
  );
}

/** The answers of all providers, in their order; each group shows as soon as it is there. */
function useFound(text: string, staff: Me): HitGroup[] {
  const [found, setFound] = useState<Readonly<Record<string, HitGroup[]>>>({});
  const latest = useRef(staff);
  useEffect(() => {
    latest.current = staff;
  });
  useEffect(() => {
    const stop = new AbortController();
    setFound({});
    for (const provider of providersFor(text, latest.current)) {
      void Promise.resolve(provider.find(text.trim(), latest.current, stop.signal)).then((groups) => {
        if (!stop.signal.aborted) setFound((before) => ({ ...before, [provider.id]: groups }));
      });
    }
    return () => stop.abort();
  }, [text]);
  return searchProviders.flatMap(({ id }) => found[id] ?? []);
}

/** `>` in front asks for screens and actions only. */
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
