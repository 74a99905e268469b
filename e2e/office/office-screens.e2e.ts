import { postForm } from "../journey.ts";
import { aPaidOrder, expect, expectAccessible, openOffice, roleButtons, signInAs, staffMember, test, type OfficeRole } from "./office.ts";

/** The roles, the owner first: whose screens show most. */
const roles: readonly OfficeRole[] = ["owner", ...(Object.keys(roleButtons) as OfficeRole[]).filter((role) => role !== "owner")];

test("every screen of every role opens without faults, fits a phone and is accessible at 1280 and 390 px", async ({
  page,
  browser,
  shop,
}) => {
  test.setTimeout(420_000);
  const order = await aPaidOrder(page, shop);
  await postForm(shop, "callback", { name: "Мария", phone: order.phone, consent: true });
  await postForm(shop, "reviews", { name: "Олег", rating: 5, text: "Монеты пришли за два дня, пломба цела.", consent: true });
  const checked = new Set<string>();
  for (const role of roles) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const own = await context.newPage();
    await signInAs(own, shop, role);
    const rail = own.getByRole("navigation", { name: "Разделы" });
    const sections = await rail.getByRole("link").evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
    const paths = [...sections, "/devices", ...(sections.includes("/orders") ? [`/orders/${order.id}`] : [])];
    for (const path of paths) {
      // A role sees another screen under the same path where its permissions differ; the rules of the page are those of the first one.
      const isNew = !checked.has(path);
      if (!isNew && role !== "packing") continue;
      checked.add(path);
      await openOffice(own, shop, path);
      await expect(own.getByText("Загружаем…")).toHaveCount(0);
      await expect(own.getByRole("heading", { level: 1, name: "Недоступно вашей роли" })).toHaveCount(0);
      await expectAccessible(own, `${role} ${path}`);
    }
    if (role === "owner") {
      await own.getByRole("button", { name: /владелец/ }).click();
      await expect(own.getByRole("menuitem", { name: "Выйти" })).toBeVisible();
      await expectAccessible(own, "the user menu");
      await own.keyboard.press("Escape");
    }
    await context.close();
  }
  expect(checked.size).toBeGreaterThan(12);
});

test("on a phone the strip of sections shows the one that is open", async ({ page, shop }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signInAs(page, shop, "owner", "/waiting");
  const current = page.getByRole("navigation", { name: "Разделы" }).locator("[aria-current]");
  for (const [path, name] of [
    ["/settings", "Настройки"],
    ["/stock/documents", "Склад"],
    ["/waiting", "Ждёт"],
  ] as const) {
    await openOffice(page, shop, path);
    await expect(current).toContainText(name);
    await expect(current).toBeInViewport({ ratio: 1 });
  }
});

test("the unit in a field of the settings stands beside the number, also a long one, on a phone and a tablet", async ({ page, shop }) => {
  await signInAs(page, shop, "admin");
  for (const width of [390, 768]) {
    await page.setViewportSize({ width, height: 844 });
    for (const path of ["/settings/staff", "/settings/load", "/settings/delivery"]) {
      await openOffice(page, shop, path);
      const units = page.locator(".input-unit");
      await expect(units.first()).toBeVisible();
      const covered = await units.evaluateAll((fields) =>
        fields.flatMap((field) => {
          const [input, unit] = [field.querySelector("input"), field.querySelector("i")];
          if (!input || !unit) return [];
          const room = Number.parseFloat(getComputedStyle(input).paddingRight);
          return input.getBoundingClientRect().right - unit.getBoundingClientRect().left > room ? [unit.textContent] : [];
        }),
      );
      expect(covered, `${path} at ${width}`).toEqual([]);
    }
  }
});

test("the names of coins in the stock are read in full on a tablet, and on a phone with the pieces beside them", async ({ page, shop }) => {
  await page.setViewportSize({ width: 768, height: 1024 });
  await signInAs(page, shop, "packing", "/stock");
  const names = page.getByRole("rowheader");
  await expect(names.first()).toBeVisible();
  const cut = await names.evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent));
  expect(cut).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByRole("columnheader", { name: "На складе" })).toBeInViewport({ ratio: 1 });
});

/** Screens that an editor may not open. */
const foreignToEditors = (
  "/orders /packing /packing/hand-over /requests /buyback /buyback/new /customers /privacy /prices /prices/promos /prices/codes/new " +
  "/prices/steps /metal /stock /stock/documents /exchange /payments /statement /receipts /reports /audit /people /settings /orders/999999"
).split(" ");

test("a screen of another role, opened by its address, names whom to ask and has nothing to press", async ({ browser, shop }) => {
  // An account of the demonstration exists from its first sign-in on.
  for (const role of ["accountant", "owner", "admin"] as const) await (await staffMember(browser, shop, role)).page.close();
  const { page } = await staffMember(browser, shop, "editor");
  const main = page.getByRole("main");
  for (const path of foreignToEditors) {
    await openOffice(page, shop, path);
    await expect(page.getByRole("heading", { level: 1, name: "Недоступно вашей роли" }), path).toBeVisible();
    await expect(main.getByText(/^Роль даёт: .*Алла Админова \(администратор\)/), path).toBeVisible();
    await expect(main.getByRole("button"), path).toHaveCount(0);
  }
  await openOffice(page, shop, "/payments/999999");
  await expect(main.getByText(/^Кто сделает или подскажет: Олег Владельцев \(владелец\), Ольга Счетова \(бухгалтер\)\.$/)).toBeVisible();
  await expectAccessible(page, "a screen of another role");
  await main.getByRole("link", { name: "К разделу «Ждёт»" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Ждёт" })).toBeVisible();
});
