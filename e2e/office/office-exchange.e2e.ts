import { readFile } from "node:fs/promises";
import type { Download, Page } from "@playwright/test";
import type { RunningShop } from "#tests/running-shop.ts";
import { expect, expectAccessible, openOffice, signInAs, test } from "./office.ts";
import { aCoin, exchangeAccess, marketStands } from "../journey.ts";

test.use({ shopOf: "exchange" }); // other journeys count on the prices and the stock of the seed

async function saved(page: Page, press: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const coming = page.waitForEvent("download");
  await press();
  const download: Download = await coming;
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

async function drop(page: Page, name: string, bytes: Buffer): Promise<void> {
  await page.locator("input[type=file]").setInputFiles({ name, mimeType: "text/csv", buffer: bytes });
}

test("premiums are exported, two are changed in the file, previewed and applied, and the shop shows them", async ({ page, shop }) => {
  await marketStands(shop);
  await signInAs(page, shop, "owner", "/exchange?view=export");
  await page.getByLabel("Формат таблиц").selectOption("csv");
  const { name, bytes } = await saved(page, () => page.getByRole("button", { name: "Цены", exact: true }).click());
  expect(name).toMatch(/^Цены 20\d\d-\d\d-\d\d\.csv$/);
  await expectAccessible(page, "exports");

  await test.step("the shop's own export changes nothing", async () => {
    await openOffice(page, shop, "/exchange");
    await drop(page, name, bytes);
    await expect(page.getByText("В файле то же, что в магазине: менять нечего.")).toBeVisible();
    await expect(page.getByRole("button", { name: /Применить/ })).toHaveCount(0);
  });

  const [head = "", ...rows] = bytes.toString().split("\r\n");
  const column = head.split(";").indexOf("Премия, %");
  let changed = 0;
  const edited = rows.map((row, index) => {
    const cells = row.split(";");
    // Not the first coins: other journeys buy them at the premium of the seed.
    if (changed === 2 || index < 30 || !/инвестиционная/.test(row) || row.includes('"')) return row;
    changed += 1;
    cells[column] = String(Number((cells[column] ?? "").replace(",", ".")) + 0.5).replace(".", ",");
    return cells.join(";");
  });
  const article = Number(edited.find((row, index) => row !== rows[index])?.split(";")[0]);
  const priceOf = async (): Promise<number> => {
    const answer = await page.request.get(`${shop.url}/api/products?ids=${article}`);
    const { data } = (await answer.json()) as { data: { price: number | null }[] };
    return data[0]?.price ?? 0;
  };
  const before = await priceOf();
  expect(before).toBeGreaterThan(0);

  await openOffice(page, shop, "/exchange");
  await drop(page, "Премии на декабрь.csv", Buffer.from([head, ...edited].join("\r\n")));
  await expect(
    page
      .getByRole("status")
      .filter({ hasText: "изменений 2" })
      .or(page.getByText(/Изменений 2, без изменений/)),
  ).toBeVisible();
  await expect(page.getByRole("row")).toHaveCount(3);
  await expectAccessible(page, "the differences of a file");
  await page.getByRole("button", { name: "Применить 2" }).click();
  await expect(page.getByText(/Применил .*изменено 2/)).toBeVisible();
  await expect.poll(priceOf).toBeGreaterThan(before);

  await openOffice(page, shop, "/exchange");
  await expect(page.getByRole("row", { name: /Премии на декабрь/ })).toContainText("применён");
  await expectAccessible(page, "imports");
});

test("a damaged file and a file with errors change nothing and say what is wrong", async ({ page, shop }) => {
  await signInAs(page, shop, "owner", "/exchange");
  await drop(page, "Цены.xlsx", Buffer.from("PK\u0003\u0004half of a file"));
  await expect(page.getByRole("alert")).toContainText("Файл повреждён");
  await drop(page, "Цены.csv", Buffer.from("Артикул;Премия, %\r\n1001;много\r\n99999999;5\r\n"));
  await expect(page.getByText("Премия, %: Нужно число")).toBeVisible();
  await expect(page.getByText("Артикул: Монеты с таким артикулом в магазине нет")).toBeVisible();
  await expect(page.getByRole("button", { name: /Применить/ })).toHaveCount(0);
  await page.getByRole("link", { name: /Предупреждения/ }).click();
  await expect(page.getByText("Таких строк нет.")).toBeVisible();
});

test("the price list for partners is a PDF, and staff without the right to import see whom to ask", async ({ page, shop }) => {
  await signInAs(page, shop, "accountant", "/exchange?view=export");
  const { name, bytes } = await saved(page, () => page.getByRole("button", { name: "Прайс PDF" }).click());
  expect([name.endsWith(".pdf"), bytes.subarray(0, 5).toString()]).toEqual([true, "%PDF-"]);
  await page.getByRole("link", { name: "Загрузить", exact: true }).click();
  await expect(page.getByText(/Загружать таблицы может тот/)).toBeVisible();
});

/** Sends a file as 1C does: sign-in, session, one file, and its import until it is done. */
async function sendFile(shop: RunningShop, content: string): Promise<void> {
  const { COMMERCEML_LOGIN: login, COMMERCEML_PASSWORD: password } = exchangeAccess;
  const call = async (query: string, request: RequestInit): Promise<string[]> => {
    const answer = await fetch(`${shop.url}/api/exchange/1c?type=catalog&${query}`, request);
    return new TextDecoder("windows-1251").decode(await answer.arrayBuffer()).split("\n");
  };
  const authorization = `Basic ${Buffer.from(`${login}:${password}`).toString("base64")}`;
  const [signedIn, cookieName, token] = await call("mode=checkauth", { headers: { authorization } });
  expect(signedIn).toBe("success");
  const headers = { cookie: `${cookieName}=${token}` };
  await call("mode=init", { headers });
  const body =
    '<?xml version="1.0" encoding="utf-8"?><КоммерческаяИнформация xmlns="urn:1C.ru:commerceml_2" ВерсияСхемы="2.08">' +
    `${content}</КоммерческаяИнформация>`;
  const [sent] = await call("mode=file&filename=import.xml", {
    method: "POST",
    headers: { ...headers, "content-type": "application/octet-stream" },
    body,
  });
  expect(sent).toBe("success");
  await expect.poll(async () => (await call("mode=import&filename=import.xml", { headers }))[0]).toBe("success");
}

async function sendGoods(shop: RunningShop, goods: readonly { guid: string; name: string; article?: number }[]): Promise<void> {
  const items = goods.map(
    ({ guid, name, article = "" }) => `<Товар><Ид>${guid}</Ид><Артикул>${article}</Артикул><Наименование>${name}</Наименование></Товар>`,
  );
  await sendFile(shop, `<Каталог СодержитТолькоИзменения="true"><Ид>c1</Ид><Товары>${items.join("")}</Товары></Каталог>`);
}

async function sendPieces(shop: RunningShop, offers: readonly { guid: string; pieces: number }[]): Promise<void> {
  const items = offers.map(({ guid, pieces }) => `<Предложение><Ид>${guid}</Ид><Количество>${pieces}</Количество></Предложение>`);
  await sendFile(shop, `<ПакетПредложений><Предложения>${items.join("")}</Предложения></ПакетПредложений>`);
}

test("goods that 1C sends wait for their coin, are mapped by article, put aside and taken back", async ({ page, shop }) => {
  const goods = [
    { guid: "journey-1", name: "Победоносец без артикула" },
    { guid: "journey-2", name: "Футляр бархатный" },
  ];
  await sendGoods(shop, goods);
  await signInAs(page, shop, "accountant", "/exchange");
  await page.getByRole("link", { name: "1С", exact: true }).click();
  await expect(page.getByText(`${shop.url}/api/exchange/1c`)).toBeVisible();
  await expect(page.getByRole("cell", { name: "catalog import" }).first()).toBeVisible();
  const tab = (name: RegExp) => page.getByRole("navigation", { name: "Какие товары показать" }).getByRole("link", { name }).click();
  const coin = page.getByRole("row", { name: /Победоносец без артикула/ });
  const box = page.getByRole("row", { name: /Футляр бархатный/ });
  await expect(box).toBeVisible();
  await expectAccessible(page, "goods of the accounting exchange");

  await test.step("what is no article is said beside the field", async () => {
    await coin.getByLabel(/Артикул монеты/).fill("десять");
    await coin.getByRole("button", { name: "Сопоставить" }).click();
    await expect(coin.getByText("Артикул монеты — число, например 1001")).toBeVisible();
    await coin.getByLabel(/Артикул монеты/).fill("99999998");
    await coin.getByRole("button", { name: "Сопоставить" }).click();
    await expect(coin.getByText("Монеты с таким артикулом нет")).toBeVisible();
  });

  await coin.getByLabel(/Артикул монеты/).fill(String(aCoin.id));
  await coin.getByRole("button", { name: "Сопоставить" }).click();
  await expect(coin).toHaveCount(0);
  await tab(/Сопоставлены/);
  await expect(coin.getByText(String(aCoin.id), { exact: true })).toBeVisible();
  await expect(coin.getByRole("link"), "the accountant may not open coins").toHaveCount(0);
  await expect(box).toHaveCount(0);

  await tab(/Без монеты/);
  await box.getByRole("button", { name: "Не наш" }).click();
  await expect(box).toHaveCount(0);
  await tab(/Не наши/);
  await box.getByRole("button", { name: "Вернуть" }).click();
  await expect(box).toHaveCount(0);
  await tab(/Без монеты/);
  await expect(box).toBeVisible();
});

test("pieces that 1C sends in two files are one table; when the stock has moved, it is checked again and the rest is applied", async ({
  page,
  shop,
}) => {
  // Silver coins that no other journey buys.
  const [moved, other] = [1375, 1376];
  await sendGoods(shop, [
    { guid: "journey-3", name: "Либертад 2024", article: moved },
    { guid: "journey-4", name: "Либертад 2025", article: other },
  ]);
  await sendPieces(shop, [{ guid: "journey-3", pieces: 301 }]);
  await sendPieces(shop, [{ guid: "journey-4", pieces: 302 }]);
  await signInAs(page, shop, "owner", "/exchange");
  await page
    .getByRole("row", { name: /Остатки, из 1С/ })
    .filter({ hasText: "проверен" })
    .getByRole("link")
    .click();
  await expect(page.getByRole("heading", { name: "Остатки: обмен с 1С" })).toBeVisible();
  const table = page.url();
  await expect(page.getByRole("row", { name: /1375/ })).toContainText("301");
  await expect(page.getByRole("row", { name: /1376/ })).toContainText("302");

  await test.step("a piece arrives meanwhile", async () => {
    await openOffice(page, shop, "/exchange");
    await page.getByLabel("Что в таблице").selectOption("stock");
    await drop(page, "Приход.csv", Buffer.from(`Артикул;Принято, шт.\r\n${moved};1\r\n`));
    await page.getByRole("button", { name: "Применить 1" }).click();
    await expect(page.getByText(/Применил .*изменено 1/)).toBeVisible();
  });

  await openOffice(page, shop, new URL(table).pathname);
  await page.getByRole("button", { name: "Применить 2" }).click();
  await expect(page.getByRole("alert")).toContainText("Нажмите «Проверить заново»");
  await page.getByRole("button", { name: "Проверить заново" }).click();
  await expect(page).not.toHaveURL(table);
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(page.getByRole("row", { name: /1375/ })).toContainText("Пропущено");
  await expectAccessible(page, "a table of 1C that was checked again");
  await page.getByRole("button", { name: "Применить 1" }).click();
  await expect(page.getByText(/Применил .*изменено 1/)).toBeVisible();

  await openOffice(page, shop, "/exchange?view=1c");
  await page.getByRole("button", { name: "Проверить заново" }).click();
  await expect(page.getByRole("row", { name: /1375/ })).toContainText("Пропущено");
  await expect(page.getByRole("button", { name: /Применить/ })).toHaveCount(0);
});
