import { AxeBuilder } from "@axe-core/playwright";
import { aCoin, expect, putInCart, test } from "./journey.ts";

const pages = [
  "/", "/catalog", "/catalog/gold/bullion-coins", "/catalog/page/2", `/products/${aCoin.slug}`, "/search?q=георгий победоносец серебро", "/search?q=ъъъъъъъъъъъъъъъъъъъъъъъъъъъъъъъъъъъъъъъъъъъъъъъъ",
  "/wishlist", "/product-comparison", "/cart", "/checkout", "/thanks", "/payment-error", "/my", "/delivery", "/how-to-buy", "/return", "/about", "/contacts",
  "/news", "/training", "/cases", "/promo", "/reviews", "/quotes-online", "/certificates", "/coin-buyback", "/partners", "/no-such-page",
];

for (const width of [320, 1440]) {
  test(`every page at ${width} px: no fault in the console, nothing the policy forbids, no sideways scroll, axe is content`, async ({ browser, shop }) => {
    test.setTimeout(300_000);
    const context = await browser.newContext({ viewport: { width, height: 800 }, reducedMotion: "reduce" }); // nothing half faded in is judged
    const page = await context.newPage();
    const faults: string[] = [];
    page.on("console", (message) => {
      const isExpected = /status of (401|404)/.test(message.text()); // the document itself
      if (message.type() === "error" && !isExpected) faults.push(`${page.url()}: ${message.text()}`);
    });
    page.on("pageerror", (error) => faults.push(`${page.url()}: ${error.message}`));
    await page.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
    });
    await page.goto(shop.url);
    await putInCart(page); // cart and checkout with something in them
    for (const path of pages) {
      await page.goto(path, { waitUntil: "load" });
      await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      if (overflow > 0) faults.push(`${path}: scrolls sideways by ${overflow} px at ${width}`);
      const { violations } = await new AxeBuilder({ page }).analyze();
      for (const { id, nodes } of violations) faults.push(`${path}: ${id} at ${nodes[0]?.target.join(" ")}`);
    }
    await context.close();
    expect(faults).toEqual([]);
  });
}

test("the catalogue and a coin are readable without scripts, and the coin can be put into the cart", async ({ browser, shop }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${shop.url}/catalog/gold/bullion-coins`);
  await expect(page.getByRole("main").locator('a[href^="/products/"]').first()).toBeVisible();
  await expect(page.getByRole("main")).toContainText("₽");
  await page.goto(`${shop.url}/products/${aCoin.slug}`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Георгий Победоносец");
  await expect(page.getByRole("main")).toContainText("Чистого металла");
  await page.getByRole("main").getByRole("button", { name: "В корзину", exact: true }).first().click();
  await expect(page).toHaveURL(new RegExp(aCoin.slug));
  await page.goto(`${shop.url}/cart`);
  await expect(page.getByRole("main")).toContainText("Георгий Победоносец");
  await context.close();
});
