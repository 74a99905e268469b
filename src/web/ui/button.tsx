import type { ButtonHTMLAttributes } from "react";
import { Link, type LinkProps } from "react-router";

type Look = { look?: "gold" | "line"; small?: boolean };
const classes = ({ look = "gold", small }: Look, more?: string): string =>
  ["button", `button--${look}`, small && "button--small", more].filter(Boolean).join(" ");

export function Button({ look, small, className, type = "button", ...rest }: Look & ButtonHTMLAttributes<HTMLButtonElement>) {
  return <button type={type} className={classes({ look, small }, className)} {...rest} />;
}

/** A link that looks like a button. It stays a link for screen readers and for opening in a new tab. */
export function ButtonLink({ look, small, className, ...rest }: Look & LinkProps) {
  return <Link className={classes({ look, small }, className)} {...rest} />;
}
