import { expect, test } from "vitest";
import { arrivalOf } from "./arrival.ts";

const shop = "https://shop.example";
const nothing = { referrer: "", utmSource: "", utmMedium: "", utmCampaign: "", isPaidClick: false };

test("an order says which site led to the shop, and no more of its address than the host", () => {
  expect(arrivalOf("https://yandex.ru/search?text=иванов+иван", `${shop}/catalog`, shop)).toEqual({ ...nothing, referrer: "yandex.ru" });
  expect(arrivalOf("android-app://org.telegram.messenger/", `${shop}/`, shop)).toMatchObject({ referrer: "org.telegram.messenger" });
  expect(arrivalOf("", `${shop}/`, shop)).toEqual(nothing);
});

test("marks of the opened address are sent without the id of the click", () => {
  const opened = `${shop}/?utm_source=yandex&utm_medium=cpc&utm_campaign=autumn&utm_content=x&yclid=12345678901234567890`;
  const sent = arrivalOf("https://yabs.yandex.ru/count", opened, shop);
  expect(sent).toEqual({ referrer: "yabs.yandex.ru", utmSource: "yandex", utmMedium: "cpc", utmCampaign: "autumn", isPaidClick: true });
});

test("a page that was opened from the shop itself does not know how the visitor came", () => {
  expect(arrivalOf(`${shop}/catalog`, `${shop}/products/coin`, shop)).toBeNull();
  expect(arrivalOf(`${shop}/catalog`, `${shop}/?utm_source=letter`, shop)).toMatchObject({ referrer: "", utmSource: "letter" });
});
