import { expect, test } from "vitest";
import { kopecks } from "#kit/money.ts";
import { letterHtml } from "./letter-html.ts";
import { letterText } from "./letter.ts";
import { orderMessageKinds, type OrderMessage } from "./message.ts";
import { letterOf, type Sender } from "./texts.ru.ts";

const sender: Sender = { shopName: "Чекан", publicUrl: "https://chekan.example", phone: "+7 495 000-00-00", email: "info@chekan.example" };
const message: OrderMessage = {
  kind: "order_placed",
  about: "order:o1",
  email: "buyer@example.com",
  phone: "+79161234567",
  amount: kopecks(50_000),
  order: {
    id: "o1",
    number: 1042,
    guestKey: "k-1",
    total: kopecks(12_345_600),
    payUntil: null,
    collectUntil: null,
    dueOnCollection: null,
    lines: [{ title: "Монета <script>alert(1)</script> & «Соболь»", quantity: 2, sum: kopecks(12_345_600) }],
    delivery: {
      name: "Пункт выдачи СДЭК",
      price: kopecks(0),
      place: "Москва, Тверская, 1",
      workTime: "",
      trackingNumber: null,
      sealNumber: null,
      insuredValue: null,
      arrival: null,
    },
  },
};
const visible = (html: string): string =>
  html
    .replace(/^[\s\S]*<body/, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
const words = (text: string): Set<string> => new Set(text.match(/[\p{L}\d]{3,}/gu));

test.each(orderMessageKinds)("the HTML of a letter about %s contains everything of its plain text", (kind) => {
  const letter = letterOf({ ...message, kind }, sender);
  const html = letterHtml(letter, sender);
  const shown = words(`${visible(html)} ${html}`);
  expect([...words(letterText(letter))].filter((word) => !shown.has(word))).toEqual([]);
});

test("values in a letter are escaped", () => {
  const html = letterHtml(letterOf(message, sender), sender);
  expect(html).not.toContain("<script");
  expect(visible(html)).toContain("<script>alert(1)</script> & «Соболь»");
});

test("a letter loads no external files and its main link is a button to the order", () => {
  const html = letterHtml(letterOf(message, sender), sender);
  expect(html).not.toMatch(/<img|<link|url\(|@import/);
  expect(html).toMatch(/<a href="https:\/\/chekan.example\/order\/o1\?key=k-1" style="display:inline-block[^>]*>Заказ на сайте<\/a>/);
});

test("a URL within a sentence becomes a link without the full stop after it", () => {
  const html = letterHtml({ subject: "", sections: [{ kind: "small", text: "Как вернуть: https://chekan.example/return." }] }, sender);
  expect(html).toContain('href="https://chekan.example/return"');
  expect(html).toContain("</a>.</p>");
});
