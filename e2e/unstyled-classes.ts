/** Finds elements whose class has no rule in the styles that their page has loaded: the page depends on another page's styles. */
import type { BrowserContext, Page } from "@playwright/test";

/** Classes without a rule on purpose. */
const hooks: readonly string[] = [
  "active",
  "pending", // set by the router on its links
  "card--gold",
  "mass__bar--gold",
  "stage--gold",
  "mini--scales",
  "square-button--scales", // the default of two variants: only the other one has a rule
];

/** Class → path where it was found. */
export type Unstyled = Map<string, string>;

const binding = "reportUnstyledClasses";

/** Watches all pages of a context. A class is reported when it is missing twice in a row with all style sheets loaded. */
export async function watchClasses(context: BrowserContext, unstyled: Unstyled): Promise<void> {
  await context.exposeBinding(binding, ({ page }, names: string[]) => {
    for (const name of names) if (!unstyled.has(name)) unstyled.set(name, new URL(page.url()).pathname);
  });
  await context.addInitScript(watch, { binding, hooks });
}

/** Checks at once, before the page is closed. */
export async function lookAtClasses(page: Page): Promise<void> {
  if (page.isClosed()) return;
  await page.evaluate(() => (window as { lookAtClasses?: () => void }).lookAtClasses?.());
}

/** Runs in the page. */
function watch({ binding: name, hooks: allowed }: { binding: string; hooks: readonly string[] }): void {
  if (window.top !== window) return;
  const seen = new WeakMap<CSSStyleSheet, Set<string>>();
  const report = (window as unknown as Record<string, (names: string[]) => void>)[name];
  let before: readonly string[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  function classesOf(rules: CSSRuleList, into: Set<string>): Set<string> {
    for (const rule of rules) {
      if (rule instanceof CSSStyleRule) for (const [, found = ""] of rule.selectorText.matchAll(/\.(-?[a-z_][\w-]*)/gi)) into.add(found);
      if ("cssRules" in rule) classesOf(rule.cssRules as CSSRuleList, into);
    }
    return into;
  }

  /** Null while a style sheet is loading. */
  function missing(): string[] | null {
    if (!document.querySelector(".frame")) return []; // the payment provider's page
    if ([...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].some((link) => link.sheet === null)) return null;
    const ruled = new Set(allowed);
    for (const sheet of document.styleSheets) {
      if (sheet.media.mediaText === "not all") continue; // of another page
      if (sheet.href !== null && new URL(sheet.href).origin !== location.origin) continue;
      const names = seen.get(sheet) ?? classesOf(sheet.cssRules, new Set());
      seen.set(sheet, names);
      for (const each of names) ruled.add(each);
    }
    const used = new Set<string>();
    for (const element of document.body.querySelectorAll("[class]")) for (const each of element.classList) used.add(each);
    return [...used].filter((each) => !ruled.has(each));
  }

  function look(): void {
    clearTimeout(timer);
    timer = undefined;
    const found = missing();
    const again = found?.filter((each) => before.includes(each)) ?? [];
    if (again.length > 0) report?.(again);
    before = found ?? [];
    if (found === null || before.length > again.length) timer = setTimeout(look, 200);
  }
  const lookSoon = () => {
    timer ??= setTimeout(look, 200);
  };

  (window as { lookAtClasses?: () => void }).lookAtClasses = () => {
    look();
    look();
  };
  document.addEventListener("DOMContentLoaded", () => {
    new MutationObserver(lookSoon).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["class"] });
    lookSoon();
  });
}
