import type { Page } from "@playwright/test";
import { aCoin, marketStands } from "../journey.ts";
import { aPaidOrder, expect, expectAccessible, openOffice, signInAs, test } from "./office.ts";

/** What the scanner does: types the code and presses Enter. */
async function scan(page: Page, code: string): Promise<void> {
  await page.keyboard.type(code);
  await page.keyboard.press("Enter");
}

test.use({ shopOf: "packing" }); // what other journeys left waits to be packed, too

test("an unknown batch is a page, and one that could not be read says why", async ({ page, shop }) => {
  await signInAs(page, shop, "packing", "/packing/batches/999999");
  await expect(page.getByRole("heading", { level: 1, name: "Такой страницы нет" })).toBeVisible();
  await page.route("**/api/staff/packing/batches/1", (route) => route.abort());
  await openOffice(page, shop, "/packing/batches/1");
  await expect(page.getByRole("alert")).toContainText("Нет связи");
});

test("the message about a lost connection goes when the tick has arrived, and a wrong seal gets a message with its rule", async ({
  page,
  shop,
}) => {
  await aPaidOrder(page, shop, { quantity: 2 });
  await signInAs(page, shop, "packing", "/packing");
  await page.getByRole("button", { name: "Собирать всё" }).click();
  const order = page.getByRole("region", { name: "Заказ", exact: true });
  await expect(order.getByRole("checkbox")).toBeVisible();
  await page.context().setOffline(true);
  await order.getByRole("checkbox").click();
  await expect(order.getByRole("alert")).toContainText("Нет связи");
  await page.context().setOffline(false);
  await expect(order.getByText("1 из 2", { exact: true })).toBeVisible();
  await expect(order.getByText("Нет связи")).toHaveCount(0);
  await order.getByRole("checkbox").click();
  await expect(page.getByLabel("Номер пломбы")).toBeFocused();
  await scan(page, "SEAL-12");
  await expect(order.getByRole("alert")).toContainText("цифр не меньше четырёх");
  await scan(page, `SEAL-${process.pid}-99`);
  await expect(page.getByText("Партия собрана")).toBeVisible();
  for (const label of page.context().pages().slice(1)) await label.close();
  await openOffice(page, shop, "/packing/hand-over");
  await page.getByRole("button", { name: "Передано, 1" }).click();
  await expect(page.getByText("Передавать нечего")).toBeVisible();
});

test("ten orders are packed by scanner: a wrong piece is refused, a reload keeps the pieces, no clicks are needed", async ({
  page,
  shop,
}) => {
  await marketStands(shop);
  for (let number = 0; number < 10; number += 1) await aPaidOrder(page, shop, { quantity: number === 3 ? 2 : 1 });

  await page.addInitScript(() => {
    addEventListener("click", (event) => {
      if (event.detail > 0) sessionStorage.setItem("clicks", String(Number(sessionStorage.getItem("clicks") ?? 0) + 1));
    });
  });
  const clicks = () => page.evaluate(() => Number(sessionStorage.getItem("clicks") ?? 0));
  await signInAs(page, shop, "packing", "/packing");
  await expect(page.getByRole("heading", { name: "Упаковка" })).toBeVisible();
  await expect(page.getByText("10 заказов ждут сборки")).toBeVisible();
  await page.getByRole("button", { name: "Собирать всё" }).press("Enter");
  const order = page.getByRole("region", { name: "Заказ", exact: true });
  const field = page.getByLabel(/Код монеты|Номер пломбы/);
  await expect(field).toBeFocused();
  await expect(page.getByText("10 заказов, 11 монет")).toBeVisible();
  // The list beside the order is longer than the screen.
  await expect(order.getByRole("button", { name: /^Упаковано/ })).toBeInViewport({ ratio: 1 });
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect(order.getByRole("button", { name: /^Упаковано/ })).toBeInViewport({ ratio: 1 });
  await expectAccessible(page, "a batch");
  await expect(field).toBeFocused();

  await scan(page, "1002");
  await expect(page.getByRole("alert")).toContainText("Не та монета");
  const before = await clicks();
  for (let number = 0; number < 10; number += 1) {
    const heading = order.getByRole("heading");
    const shown = (await heading.textContent()) ?? "";
    await scan(page, String(aCoin.id));
    if (number === 3) {
      await expect(order.getByText("1 из 2", { exact: true })).toBeVisible();
      await openOffice(page, shop, new URL(page.url()).pathname + new URL(page.url()).search);
      await expect(order.getByText("1 из 2", { exact: true })).toBeVisible();
      await expect(field).toBeFocused();
      await scan(page, String(aCoin.id));
    }
    if (number === 5) {
      // One piece too many instead of the seal: the order stays open, the field is empty, and the next scan is the seal.
      await expect(page.getByLabel("Номер пломбы")).toBeVisible();
      await scan(page, String(aCoin.id));
      await expect(order.getByRole("alert")).toContainText("пломбы");
      await expect(heading).toHaveText(shown);
      await expect(field).toBeFocused();
      await expect(field).toHaveValue("");
      await expect(field).toHaveAccessibleDescription(/пломбы/);
    }
    // The scanner is faster than the screen: the seal follows the last piece at once.
    await scan(page, `SEAL-${process.pid}-${number}0`);
    await expect(page.getByText(`Упакован заказ ${shown}`).or(page.getByText("Партия собрана"))).toBeVisible();
    if (number < 9) await expect(heading).not.toHaveText(shown);
  }
  await expect(page.getByText("Партия собрана")).toBeVisible();
  expect(await clicks()).toBe(before);
  const windows = page.context().pages();
  expect(windows.length).toBe(2);
  await windows[1]?.close();

  await page.getByRole("link", { name: "Упаковка" }).click();
  await page.getByRole("link", { name: /Опись курьеру, 10/ }).click();
  await expect(page.getByRole("cell", { name: /SEAL-/ })).toHaveCount(10);
  // An order that stays is unticked, and the courier does not sign for it.
  const ticked = page.getByRole("checkbox", { name: /^Передать заказ/ });
  await ticked.first().uncheck();
  await expect(page.getByRole("button", { name: "Передано, 9" })).toBeVisible();
  const [sheet, paper] = [
    page.context().waitForEvent("request", (request) => request.url().includes("/hand-over/list")),
    page.waitForEvent("popup"),
  ];
  await page.getByRole("button", { name: "Опись, 9" }).click();
  expect(new URL((await sheet).url()).searchParams.get("numbers")?.split(",")).toHaveLength(9);
  await (await paper).close();
  for (const each of await ticked.all()) await each.uncheck();
  await expect(page.getByRole("button", { name: "Опись всех, 10" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Передано, 0" })).toBeDisabled();
  await expectAccessible(page, "the hand-over");
  for (const each of await ticked.all()) await each.check();
  await page.getByRole("button", { name: "Передано, 10" }).click();
  await expect(page.getByRole("status")).toContainText("Передано: 10");
  await expect(page.getByText("Передавать нечего")).toBeVisible();
});
