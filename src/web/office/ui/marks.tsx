import type { ReactNode } from "react";

/** The triangle of trouble. Always with a word beside it. */
export const WarnMark = () => (
  <svg className="mark" viewBox="0 0 12 12" aria-hidden="true">
    <path d="M6 1.2 11.2 10.8H.8zM6 4.8v2.8M6 9.1v.2" />
  </svg>
);

export const DoneMark = () => (
  <svg className="mark" viewBox="0 0 12 12" aria-hidden="true">
    <path d="m1.5 6.3 3 3 6-7" />
  </svg>
);

/** Trouble in words: «чек не ушёл». */
export const Trouble = ({ children }: { children: ReactNode }) => (
  <span className="with-mark warn">
    <WarnMark />
    {children}
  </span>
);

export const Good = ({ children }: { children: ReactNode }) => (
  <span className="with-mark good">
    <DoneMark />
    {children}
  </span>
);

/** A remark over the content: without a box, with a mark and a rule above it. `tone: "warn"` is read out when it appears. */
export function Notice({ tone, children }: { tone?: "warn"; children: ReactNode }) {
  return (
    <div className={tone ? "notice notice--warn" : "notice"} role={tone ? "alert" : undefined}>
      <WarnMark />
      <div>{children}</div>
    </div>
  );
}
