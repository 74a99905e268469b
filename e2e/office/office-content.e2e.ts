import type { Page } from "@playwright/test";
import { hours } from "#kit/time.ts";
import type { RunningShop } from "#tests/running-shop.ts";
import { button, expect, expectAccessible, openOffice, staffMember, test } from "./office.ts";

test.use({ shopOf: "content" }); // other journeys count on the texts of the seed

const publicPage = async (page: Page, shop: RunningShop, path: string): Promise<{ status: number; html: string }> => {
  const answer = await page.request.get(`${shop.url}${path}`);
  return { status: answer.status(), html: await answer.text() };
};
const statusOf = async (page: Page, shop: RunningShop, path: string) => (await publicPage(page, shop, path)).status;
/** As the browser's field takes it: Moscow time, so many hours from the shop's clock. */
async function inHours(page: Page, shop: RunningShop, ahead: number): Promise<string> {
  const date = (await page.request.get(`${shop.url}/healthz`)).headers()["date"] ?? "";
  return new Date(Date.parse(date) + hours(ahead + 3)).toISOString().slice(0, 16);
}

async function writeNews(page: Page, slug: string): Promise<void> {
  await page.getByLabel("Заголовок").fill("Новый выпуск уже в пути");
  await page.getByLabel("Адрес", { exact: true }).fill(slug);
  await page.getByLabel("Вводный текст").fill("Что известно о выпуске.");
  await page.getByLabel("Текст", { exact: true }).fill("Монета весит **31,1 грамма**.");
}

test("an editor writes a news item, sees it beside the text and on the site, and schedules it with four presses", async ({
  page,
  browser,
  shop,
}) => {
  const editor = await staffMember(browser, shop, "editor", "/content");
  await editor.press(editor.page.getByRole("link", { name: "Новая новость" }));
  await writeNews(editor.page, "novyj-vypusk-v-puti");
  await expect(editor.page.getByRole("region", { name: "Как увидит посетитель" }).locator("strong")).toHaveText("31,1 грамма");
  await expectAccessible(editor.page, "the editor of a text");

  const opened = editor.page.context().waitForEvent("page");
  await editor.press(button(editor.page, "Посмотреть на сайте"));
  const preview = await opened;
  await expect(preview.getByRole("heading", { level: 1, name: "Новый выпуск уже в пути" })).toBeVisible();
  const shown = await page.request.get(preview.url());
  expect(shown.headers()).toMatchObject({ "x-robots-tag": "noindex", "cache-control": "private, no-store" });
  await preview.close();
  expect(await statusOf(page, shop, "/news/novyj-vypusk-v-puti")).toBe(404);

  await editor.page.getByLabel("Опубликовать").fill(await inHours(page, shop, 2));
  await editor.press(button(editor.page, "Поставить в расписание"));
  await expect(editor.page.getByText("Поставлено в расписание")).toBeVisible();
  expect(editor.presses()).toBeLessThanOrEqual(4);
  expect(await statusOf(page, shop, "/news/novyj-vypusk-v-puti")).toBe(404);
  await shop.advance(hours(2));
  await expect.poll(() => statusOf(page, shop, "/news/novyj-vypusk-v-puti")).toBe(200);
  await expect.poll(async () => (await publicPage(page, shop, "/news")).html).toContain("Новый выпуск уже в пути");

  // From the text that is stored now, «Новая новость» begins another one.
  await editor.page.bringToFront();
  await editor.page.keyboard.press("Control+k");
  await editor.page.getByRole("combobox", { name: "Искать" }).fill("Новая новость");
  await expect(editor.page.getByRole("option", { name: "Новая новость" })).toBeVisible();
  await editor.page.keyboard.press("Enter");
  await expect(editor.page.getByLabel("Заголовок")).toHaveValue("");
  await expect(editor.page.getByText("Ещё не сохранено")).toBeVisible();
});

test("an older version is compared and restored, and a renamed address leads to the new one", async ({ page, browser, shop }) => {
  const editor = await staffMember(browser, shop, "editor", "/content?view=training");
  await editor.page.getByRole("link", { name: "Как выбрать монету" }).click();
  const body = editor.page.getByLabel("Текст", { exact: true });
  const before = await body.inputValue();
  await body.fill("Здесь был другой текст.");
  await button(editor.page, "Опубликовать").click();
  await expect(editor.page.getByText("Опубликовано")).toBeVisible();
  await expect.poll(async () => (await publicPage(page, shop, "/training/19")).html).toContain("Здесь был другой текст.");

  await openOffice(editor.page, shop, "/content/training/19"); // without the message, which covers the screen
  await button(editor.page, "Версии").click();
  const versions = editor.page.getByRole("table", { name: "Версии" });
  await button(versions, "Сравнить").last().click();
  await expect(editor.page.getByRole("region", { name: "Сравнение" }).locator("ins", { hasText: "Здесь был другой текст." })).toBeVisible();
  await expectAccessible(editor.page, "the versions of a text");
  await button(versions, "Вернуть").last().click();
  await expect(body).toHaveValue(before);
  await button(editor.page, "Опубликовать").click();
  await expect.poll(async () => (await publicPage(page, shop, "/training/19")).html).not.toContain("Здесь был другой текст.");

  await openOffice(editor.page, shop, "/content");
  await editor.page.getByRole("link", { name: /НДС/ }).first().click();
  const slug = editor.page.getByLabel("Адрес", { exact: true });
  const old = await slug.inputValue();
  await slug.fill(`${old}-novyj`);
  await button(editor.page, "Опубликовать").click();
  await expect(editor.page.getByText(`/news/${old}-novyj`)).toBeVisible();
  await expect.poll(async () => new URL((await page.request.get(`${shop.url}/news/${old}`)).url()).pathname).toBe(`/news/${old}-novyj`);
});

test("a redirect that leads to itself is refused beside the field, and nothing typed is lost", async ({ page, browser, shop }) => {
  const editor = await staffMember(browser, shop, "editor", "/redirects");
  await button(editor.page, "Новая переадресация").click();
  await editor.page.getByLabel("Откуда").fill("/staryj-katalog");
  const target = editor.page.getByLabel("Куда", { exact: true });
  await target.fill("/staryj-katalog");
  await button(editor.page, /^Сохранить/).click();
  await expect(editor.page.getByRole("alert").getByText("Петля: адрес ведёт сам на себя")).toBeVisible();
  await expect(target).toHaveValue("/staryj-katalog");
  await expectAccessible(editor.page, "redirects");
  await target.fill("/catalog");
  await button(editor.page, /^Сохранить/).click();
  await expect(editor.page.getByText("Переадресация сохранена")).toBeVisible();
  await expect.poll(async () => new URL((await page.request.get(`${shop.url}/staryj-katalog`)).url()).pathname).toBe("/catalog");
});

test("the owner puts another coin on the first screen, and the site shows it", async ({ page, browser, shop }) => {
  const owner = await staffMember(browser, shop, "owner", "/site");
  await owner.press(button(owner.page, /^Первый экран/));
  const coin = owner.page.getByRole("group", { name: "Монета", exact: true });
  await coin.getByLabel("Найти другую монету").fill("сеятель");
  const found = owner.page.getByRole("listbox", { name: "Нашлись" }).getByRole("option").first();
  const name = (await found.locator("span").first().textContent()) ?? "";
  await owner.press(found);
  await expectAccessible(owner.page, "the home page's blocks");
  await publicPage(page, shop, "/"); // cached from here on
  await owner.press(button(owner.page, "Опубликовать"));
  await expect(owner.page.getByText("Опубликовано")).toBeVisible();
  await expect.poll(async () => (await publicPage(page, shop, "/")).html).toContain(`alt="${name}, реверс"`);
  expect(owner.presses()).toBeLessThanOrEqual(4);

  // Blocks are moved by keyboard, and the order is that of the page.
  await button(owner.page, /^Ниже: Первый экран/).focus();
  await owner.page.keyboard.press("Enter");
  await expect(owner.page.getByRole("group", { name: "Блоки" }).locator("ol > li").nth(1)).toContainText("Первый экран");
});

test("of two editors on one text the second sees both versions", async ({ browser, shop }) => {
  const [first, second] = [await staffMember(browser, shop, "editor"), await staffMember(browser, shop, "owner")];
  for (const { page } of [first, second]) {
    await openOffice(page, shop, "/content/faq/1");
    await expect(page.getByLabel("Вопрос")).toBeVisible();
  }
  await first.page.getByLabel("Вопрос").fill("Вопрос первого редактора?");
  await button(first.page, "Опубликовать").click();
  await expect(first.page.getByText("Опубликовано")).toBeVisible();
  await second.page.getByLabel("Вопрос").fill("Вопрос второго редактора?");
  await button(second.page, "Опубликовать").click();
  const dialog = second.page.getByRole("dialog", { name: "Запись тем временем изменили" });
  await expect(dialog).toContainText("Вопрос первого редактора?");
  await expect(dialog).toContainText("Вопрос второго редактора?");
  await button(dialog, "Сохранить моё").click();
  await expect(second.page.getByText("Опубликовано")).toBeVisible();
});
