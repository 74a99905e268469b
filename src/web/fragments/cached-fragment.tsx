import { createContext, createElement, type ComponentType, type HTMLAttributes, useContext } from "react";

/** The fragments of one render on the server. */
export type RenderFragments = {
  /** The HTML of a component with these props; undefined: not cached, so the page renders it. */
  find(of: ComponentType<never>, props: object): string | undefined;
};

/** Set during a render on the server. Without it nothing is cached. */
export const Fragments = /* @__PURE__ */ createContext<RenderFragments | null>(null);

/** The browser's build caches nothing. */
const useFragments: () => RenderFragments | null = import.meta.env.SSR ? () => useContext(Fragments) : () => null;

type CachedFragmentProps<P extends object> = Omit<HTMLAttributes<HTMLElement>, "children" | "dangerouslySetInnerHTML"> & {
  as: "div" | "footer" | "label" | "li" | "p" | "section" | "ul";
  of: ComponentType<P>;
  props: P;
  /** False: the server renders it for each page. */
  isCached?: boolean;
};

/**
 * An element with one component in it, whose HTML the server renders once for equal props and puts into later pages as a text. The component
 * must depend on nothing but its props, which must be JSON: no context but the router's for links, no `useId`, no request. In the browser
 * it is an ordinary element with an ordinary child, and hydration finds the same markup. See docs/decisions/0099.
 */
export function CachedFragment<P extends object>({ as: tag, of, props, isCached = true, ...attributes }: CachedFragmentProps<P>) {
  const fragments = useFragments();
  const html = isCached ? fragments?.find(of as ComponentType<never>, props) : undefined;
  return html === undefined
    ? createElement(tag, attributes, createElement(of, props))
    : createElement(tag, { ...attributes, dangerouslySetInnerHTML: { __html: html } });
}
