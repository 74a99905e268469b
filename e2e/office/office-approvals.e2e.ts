import type { Page } from "@playwright/test";
import { hours } from "#kit/time.ts";
import { aPaidOrder, button, expect, expectAccessible, openOffice, roleButtons, staffMember, test } from "./office.ts";

const accountant = "Ольга Счетова";

/** Reads again what is polled, as a window does that comes to the front. */
const lookAgain = (page: Page) => page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
const rowOf = (page: Page, number: number) => page.getByRole("row", { name: new RegExp(`заказ ${number}\\b`) });
const panelOf = (page: Page) => page.getByRole("complementary", { name: "Возврат денег" });

async function openRequest(page: Page, number: number): Promise<void> {
  await lookAgain(page);
  await button(rowOf(page, number), "Возврат денег").click();
  await expect(panelOf(page)).toBeVisible();
}

test("an approver refuses, a colleague comes too late, and the requester reads why, requests it again and takes it back", async ({
  page,
  browser,
  shop,
}) => {
  const order = await aPaidOrder(page, shop);
  const clerk = await staffMember(browser, shop, "sales");
  const [first, late] = [
    await staffMember(browser, shop, "accountant", "/approvals"),
    await staffMember(browser, shop, "owner", "/approvals"),
  ];
  const card = clerk.page.getByRole("main");
  const ask = async (roubles: string): Promise<void> => {
    await clerk.open(order);
    await button(clerk.page, "Вернуть деньги").click();
    await clerk.page.getByText("Суммой").click();
    await clerk.page.getByLabel("Сколько вернуть").fill(roubles);
    await clerk.page.getByLabel(/^Причина/).fill("Царапина на гурте");
    await button(clerk.page, /^Вернуть 5\s?000/).click();
    await expect(card.getByText(new RegExp(`На согласовании: Возврат денег.*решает .*${accountant}`))).toBeVisible();
  };

  await ask("5000");
  await openRequest(first.page, order.number);
  await openRequest(late.page, order.number);
  await expect(panelOf(first.page).getByText("Царапина на гурте")).toBeVisible();
  await expectAccessible(first.page, "a request with its panel");
  await button(panelOf(first.page), "Отказать").click();
  await first.page
    .getByRole("alertdialog")
    .getByLabel(/^Почему/)
    .fill("Монета цела");
  await button(first.page.getByRole("alertdialog"), "Отказать").click();
  await expect(rowOf(first.page, order.number)).toHaveCount(0);
  await button(panelOf(late.page), /^Согласовать/).click();
  await expect(panelOf(late.page).getByText(`Отказано, ${accountant}: Монета цела.`)).toBeVisible();
  await expect(button(panelOf(late.page), /Согласовать|Отказать/)).toHaveCount(0);

  await lookAgain(clerk.page);
  await expect(card.getByText(`Не сделано: Возврат денег. Отказано, ${accountant}: Монета цела.`)).toBeVisible();
  await button(card, "Понятно").click();
  await expect(card.getByText("Не сделано")).toHaveCount(0);

  await ask("5000");
  await openRequest(first.page, order.number);
  await card.getByRole("link", { name: "Согласования" }).click();
  await expect(panelOf(clerk.page)).toBeVisible();
  await expect(button(panelOf(clerk.page), /Согласовать/)).toHaveCount(0);
  await button(panelOf(clerk.page), "Отозвать").click();
  await button(clerk.page.getByRole("alertdialog"), "Отозвать").click();
  await expect(rowOf(clerk.page, order.number)).toHaveCount(0);
  await button(panelOf(first.page), /^Согласовать/).click();
  await expect(panelOf(first.page).getByText("отозвано")).toBeVisible();

  await ask("5000");
  await shop.advance(hours(25));
  await openOffice(clerk.page, shop, "/waiting");
  await button(clerk.page, roleButtons.sales).click();
  await clerk.page.getByRole("link", { name: "Узнать почему" }).click();
  await expect(panelOf(clerk.page).getByText("срок истёк").first()).toBeVisible();
  await button(panelOf(clerk.page), "Понятно").click();
  await openOffice(clerk.page, shop, "/waiting");
  await expect(clerk.page.getByText("Ваша просьба не выполнена")).toHaveCount(0);
});
