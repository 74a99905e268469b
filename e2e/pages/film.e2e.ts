import type { Page } from "@playwright/test";
import { aCoin, expect, test, open, goBack } from "../journey.ts";

const film = (page: Page) => page.locator("video");
const isFilm = (url: string): boolean => /\/assets\/coin-[^/]*\.(mp4|webm)$/.test(url);

/** The page's requests for the film so far. */
function requested(page: Page): string[] {
  const urls: string[] = [];
  page.on("request", (request) => {
    if (isFilm(request.url())) urls.push(request.url());
  });
  return urls;
}

test("a buyer plays a coin's film; Escape and Back close it and the page is at the same place", async ({ page }) => {
  const urls = requested(page);
  await open(page, `/products/${aCoin.slug}`);
  await page.waitForLoadState("networkidle");
  const button = page.getByRole("main").getByRole("button", { name: "Видео" });
  await button.focus();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect(urls).toEqual([]);

  await button.press("Enter");
  await expect(page.getByRole("dialog", { name: "Золотая монета со всех сторон" })).toBeVisible();
  await expect.poll(() => film(page).evaluate((video: HTMLVideoElement) => video.currentTime)).toBeGreaterThan(0);
  expect(await film(page).evaluate((video: HTMLVideoElement) => [video.muted, video.loop, Math.round(video.duration)])).toEqual([
    true,
    true,
    5,
  ]);
  expect(urls.length).toBeGreaterThan(0);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(button).toBeFocused();

  await button.press(" ");
  await expect(page.getByRole("dialog")).toBeVisible();
  await goBack(page);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page).toHaveURL(new RegExp(`/products/${aCoin.slug}$`));
});

test("with reduced motion the film does not start by itself, also on the page about buying", async ({ browser, shop }) => {
  const context = await browser.newContext({ baseURL: shop.url, reducedMotion: "reduce", viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  await open(page, "/how-to-buy");
  await page.getByRole("main").getByRole("button", { name: "Монета со всех сторон" }).click();
  await expect(film(page)).toBeInViewport({ ratio: 0.9 });
  await expect.poll(() => film(page).evaluate((video: HTMLVideoElement) => video.readyState)).toBeGreaterThan(0);
  expect(await film(page).evaluate((video: HTMLVideoElement) => [video.paused, video.currentTime])).toEqual([true, 0]);
  await context.close();
});

test("the film plays without scripts, and in ranges as Safari requests it", async ({ request }) => {
  const html = await (await request.get(`/products/${aCoin.slug}`)).text();
  const [, href = ""] = /href="(\/assets\/coin-gold[^"]*\.mp4)"/.exec(html) ?? [];
  const part = await request.get(href, { headers: { range: "bytes=0-99" } });
  expect([part.status(), part.headers()["content-type"], (await part.body()).length]).toEqual([206, "video/mp4", 100]);
  expect((await request.get("/")).headers()["content-security-policy"]).toContain("media-src 'self'");
});

test("the film is only on the page of its coin, and every drawing of a coin is labelled as a drawing", async ({ page }) => {
  for (const [slug, hasFilm] of [
    [aCoin.slug, true],
    ["georgij-pobedonosec-3-rublya-2026-mmd", true],
    ["georgij-pobedonosec-50-rublej-2024-mmd", false],
    ["chervonec-seyatel-10-rublej-1923", false],
  ] as const) {
    await open(page, `/products/${slug}`);
    const main = page.getByRole("main");
    await expect(main.getByText("Рисунок, не фотография")).toBeVisible();
    await expect(main.getByRole("button", { name: "Видео" })).toHaveCount(hasFilm ? 1 : 0);
  }
  for (const path of ["/catalog", "/search?q=георгий", "/"]) {
    await open(page, path);
    await expect(page.getByText("Монеты показаны рисунками, не фотографиями.")).toHaveCount(1);
  }
});

test("the price of a sold-out coin is labelled as its last price", async ({ page }) => {
  await open(page, "/products/georgij-pobedonosec-10-000-rublej-2024");
  await expect(page.getByRole("main").getByText(/последняя цена для справки/)).toBeVisible();
});
