import type { ButtonHTMLAttributes } from "react";
import type { LinkProps } from "react-router";
import { Link } from "./link.tsx";

type ButtonStyle = { variant?: "gold" | "line"; small?: boolean };
const classes = ({ variant: look = "gold", small }: ButtonStyle, more?: string): string =>
  ["button", `button--${look}`, small && "button--small", more].filter(Boolean).join(" ");

export function Button({
  variant: look,
  small,
  className,
  type = "button",
  ...rest
}: ButtonStyle & ButtonHTMLAttributes<HTMLButtonElement>) {
  return <button type={type} className={classes({ variant: look, small }, className)} {...rest} />;
}

/** A link that looks like a button. It stays a link for screen readers and for opening in a new tab. */
export function ButtonLink({ variant: look, small, className, ...rest }: ButtonStyle & LinkProps) {
  return <Link className={classes({ variant: look, small }, className)} {...rest} />;
}
