import { Autocomplete } from "@base-ui/react/autocomplete";
import { useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { Framed } from "./field.tsx";

type SearchFieldProps<T> = {
  label: string;
  hint?: string | undefined;
  error?: string | null | undefined;
  text: string;
  /** What the text finds; empty: the list is closed. */
  found: readonly T[];
  keyOf: (item: T) => string | number;
  nameOf: (item: T) => string;
  /** Beside the name: the number, the price. */
  noteOf: (item: T) => ReactNode;
  isDisabled?: (item: T) => boolean;
  /** Enter or an arrow key without a list. Absent: the text is searched while it is typed. */
  onSearch?: () => void;
  onText: (text: string) => void;
  onChoose: (item: T) => void;
};

/**
 * A field with what its text finds in a list under it. By keyboard: arrows walk through the list, Enter chooses, Escape closes the list. The
 * text is no entry of the form around it: it does not count as unsaved, and Enter does not submit the form. The list is part of the page
 * (`inline`): a popup of Base UI hides everything else from assistive technology, also the label of the field.
 */
export function SearchField<T>(props: SearchFieldProps<T>) {
  const { label, hint, error, text, found, keyOf, nameOf, noteOf, isDisabled, onSearch, onText, onChoose } = props;
  /** The list that was closed by Escape or by leaving the field. */
  const [closed, setClosed] = useState<readonly T[] | null>(null);
  const isAtItem = useRef(false);
  const isOpen = found.length > 0 && closed !== found;
  const close = () => setClosed(found);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && isOpen) {
      // Not the panel around the field.
      event.preventDefault();
      event.stopPropagation();
      close();
    } else if (event.key === "ArrowDown" && !isOpen) {
      event.preventDefault();
      if (found.length > 0) setClosed(null);
      else onSearch?.();
    } else if (event.key === "Enter" && !(isOpen && isAtItem.current)) {
      event.preventDefault();
      onSearch?.();
    }
  };
  return (
    <Autocomplete.Root<T>
      inline
      items={found}
      mode="none"
      value={text}
      open={isOpen}
      itemToStringValue={nameOf}
      onItemHighlighted={(item) => {
        isAtItem.current = item !== undefined;
      }}
      onOpenChange={(opens) => setClosed(opens ? null : found)}
      onValueChange={(typed, { reason }) => {
        if (reason !== "item-press") onText(typed);
      }}
    >
      <Framed label={label} hint={hint} error={error}>
        {(tie) => (
          <div className="search-field">
            <Autocomplete.Input
              {...tie}
              className="input"
              data-passing
              aria-expanded={isOpen}
              autoComplete="off"
              onKeyDown={onKeyDown}
              onBlur={close}
            />
            {isOpen ? (
              // A press keeps the focus in the field, which would close the list before the press is done.
              <Autocomplete.List className="menu search-field__list" aria-label="Нашлись" onMouseDown={(event) => event.preventDefault()}>
                {(item: T) => (
                  <Autocomplete.Item
                    key={keyOf(item)}
                    className="menu__item"
                    value={item}
                    disabled={isDisabled?.(item) ?? false}
                    onClick={() => onChoose(item)}
                  >
                    <span>{nameOf(item)}</span>
                    <span className="muted">{noteOf(item)}</span>
                  </Autocomplete.Item>
                )}
              </Autocomplete.List>
            ) : null}
          </div>
        )}
      </Framed>
      <p className="visually-hidden" role="status">
        {isOpen ? `Найдено: ${found.length}. Выбрать стрелками` : ""}
      </p>
    </Autocomplete.Root>
  );
}
