import type { Locator, Page } from "@playwright/test";
import { expect, putInCart, test, open } from "../journey.ts";

const caretOf = (field: Locator): Promise<number> => field.evaluate((element) => (element as HTMLInputElement).selectionStart ?? -1);
const select = (field: Locator, from: number, to: number): Promise<void> =>
  field.evaluate((element, [start, end]) => (element as HTMLInputElement).setSelectionRange(start, end), [from, to] as const);

const places: { name: string; openField: (page: Page) => Promise<Locator> }[] = [
  {
    name: "sign-in",
    openField: async (page) => {
      await open(page, "/about");
      await page.getByRole("banner").getByRole("button", { name: "Войти" }).first().click();
      return page.getByRole("dialog").getByLabel("Телефон");
    },
  },
  {
    name: "checkout",
    openField: async (page) => {
      await putInCart(page);
      await open(page, "/checkout");
      return page.getByRole("textbox", { name: "Телефон" });
    },
  },
  {
    name: "the request for a call",
    openField: async (page) => {
      await open(page, "/contacts");
      return page.getByRole("main").getByRole("textbox", { name: "Телефон" });
    },
  },
];

for (const { name, openField } of places) {
  test(`${name}: a phone can be edited in the middle, and a number that starts with 7 or 8 typed`, async ({ page }) => {
    const phone = await openField(page);
    await phone.click();
    await page.keyboard.type("9161017471");
    await expect(phone).toHaveValue("+7 (916) 101-74-71");
    await page.keyboard.press("Home");
    for (let press = 0; press < 6; press += 1) await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Backspace");
    await expect(phone).toHaveValue("+7 (961) 017-47-1");
    await page.keyboard.press("2");
    await expect(phone).toHaveValue("+7 (926) 101-74-71");
    expect(await caretOf(phone)).toBe(6);
    for (const [typed, shown] of [
      ["88123456789", "+7 (812) 345-67-89"],
      ["+7 812 123-45-67", "+7 (812) 123-45-67"],
      ["8 800 555 35 35", "+7 (800) 555-35-35"],
      ["7 707 123 45 67", "+7 (707) 123-45-67"],
    ] as const) {
      await phone.selectText();
      await page.keyboard.type(typed);
      await expect(phone, typed).toHaveValue(shown);
    }
  });
}

test("a phone is edited by selection, forward deletion, partial paste, cut, undo and redo", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const phone = await places[2]!.openField(page);
  const clip = (text: string) => page.evaluate((value) => navigator.clipboard.writeText(value), text);
  await phone.fill("89161017471");
  await expect(phone).toHaveValue("+7 (916) 101-74-71");

  await select(phone, 7, 12); // the digits between the brackets and the dash
  await page.keyboard.press("2");
  await expect(phone).toHaveValue("+7 (916) 274-71");
  expect(await caretOf(phone)).toBe(10);
  await clip("0-0");
  await page.keyboard.press("Control+V");
  await expect(phone).toHaveValue("+7 (916) 200-74-71");
  expect(await caretOf(phone)).toBe(12);
  await select(phone, 7, 7);
  await page.keyboard.press("Delete");
  await expect(phone).toHaveValue("+7 (916) 007-47-1");
  expect(await caretOf(phone)).toBe(7);
  await page.keyboard.press("Control+Z");
  await expect(phone).toHaveValue("+7 (916) 200-74-71");
  await page.keyboard.press("Control+Z");
  await expect(phone).toHaveValue("+7 (916) 274-71");
  await page.keyboard.press("Control+Shift+Z");
  await expect(phone).toHaveValue("+7 (916) 200-74-71");
  await select(phone, 4, 7);
  await page.keyboard.press("Control+X");
  await expect(phone).toHaveValue("+7 (200) 747-1");
  expect(await caretOf(phone)).toBe(4);
  await page.keyboard.press("Control+V");
  await expect(phone).toHaveValue("+7 (916) 200-74-71");
  await clip("8 (812) 123-45-67");
  await select(phone, 10, 10);
  await page.keyboard.press("Control+V");
  await expect(phone).toHaveValue("+7 (812) 123-45-67");
  await clip("+375 29 123-45-67");
  await phone.selectText();
  await page.keyboard.press("Control+V");
  await expect(phone).toHaveValue("+7 (812) 123-45-67");
  await expect(phone).toHaveAccessibleDescription("Нужен российский номер: +7 и десять цифр");
  await phone.fill("");
  await expect(phone).toHaveValue("");
  await expect(phone).not.toHaveAccessibleDescription(/российский/);
  await page.keyboard.type("8");
  await expect(phone).toHaveValue("+7 (");
  await phone.blur();
  await expect(phone).toHaveValue("");
});

test("a phone is filled in by autofill, by a touch keyboard without key events and by an input method", async ({ page }) => {
  const phone = await places[2]!.openField(page);
  for (const spelling of ["89161017471", "+79161017471", "9161017471", "+7 916 101-74-71"]) {
    for (const before of ["", "84951234567"]) {
      await phone.fill(before);
      await phone.evaluate((element, value) => {
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(element, value);
        element.dispatchEvent(new Event("input", { bubbles: true }));
        element.dispatchEvent(new Event("change", { bubbles: true }));
      }, spelling);
      await expect(phone, `${spelling} over «${before}»`).toHaveValue("+7 (916) 101-74-71");
    }
  }
  await phone.fill("");
  await phone.focus();
  for (const digit of "89161017471") await page.keyboard.insertText(digit);
  await expect(phone).toHaveValue("+7 (916) 101-74-71");
  await select(phone, 6, 6);
  await page.keyboard.insertText("2");
  await expect(phone).toHaveValue("+7 (912) 610-17-47");
  expect(await caretOf(phone)).toBe(7);

  await phone.fill("");
  const keyboard = await page.context().newCDPSession(page);
  for (const text of ["8", "89", "891", "8916"])
    await keyboard.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
  await expect(phone).toHaveValue("8916"); // unchanged during composition
  await keyboard.send("Input.insertText", { text: "8916" });
  await expect(phone).toHaveValue("+7 (916");
  await keyboard.send("Input.imeSetComposition", { text: "101", selectionStart: 3, selectionEnd: 3 });
  await keyboard.send("Input.insertText", { text: "101" });
  await expect(phone).toHaveValue("+7 (916) 101");
  expect(await caretOf(phone)).toBe(12);
});
