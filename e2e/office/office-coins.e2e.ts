import type { APIResponse, Page } from "@playwright/test";
import sharp from "sharp";
import { open } from "../journey.ts";
import { expect, expectAccessible, openOffice, signInAs, staffMember, test } from "./office.ts";

test.use({ shopOf: "coins" }); // other journeys count on the coins and sections of the seed

/** A photograph of a coin on a table. */
const aPhoto = async (colour: string) => ({
  name: `${colour}.jpg`,
  mimeType: "image/jpeg",
  buffer: await sharp({ create: { width: 1_600, height: 1_200, channels: 3, background: "#30302c" } })
    .composite([{ input: Buffer.from(`<svg width="1100" height="1100"><circle cx="550" cy="550" r="540" fill="${colour}"/></svg>`) }])
    .jpeg()
    .toBuffer(),
});
/** The green of the middle of a picture, from 0 to 255. */
async function brightnessOf(answer: APIResponse): Promise<number> {
  const { data, info } = await sharp(await answer.body())
    .raw()
    .toBuffer({ resolveWithObject: true });
  return data[(Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * info.channels + 1] ?? -1;
}
const fieldOf = (page: Page, name: string) => page.getByRole("form", { name: "Монета" }).getByLabel(name, { exact: true });

/** What an editor types for a silver coin. */
async function describeCoin(page: Page, title: string): Promise<void> {
  await fieldOf(page, "Название").fill(title);
  await fieldOf(page, "Металл").selectOption("silver");
  await fieldOf(page, "Проба").fill("925");
  await fieldOf(page, "Чистый металл").fill("31,1");
  await fieldOf(page, "Масса монеты").fill("33,94");
  await fieldOf(page, "Номинал").fill("3");
  await fieldOf(page, "Диаметр").fill("39");
  await fieldOf(page, "Описание снимка: Аверс").fill("Герб России и номинал три рубля");
  await fieldOf(page, "Описание снимка: Реверс").fill("Снежный барс на скале");
  await fieldOf(page, "Текст").fill("Снежный барс смотрит на долину. Чеканка 2026 года.");
  await fieldOf(page, "Премия к металлу").fill("12");
}

test("a new coin with two photographs is on sale in six clicks, and the shop shows it at once", async ({ page, browser, shop }) => {
  const address = `${shop.url}/products/snezhnyj-bars-3-rublya-2026`;
  const visitor = await (await browser.newContext()).newPage();
  // The page is in the cache as missing, and the listing without the coin.
  expect((await visitor.request.get(address)).status()).toBe(404);
  await visitor.request.get(`${shop.url}/catalog/silver`);

  const began = Date.now();
  const editor = await staffMember(browser, shop, "editor", "/coins");
  const { page: office } = editor;
  await editor.press(office.getByRole("link", { name: "Новая монета" }));
  // Both files at once count as two presses.
  let files = 0;
  await office
    .locator(".photos input[type=file]")
    .first()
    .setInputFiles([await aPhoto("#c9ccd0"), await aPhoto("#b4b8bd")]);
  files += 2;
  await expect(fieldOf(office, "Описание снимка: Реверс")).toBeVisible();
  await expect(fieldOf(office, "Описание снимка: Аверс")).toBeVisible();
  await describeCoin(office, "Снежный барс, 3 рубля 2026");
  await expect(office.getByText("всё сходится")).toBeVisible();
  await editor.press(office.getByRole("button", { name: "Показать на витрине" }));
  await expect(office.getByText("Монета на витрине")).toBeVisible();
  const saved = Date.now();
  expect(editor.presses() + files).toBeLessThanOrEqual(6);
  expect(saved - began).toBeLessThan(180_000);

  await expect.poll(async () => (await visitor.request.get(address)).status()).toBe(200);
  await open(visitor, address);
  await expect(visitor.getByRole("heading", { level: 1, name: "Снежный барс" })).toBeVisible();
  const reverse = visitor.getByRole("img", { name: "Снежный барс на скале" }).first();
  await expect(reverse).toHaveJSProperty("complete", true);
  expect(await reverse.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
  const before = await reverse.getAttribute("src");

  await test.step("a replaced or removed photograph is taken back with the keyboard as long as it is not saved", async () => {
    const side = office.getByRole("figure").filter({ hasText: "Реверс" });
    const back = office.getByRole("button", { name: "Вернуть прежнее: Реверс" });
    const description = fieldOf(office, "Описание снимка: Реверс");
    await expect(back).toHaveCount(0);
    await office.getByLabel("Заменить снимок: Реверс").setInputFiles(await aPhoto("#8d949c"));
    await expect(back).toBeEnabled();
    await description.fill("Другой снимок");
    await back.press("Enter");
    await expect(back).toHaveCount(0);
    await expect(description).toHaveValue("Снежный барс на скале");
    await expect(side.getByRole("button", { name: "Обрезать" })).toBeFocused();
    await expect(office.getByText(/правки не сохранены/)).toHaveCount(0);

    await side.getByRole("button", { name: "Убрать" }).press("Enter");
    await expect(description).toHaveCount(0);
    await expect(back).toBeFocused();
    await expect(office.getByRole("article", { name: "Карточка в каталоге" }).locator("img")).toHaveAttribute("src", /no-picture/);
    await expectAccessible(office, "a coin with a removed photograph");
    await back.press("Enter");
    await expect(description).toHaveValue("Снежный барс на скале");
    await expect(office.getByText(/правки не сохранены/)).toHaveCount(0);
  });

  await office.getByLabel("Заменить снимок: Реверс").setInputFiles(await aPhoto("#8d949c"));
  await expect(office.getByRole("button", { name: "Сохранить" })).toBeEnabled();
  await expect(office.getByText(/правки не сохранены/)).toBeVisible();
  await test.step("the preview shows a photograph before it is saved, and visitors get the stored one", async () => {
    const opened = office.waitForEvent("popup");
    await office.getByRole("button", { name: "Смотреть страницу" }).click();
    const preview = await opened;
    const draft = preview.getByRole("img", { name: "Снежный барс на скале" }).first();
    await expect(draft).toHaveJSProperty("complete", true);
    expect(await draft.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
    const source = new URL((await draft.getAttribute("src")) ?? "", shop.url).href;
    const shown = await visitor.request.get(source);
    expect(shown.headers()).toMatchObject({ "cache-control": "private, no-store", "x-robots-tag": "noindex" });
    expect(await brightnessOf(shown)).toBeCloseTo(0x94, -1);
    expect(await brightnessOf(await visitor.request.get(new URL(before ?? "", shop.url).href))).toBeCloseTo(0xb8, -1);

    const [, key = ""] = /preview\.\d+\.([\w-]{22})-/.exec(source) ?? [];
    expect((await visitor.request.get(source.replace(key, "A".repeat(22)))).status()).toBe(404);
    const html = await (await visitor.request.get(address)).text();
    expect([html.includes(before ?? "none"), html.includes(key)]).toEqual([true, false]);
    await preview.close();
  });

  // A replaced photograph has another address, which the page shows.
  await office.keyboard.press("Control+KeyS");
  await expect(office.getByText("Сохранено", { exact: true })).toBeVisible();
  await expect.poll(async () => (await (await visitor.request.get(address)).text()).includes(before ?? "none")).toBe(false);
  await open(visitor, address);
  const replaced = new URL((await reverse.getAttribute("src")) ?? "", shop.url).href;
  expect(await brightnessOf(await visitor.request.get(replaced))).toBeCloseTo(0x94, -1);

  await office.getByRole("button", { name: "Снять с витрины" }).click();
  await office.getByRole("alertdialog").getByRole("button", { name: "Снять с витрины" }).click();
  await expect(office.getByText("Монета снята с витрины")).toBeVisible();
  await expect.poll(async () => (await visitor.request.get(address)).status()).toBe(404);
  await page.close();
});

test("a wrong mass is reported beside the field and nothing typed is lost; a stale save shows both versions", async ({
  page,
  browser,
  shop,
}) => {
  await signInAs(page, shop, "editor", "/coins/1103");
  await fieldOf(page, "Художник").fill("А. В. Бакланов");
  const pure = fieldOf(page, "Чистый металл");
  const right = await pure.inputValue();
  await pure.fill("3,11");
  await expect(page.getByRole("alert").filter({ hasText: "Масса на пробу" })).toBeVisible();
  await page.getByRole("button", { name: "Сохранить" }).click();
  await expect(page.getByText("Проверьте отмеченные поля. Введённое сохранено")).toBeVisible();
  await expect(fieldOf(page, "Художник")).toHaveValue("А. В. Бакланов");
  await pure.fill(right);

  const other = await staffMember(browser, shop, "owner", "/coins/1103");
  await fieldOf(other.page, "Художник").fill("Е. В. Крамская");
  await other.page.getByRole("button", { name: "Сохранить" }).click();
  await expect(other.page.getByText("Сохранено", { exact: true })).toBeVisible();

  await page.getByRole("button", { name: "Сохранить" }).click();
  const dialog = page.getByRole("dialog", { name: "Запись тем временем изменили" });
  await expect(dialog.getByRole("row", { name: /Художник/ })).toContainText("Е. В. Крамская");
  await expect(dialog.getByRole("row", { name: /Художник/ })).toContainText("А. В. Бакланов");
  await dialog.getByRole("button", { name: "Сохранить моё" }).click();
  await expect(page.getByText("Сохранено", { exact: true })).toBeVisible();
});

test("another mass of a coin on sale moves its price, so it waits for a second person and the coin says so", async ({ page, shop }) => {
  await signInAs(page, shop, "editor", "/coins/1032");
  const quarter = async (name: string): Promise<void> => {
    const field = fieldOf(page, name);
    const grams = Number((await field.inputValue()).replace(",", "."));
    await field.fill((grams / 4).toFixed(3).replace(".", ","));
  };
  await quarter("Чистый металл");
  await quarter("Масса монеты");
  await expect(page.getByText(/по массе толщина/)).toBeVisible();
  await page.getByRole("button", { name: "Сохранить" }).click();
  await expect(page.getByText(/Ждёт второго человека\. Металл, вид или чистая масса/)).toBeVisible();
  await expect(page.getByText(/На согласовании: Правка монеты/)).toBeVisible();
  await openOffice(page, shop, "/approvals");
  await page.getByRole("button", { name: "Правка монеты" }).first().click();
  await expect(page.getByRole("row", { name: /Чистый металл, г/ })).toBeVisible();
  await page.getByRole("link", { name: "Монета, как она сейчас" }).click();
  await expect(page).toHaveURL(/\/coins\/1032$/);
});

test("a bullion coin without a premium is not saved, and the field says so", async ({ page, shop }) => {
  await signInAs(page, shop, "editor", "/coins/new");
  await expect(fieldOf(page, "Премия к металлу")).not.toHaveAttribute("aria-invalid", "true");
  await page.getByRole("button", { name: "Сохранить без показа" }).click();
  await expect(fieldOf(page, "Премия к металлу")).toHaveAttribute("aria-invalid", "true");
  await fieldOf(page, "Премия к металлу").fill("5");
  await expect(fieldOf(page, "Премия к металлу")).not.toHaveAttribute("aria-invalid", "true");
});

test("a draft is previewed as a page of the shop, which visitors do not see", async ({ page, shop }) => {
  await signInAs(page, shop, "editor", "/coins/1103");
  await fieldOf(page, "Текст").fill("Черновик, которого ещё нет на витрине.");
  const opened = page.waitForEvent("popup");
  await page.getByRole("button", { name: "Смотреть страницу" }).click();
  const preview = await opened;
  await expect(preview.getByText("Черновик, которого ещё нет на витрине.")).toBeVisible();
  const answer = await preview.request.get(preview.url());
  expect(answer.headers()).toMatchObject({ "cache-control": "private, no-store", "x-robots-tag": "noindex" });
  const plain = await preview.request.get(preview.url().split("?")[0] ?? "");
  expect(await plain.text()).not.toContain("Черновик, которого ещё нет на витрине.");
});

test("a new coin is previewed before it is saved, and what it lacks is named first", async ({ page, shop }) => {
  await signInAs(page, shop, "editor", "/coins/new");
  const look = page.getByRole("button", { name: "Смотреть страницу" });
  await look.click();
  await expect(fieldOf(page, "Название")).toBeFocused();
  await expect(page.getByText("Проверьте отмеченные поля. Введённое сохранено")).toBeVisible();
  await page
    .locator(".photos input[type=file]")
    .first()
    .setInputFiles([await aPhoto("#c9ccd0"), await aPhoto("#b4b8bd")]);
  await describeCoin(page, "Рысь, 3 рубля 2026");
  const opened = page.waitForEvent("popup");
  await look.click();
  const preview = await opened;
  await expect(preview.getByRole("heading", { level: 1, name: "Рысь" })).toBeVisible();
  await expect(preview.getByRole("img", { name: "Снежный барс на скале" }).first()).toHaveJSProperty("complete", true);
  await expect(preview.locator(".purchase").getByText(/\d\s₽/).first()).toBeVisible();
  expect((await preview.request.get(preview.url().split("?")[0] ?? "")).status()).toBe(404);
  await expect(page).toHaveURL(/\/coins\/new$/);
  await expect(page.getByText("правки не сохранены")).toBeVisible();
});

test("a photograph is cut out with the keyboard", async ({ page, shop }) => {
  await signInAs(page, shop, "editor", "/coins/new");
  await page
    .locator(".photos input[type=file]")
    .first()
    .setInputFiles(await aPhoto("#c9a24a"));
  await page.getByRole("button", { name: "Обрезать" }).click();
  const dialog = page.getByRole("dialog", { name: "Обрезать снимок: аверс" });
  await dialog.getByRole("slider", { name: "Размер" }).focus();
  for (let times = 0; times < 10; times += 1) await page.keyboard.press("PageDown");
  await dialog.getByRole("button", { name: "Обрезать" }).click();
  await expect(page.getByText("1200 × 1200")).toBeHidden();
});

test("sections, series and synonyms are edited, and the palette opens a coin", async ({ page, shop }) => {
  await signInAs(page, shop, "editor", "/coins/categories");
  await page.getByRole("button", { name: "Новый раздел" }).click();
  await page.getByLabel("Название в меню").fill("Подарочные");
  await page.getByLabel("Заголовок страницы").fill("Подарочные монеты");
  await page.getByLabel("Адрес после /catalog/").fill("Подарки");
  await page.getByRole("button", { name: "Сохранить" }).click();
  await expect(page.getByText("Строчные латинские буквы и цифры через дефис, части через косую черту")).toBeVisible();
  await page.getByLabel("Адрес после /catalog/").fill("podarochnye");
  await page.getByRole("button", { name: "Сохранить" }).click();
  await page.getByRole("button", { name: "Выше: Подарочные" }).click();
  const section = () => page.request.get(`${shop.url}/catalog/podarochnye`);
  await expect.poll(async () => (await section()).status()).toBe(200);
  expect(await (await section()).text()).toContain('name="description" content="Подарочные монеты: цены сейчас');

  await test.step("a series is added, moved, renamed and deleted; the text of one is over its listing", async () => {
    await openOffice(page, shop, "/coins/series");
    const form = page.getByRole("dialog");
    const names = () =>
      page
        .getByRole("main")
        .getByRole("listitem")
        .getByRole("button", { name: /^(?!Выше|Ниже|Удалить)/ })
        .allTextContents();
    await page.getByRole("button", { name: "Новая серия" }).click();
    await form.getByLabel("Название").fill("Знаки зодиака");
    await form.getByRole("button", { name: "Сохранить" }).click();
    await expect(form.getByText("Такое уже есть")).toBeVisible();
    await form.getByLabel("Название").fill("Серия на пробу");
    await form.getByRole("button", { name: "Сохранить" }).click();
    await expect(page.getByRole("button", { name: "Серия на пробу", exact: true })).toBeVisible();
    const place = (await names()).indexOf("Серия на пробу");
    for (const [press, moved] of [
      ["Ниже", place + 1],
      ["Выше", place],
    ] as const) {
      await page.getByRole("button", { name: `${press}: Серия на пробу` }).click();
      await expect.poll(async () => (await names()).indexOf("Серия на пробу")).toBe(moved);
    }

    await page.getByRole("button", { name: "Серия на пробу", exact: true }).click();
    await form.getByLabel("Название").fill("Серия после правки");
    await form.getByRole("button", { name: "Сохранить" }).click();
    const renamed = page.getByRole("listitem").filter({ has: page.getByRole("button", { name: "Серия после правки", exact: true }) });
    await expect(renamed).toBeVisible();
    await renamed.getByRole("button", { name: "Удалить" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Удалить" }).click();
    await expect(renamed).toHaveCount(0);

    await page.getByRole("button", { name: "Знаки зодиака", exact: true }).click();
    await expect(form.getByText(/Название сменится у всех монет серии/)).toBeVisible();
    await form.getByLabel("Текст над списком монет").fill("Двенадцать знаков в золоте и серебре.");
    await form.getByRole("button", { name: "Сохранить" }).click();
    await expect(form).toHaveCount(0);
    await expect
      .poll(async () => (await page.request.get(`${shop.url}/catalog?series=znaki-zodiaka`)).text())
      .toContain("Двенадцать знаков в золоте и серебре.");
  });

  await openOffice(page, shop, "/coins/synonyms");
  await page.getByLabel("Что набирают").fill("барсик");
  await page.getByLabel("Что искать").fill("георгий");
  await page.getByRole("button", { name: "Сохранить" }).click();
  await expect(page.getByRole("rowheader", { name: "барсик" })).toBeVisible();

  await test.step("a synonym that was changed in another tab meanwhile shows both versions", async () => {
    const other = await page.context().newPage();
    await openOffice(other, shop, "/coins/synonyms");
    const row = (tab: Page) => tab.getByRole("row", { name: /барсик/ });
    const save = async (tab: Page, meaning: string) => {
      await tab.getByLabel("Что искать").fill(meaning);
      await tab.getByRole("button", { name: "Сохранить" }).click();
    };
    for (const tab of [page, other]) await row(tab).getByRole("button", { name: "Изменить" }).click();
    await save(other, "соболь");
    await expect(row(other)).toContainText("соболь");
    await save(page, "победоносец");
    const dialog = page.getByRole("dialog", { name: "Запись тем временем изменили" });
    await expect(dialog).toContainText("соболь");
    await expect(dialog).toContainText("победоносец");
    await dialog.getByRole("button", { name: "Сохранить моё" }).click();
    await expect(row(page)).toContainText("победоносец");
    await other.close();
  });

  await page.keyboard.press("Control+KeyK");
  await page.keyboard.type("1103");
  await expect(page.getByRole("option", { name: /1103/ })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/coins\/1103$/);
});

test("the screens of coins are accessible on a desktop and on a phone", async ({ page, shop }) => {
  await signInAs(page, shop, "editor", "/coins");
  await expect(page.getByRole("row").nth(5)).toBeVisible();
  await expectAccessible(page, "the list of coins");
  for (const path of ["/coins/1103", "/coins/new", "/coins/categories", "/coins/series", "/coins/synonyms"]) {
    await openOffice(page, shop, path);
    await expect(page.getByText("Загружаем…")).toHaveCount(0);
    await expectAccessible(page, path);
  }
});
