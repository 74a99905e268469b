import type { ButtonHTMLAttributes } from "react";
import type { LinkProps } from "react-router";
import { Link } from "./link.tsx";

type ButtonStyle = { variant?: "gold" | "line"; small?: boolean };
const classes = ({ variant = "gold", small }: ButtonStyle, more?: string): string =>
  ["button", `button--${variant}`, small && "button--small", more].filter(Boolean).join(" ");

/** A button; not a submit button unless `type` says so. */
export function Button({ variant, small, className, type = "button", ...rest }: ButtonStyle & ButtonHTMLAttributes<HTMLButtonElement>) {
  return <button type={type} className={classes({ variant, small }, className)} {...rest} />;
}

/** A link that looks like a button. It stays a link for screen readers and for opening in a new tab. */
export function ButtonLink({ variant, small, className, ...rest }: ButtonStyle & LinkProps) {
  return <Link className={classes({ variant, small }, className)} {...rest} />;
}
