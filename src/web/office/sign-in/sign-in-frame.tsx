import { useEffect, useRef, type ReactNode } from "react";
import { Icon } from "../ui/icon.tsx";

/** The page before the office: sign-in and invitations. A new title has the focus: the form that had it is gone. */
export function SignInFrame({ title, children }: { title: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(title);
  useEffect(() => {
    if (title !== shown.current) heading.current?.focus();
    shown.current = title;
  }, [title]);
  return (
    <div className="sign-in-frame">
      <header className="top-bar">
        <span className="logo">
          <Icon name="mark" className="logo__mark" />
          <span>Чекан</span>
        </span>
      </header>
      <main className="sign-in-frame__inside" id="main">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {children}
      </main>
      <footer className="sign-in-frame__foot">
        <span>Пять неверных попыток закрывают вход на 15 минут.</span>
        <span>Сеанс кончается через 8 часов без дела и через 12 в любом случае.</span>
      </footer>
    </div>
  );
}
