import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { qrOf } from "#kit/documents/qr.ts";
import { readQr } from "#tests/read-qr.ts";
import { QrCode } from "./qr-code.tsx";

test.each([
  ["a link to pay", "https://yoomoney.ru/payments/external/confirmation?orderId=22e12f66-000f-5000-8000-18db351245c7"],
  ["Russian letters and signs", "ST00012|Name=ООО «Чекан»|Purpose=Заказ № 10001 ₽ — ёлочка"],
  ["as much as an invoice can hold", `ST00012|${"Назначение ".repeat(40)}`],
])("a scanner reads %s off the drawn code to the letter", async (_, text) => {
  const svg = renderToStaticMarkup(<QrCode qr={qrOf(text)} label="Код" />).replace(
    "<svg ",
    '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900" ',
  );
  expect(await readQr(Buffer.from(svg))).toBe(text);
});
