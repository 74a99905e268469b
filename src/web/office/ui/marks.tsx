import type { ReactNode } from "react";

/** The warning triangle. Always with a text beside it. */
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

/** A warning within a line: «чек не ушёл». */
export const Trouble = ({ children }: { children: ReactNode }) => (
  <span className="with-mark warn">
    <WarnMark />
    {children}
  </span>
);

/** The opposite of `Trouble`: something that is in order. */
export const Good = ({ children }: { children: ReactNode }) => (
  <span className="with-mark good">
    <DoneMark />
    {children}
  </span>
);

/** Why a call was refused, where no field is to blame: above what could not be read or stored, which stays with what is typed. */
export const Refusal = ({ text }: { text: string }) => (
  <Notice tone="warn">
    <p>{text}</p>
  </Notice>
);

/** A remark above the content, with a mark and a rule. Screen readers announce `tone: "warn"` when it appears. */
export function Notice({ tone, children }: { tone?: "warn"; children: ReactNode }) {
  return (
    <div className={tone ? "notice notice--warn" : "notice"} role={tone ? "alert" : undefined}>
      <WarnMark />
      <div>{children}</div>
    </div>
  );
}
