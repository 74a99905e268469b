import { useEffect, useRef } from "react";
import { fieldId, fieldTitles, listed, type FieldErrors } from "./order-errors.ts";

/** All mistakes at the top of the page; it receives focus each time an order is refused for them. */
export function ErrorSummary({ errors, tries }: { errors: FieldErrors; tries: number }) {
  const box = useRef<HTMLDivElement>(null);
  const all = listed(errors);
  useEffect(() => {
    if (tries > 0) box.current?.focus();
  }, [tries]);
  if (all.length === 0) return null;
  return (
    <div className="error-list" ref={box} tabIndex={-1} role="alert" aria-labelledby="wrongs-title">
      <h2 id="wrongs-title">Осталось поправить</h2>
      <ul>
        {all.map(([name, text]) => (
          <li key={name}>
            <a
              href={`#${fieldId(name)}`}
              onClick={(event) => {
                event.preventDefault();
                document.getElementById(fieldId(name))?.focus();
              }}
            >
              {fieldTitles[name]}
            </a>
            : {text}
          </li>
        ))}
      </ul>
    </div>
  );
}
