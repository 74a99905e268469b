import { chromium, type Browser } from "@playwright/test";
import { chromiumPath } from "#tests/chromium.ts";
import { agreeAndOrder, expect, fillContacts, priceIsLocked, putInCart, open } from "../../../e2e/journey.ts";
import { aPhone } from "./visitor.ts";

/** Starts Chromium without a window. */
export const openBrowser = async (): Promise<Browser> =>
  chromium.launch({ executablePath: await chromiumPath(), args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"] });

/**
 * A guest buys a coin in a real browser and collects it at the office, or at a point chosen in the list. `repair`: the payment provider is
 * down; the page must say that the order is kept, and it is paid from its own page after `repair`.
 */
export async function walkPurchase(
  browser: Browser,
  baseURL: string,
  slug: string,
  { repair, byPoint = false }: { repair?: (() => Promise<void>) | undefined; byPoint?: boolean } = {},
): Promise<void> {
  const context = await browser.newContext({ baseURL, locale: "ru-RU", timezoneId: "Europe/Moscow" });
  try {
    const page = await context.newPage();
    await putInCart(page, slug);
    await open(page, "/checkout");
    await fillContacts(page, { lastName: "Стойкий", name: "Семён", phone: aPhone(), email: "semyon@example.com" });
    if (byPoint) {
      await page.getByRole("radio", { name: /^Пункт выдачи СДЭК/ }).check();
      await page.getByRole("searchbox", { name: /Найти пункт/ }).fill("Алтуфьев");
      await page.getByRole("radio", { name: /Алтуфьевское шоссе, 70/ }).check();
    } else {
      await page.getByRole("radio", { name: /^Офис в Москве/ }).check();
    }
    await priceIsLocked(page);
    await agreeAndOrder(page);
    if (repair) {
      const dialog = page.getByRole("dialog", { name: /^Заказ \d+ принят/ });
      await expect(dialog).toBeVisible({ timeout: 25_000 });
      await repair();
      await dialog.getByRole("button", { name: "Оплатить" }).click();
    }
    await page.locator('button[value="pay"]').click({ timeout: 20_000 });
    await expect(page.getByRole("heading", { name: "Спасибо, заказ оплачен" })).toBeVisible({ timeout: 20_000 });
  } finally {
    await context.close();
  }
}
