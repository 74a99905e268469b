import { useEffect, useRef, type ReactNode } from "react";
import { useLocation } from "react-router";

/** Whether another screen was shown before: Back leads to the first one, too. */
let hasMoved = false;

/**
 * The head of a screen: its name, which is also the title of the tab, one line of facts, and the actions. After a link whose screen is gone
 * the name has the focus: otherwise Tab would begin at the top of the document, and a screen reader would say nothing.
 */
export function PageHead({ title, facts, actions }: { title: string; facts?: ReactNode; actions?: ReactNode }) {
  useEffect(() => {
    document.title = `${title} — Чекан, служебная часть`;
  }, [title]);
  const name = useRef<HTMLHeadingElement>(null);
  const { key } = useLocation();
  useEffect(() => {
    hasMoved ||= key !== "default";
    if (hasMoved && document.activeElement === document.body) name.current?.focus({ preventScroll: true });
  }, [key]);
  return (
    <div className="head">
      <h1 ref={name} tabIndex={-1}>
        {title}
      </h1>
      {facts ? <p className="soft">{facts}</p> : null}
      {actions ? <div className="head__actions">{actions}</div> : null}
    </div>
  );
}

/** A part of a screen with a heading and a rule above it. */
export function Section({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className="section">
      <div className="section__head">
        <h2>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
