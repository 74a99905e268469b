import { createContext, createElement, type ComponentType, type SVGAttributes, useContext } from "react";

/** The fragments of one render on the server. */
export type RenderFragments = {
  /** The placeholder of the HTML of a component with these props. */
  placeholder(of: ComponentType<never>, props: object): string;
};

/** Set during a render on the server. Without it nothing is cached. */
export const Fragments = /* @__PURE__ */ createContext<RenderFragments | null>(null);

/** The browser's build caches nothing. */
const useFragments: () => RenderFragments | null = import.meta.env.SSR ? () => useContext(Fragments) : () => null;

type CachedFragmentProps<P extends object> = Omit<SVGAttributes<Element>, "children" | "dangerouslySetInnerHTML"> & {
  as: "div" | "fieldset" | "footer" | "header" | "label" | "li" | "p" | "section" | "svg" | "ul";
  of: ComponentType<P>;
  props: P;
  /** False: the server renders it for each page. */
  isCached?: boolean;
};

/**
 * An element with one component in it, whose HTML the server renders once for equal props and puts into all pages as bytes. The component
 * must depend on nothing but its props, which must be JSON: no context but the router's for links, no `useId`, no request. In the browser
 * it is an ordinary element with an ordinary child, and hydration finds the same markup. See docs/decisions/0099.
 */
export function CachedFragment<P extends object>({ as: tag, of, props, isCached = true, ...attributes }: CachedFragmentProps<P>) {
  const fragments = useFragments();
  if (!fragments || !isCached) return createElement(tag, attributes, createElement(of, props));
  const html = fragments.placeholder(of as ComponentType<never>, props);
  return createElement(tag, { ...attributes, dangerouslySetInnerHTML: { __html: html } });
}
