import { Link as RouterLink, type LinkProps } from "react-router";

/** Addresses in the shop that the router's link prints as they are: canonical, of characters that are not encoded. */
const plainAddress = /^\/(?:[\w-]+(?:\/[\w-]+)*)?(?:\?[\w=&%.,~+-]+)?(?:#[\w-]+)?$/;

/**
 * The link to another page. On the server it prints the markup of the router's link without its contexts, resolved paths and handlers: a
 * listing has a hundred links, and the router's link takes five times as long as an element.
 */
export const Link: typeof RouterLink = import.meta.env.SSR ? (PrintedLink as typeof RouterLink) : RouterLink;

function PrintedLink(props: LinkProps) {
  const { to, discover = "render", prefetch = "none", mask, reloadDocument, ...rest } = props;
  const isPlain = typeof to === "string" && plainAddress.test(to) && discover === "render" && prefetch === "none";
  if (!isPlain || mask !== undefined || reloadDocument) return <RouterLink {...props} />;
  const { replace: _replace, state: _state, relative: _relative, preventScrollReset: _scroll, ...more } = rest;
  const { viewTransition: _transition, defaultShouldRevalidate: _revalidate, children, ...attributes } = more;
  return (
    <a {...attributes} href={to} data-discover="true">
      {children}
    </a>
  );
}
