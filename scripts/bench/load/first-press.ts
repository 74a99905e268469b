import { chromium } from "@playwright/test";
import { chromiumPath } from "#tests/chromium.ts";
import { openSlowLine } from "./slow-line.ts";

/** The screen and the slowness of Lighthouse's phone (lighthouse, core/config/constants.js). */
const phone = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true };
const cpuSlowdown = 4;

type Visit = { url: string; cookie?: string; button: string };

/** A page on a phone behind a slow line. */
export type PhoneOnSlowLine = {
  /**
   * Opens a page without any cache and presses the first visible button that `button` selects as soon as it is painted. Milliseconds
   * from the start of the navigation until the page has answered: until a pressed state or a field's refusal changes.
   */
  firstPress(visit: Visit): Promise<number>;
  close(): Promise<void>;
};

/** `url`: the shop's address, which the browser keeps using, so that host and cookies are the shop's own. */
export async function phoneOnSlowLine(url: string): Promise<PhoneOnSlowLine> {
  const { host, port } = new URL(url);
  const line = await openSlowLine(Number(port));
  const browser = await chromium.launch({
    executablePath: await chromiumPath(),
    args: ["--no-sandbox", "--disable-gpu", `--host-resolver-rules=MAP ${host} 127.0.0.1:${line.port}`],
  });
  return {
    async firstPress(visit) {
      const context = await browser.newContext({ ...phone, ...(visit.cookie ? { extraHTTPHeaders: { cookie: visit.cookie } } : {}) });
      try {
        const page = await context.newPage();
        await (await context.newCDPSession(page)).send("Emulation.setCPUThrottlingRate", { rate: cpuSlowdown });
        await page.addInitScript((selector) => {
          const press = (): void => {
            const button = [...document.querySelectorAll<HTMLElement>(selector)].find((each) => each.offsetParent !== null);
            if (!button) return void requestAnimationFrame(press); // the rest of the document has not arrived
            const answers = new MutationObserver(() => {
              answers.disconnect();
              performance.mark("answered");
            });
            answers.observe(document, { subtree: true, attributeFilter: ["aria-pressed", "aria-invalid"] });
            button.click();
          };
          new PerformanceObserver((list) => {
            if (list.getEntriesByName("first-contentful-paint").length > 0) press();
          }).observe({ type: "paint", buffered: true });
        }, visit.button);
        const failed: string[] = [];
        page.on("requestfailed", (request) => failed.push(`${request.url()}: ${request.failure()?.errorText ?? ""}`));
        const answer = await page.goto(visit.url, { waitUntil: "commit" });
        try {
          // Not in each frame, as is the default: the browser would paint frames that no visitor's browser paints.
          const isAnswered = () => performance.getEntriesByName("answered")[0]?.startTime;
          const answered = await page.waitForFunction(isAnswered, undefined, { polling: 200 });
          return Number(await answered.jsonValue());
        } catch (error) {
          const seen = `${answer?.status()} ${await page.title()}; ${failed.join(", ") || "no request failed"}`;
          throw new Error(`${visit.url} did not answer a press: ${seen}`, { cause: error });
        }
      } finally {
        await context.close();
      }
    },
    async close() {
      await browser.close();
      line.close();
    },
  };
}
