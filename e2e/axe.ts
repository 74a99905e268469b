/** Accessibility check of a page with axe-core: https://github.com/dequelabs/axe-core/blob/develop/doc/API.md. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import type Axe from "axe-core";

const script = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * Violations that axe finds in the present page, as "rule at selector"; empty if there are none. The script is injected once per page and
 * only violations are collected, which costs a third of the usual wrapper. Not checked are the focus guards that Base UI puts around an
 * open menu, and whether the menu, which is beside all landmarks, lies in one.
 */
export async function axeFaults(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(script);
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof Axe };
    const guards = "[data-base-ui-focus-guard]";
    const hasGuards = document.querySelector(guards) !== null;
    const { violations } = await axe.run(hasGuards ? { include: [document], exclude: [guards] } : document, {
      resultTypes: ["violations"],
      iframes: false,
      ...(hasGuards ? { rules: { region: { enabled: false } } } : {}),
    });
    return violations.map(({ id, nodes }) => `${id} at ${nodes[0]?.target.join(" ")}`);
  });
}
