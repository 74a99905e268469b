import { useEffect, type ReactNode } from "react";

/** The head of a screen: its name, which is also the title of the tab, one line of facts, and the actions. */
export function PageHead({ title, facts, actions }: { title: string; facts?: ReactNode; actions?: ReactNode }) {
  useEffect(() => {
    document.title = `${title} — Чекан, служебная часть`;
  }, [title]);
  return (
    <div className="head">
      <h1>{title}</h1>
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
