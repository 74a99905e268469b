import { createContext, useContext } from "react";
import { UNSAFE_FrameworkContext as FrameworkContext, useMatches } from "react-router";
import { useScriptNonce } from "./script-nonce.ts";

/**
 * The text of one of the build's style sheets (on the server its placeholder) by its address; undefined: the page links it. Set during a
 * render.
 */
export const StyleText = /* @__PURE__ */ createContext<(href: string) => string | undefined>(() => undefined);

/** Style sheets that came inside the document, by address. Their texts are kept because React may build the whole document again. */
const inlined: ReadonlyMap<string, string> = new Map(
  import.meta.env.SSR
    ? []
    : [...document.querySelectorAll<HTMLStyleElement>("style[data-href]")].map((style) => [style.dataset.href ?? "", style.textContent]),
);

/** React Router marks a style sheet that is also loaded on demand with `#`, so that it stays when its page is left. */
const shared = /#$/;

/**
 * The styles of the shown pages, in place of `<Links/>`. Those of a public page from the server are inline, so that it is painted without
 * another request; later pages link theirs. An inlined sheet stays in the document, so that it is never fetched again. While no shown page
 * uses it, it is switched off, unless it is also loaded on demand: an open dialog may rely on it. `vite.config.ts` patches the loaders
 * of Vite and React Router so that they treat it as loaded.
 */
export function PageStyles() {
  const { manifest } = useContext(FrameworkContext) ?? {};
  const nonce = useScriptNonce();
  const readText = useContext(StyleText);
  const textOf = (href: string): string | undefined => (import.meta.env.SSR ? readText(href) : inlined.get(href));
  const sheets = useMatches().flatMap(({ id }) => manifest?.routes[id]?.css ?? []);
  const names = sheets.map((href) => href.replace(shared, ""));
  const used = new Set(sheets);
  const unused = [...inlined.keys()].filter((href) => !names.includes(href));
  const isOnDemand = (href: string): boolean => Object.values(manifest?.routes ?? {}).some((route) => route?.css?.includes(`${href}#`));
  return [...used, ...unused].map((sheet) => {
    const href = sheet.replace(shared, "");
    const text = textOf(href);
    if (text === undefined) return <link key={href} rel="stylesheet" href={sheet} />;
    return (
      <style
        key={href}
        nonce={nonce}
        data-href={href}
        media={used.has(sheet) || isOnDemand(href) ? undefined : "not all"}
        dangerouslySetInnerHTML={{ __html: text }}
      />
    );
  });
}
