import { expect, test } from "./journey.ts";

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 780 } });

  test("a card shows the mass of its metal", async ({ page }) => {
    await page.goto("/catalog/gold");
    await expect(page.getByRole("main").getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Георгий Победоносец" }) }).first().getByText(/^\d[\d,]*\sг$/)).toBeVisible();
  });
});
