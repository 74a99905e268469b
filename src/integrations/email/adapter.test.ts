import { afterEach, beforeEach, expect, test } from "vitest";
import { AccountRefused, MessageRefused, type EmailGateway } from "#shop/notifications/gateway.ts";
import { createSmtpGateway } from "./adapter.ts";
import { startSmtpSimulator, type SmtpSimulator } from "./simulator.ts";

const now = (): Date => new Date("2026-11-20T09:00:00Z");
let simulator: SmtpSimulator;
let gateway: EmailGateway;

beforeEach(async () => {
  simulator = await startSmtpSimulator({ now });
  gateway = createSmtpGateway({ url: simulator.url, from: "Чекан <orders@chekan.example>", now });
});
afterEach(() => simulator.close());

const letter = {
  messageId: "<outbox-7@chekan.example>",
  to: "buyer@example.com",
  subject: "Заказ №1042 принят — «Чекан», подробности внутри письма",
  text:
    "Здравствуйте!\n\n• Георгий Победоносец — 2\u00A0шт., 123\u00A0456\u00A0₽\n" +
    ".строка с точкой\nhttps://chekan.example/order/o1?key=a_b-c=",
};

test("a letter arrives word for word, under the message id it was given", async () => {
  await gateway.send(letter);
  expect(simulator.messages("buyer@example.com")).toEqual([
    {
      at: now(),
      to: "buyer@example.com",
      subject: letter.subject,
      messageId: letter.messageId,
      unsubscribe: "",
      attachments: [],
      html: "",
      text: `${letter.subject}\n\n${letter.text}`,
    },
  ]);
  expect(simulator.messages("another@example.com")).toEqual([]);
});

test("a letter that can be unsubscribed has the header that mail programs expect", async () => {
  const unsubscribe = `https://chekan.example/api/alerts/unsubscribe/${"a".repeat(60)}.${"b".repeat(32)}`;
  await gateway.send({ ...letter, unsubscribe });
  expect(simulator.messages()[0]).toMatchObject({ unsubscribe, subject: letter.subject });
});

test("a letter in the look of the shop travels beside its plain text, with files and without", async () => {
  const html = '<p style="color:#7d5f1d">Заказ №1042 — 45\u00A0123\u00A0₽</p>\n';
  await gateway.send({ ...letter, html });
  await gateway.send({ ...letter, html, attachments: [{ name: "schet-10001.pdf", type: "application/pdf", bytes: Buffer.from("%PDF") }] });
  const [withFile, alone] = simulator.messages();
  expect(alone).toMatchObject({ html, text: `${letter.subject}\n\n${letter.text}`, attachments: [] });
  expect(withFile).toMatchObject({ html, attachments: [{ name: "schet-10001.pdf" }] });
});

test("a file arrives beside its letter, byte for byte", async () => {
  const bytes = Buffer.from(Array.from({ length: 3_000 }, (_, index) => index % 256));
  await gateway.send({ ...letter, attachments: [{ name: "schet-10001.pdf", type: "application/pdf", bytes }] });
  const [got] = simulator.messages();
  expect(got?.text).toBe(`${letter.subject}\n\n${letter.text}\n\n[вложение: schet-10001.pdf]`);
  expect(got?.attachments).toMatchObject([{ name: "schet-10001.pdf", type: "application/pdf" }]);
  expect(got?.attachments[0]?.bytes.equals(bytes)).toBe(true);
});

test("a mailbox that does not exist is a refusal for good, a greylisted one is worth another try", async () => {
  simulator.refuseWith(550);
  await expect(gateway.send(letter)).rejects.toThrow(MessageRefused);
  simulator.refuseWith(451);
  const failure = await gateway.send(letter).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Error);
  expect(failure).not.toBeInstanceOf(MessageRefused);
  simulator.refuseWith(null);
  await gateway.send(letter);
  expect(simulator.messages()).toHaveLength(1);
});

test("a sender that the server does not accept is corrected in the settings: letters wait for it and are not given up", async () => {
  simulator.refuseSender(true);
  const failure = await gateway.send(letter).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(AccountRefused);
  expect(failure).toMatchObject({ message: "mail: EENVELOPE 553" });
  simulator.refuseSender(false);
  await gateway.send(letter);
  expect(simulator.messages()).toHaveLength(1);
});

test("a recipient that contains a list of addresses sends to no other address", async () => {
  await gateway.send({ ...letter, to: "buyer@example.com,stranger@example.com" }).catch(() => {});
  expect(simulator.messages("stranger@example.com")).toEqual([]);
});

test("errors never repeat the buyer's address", async () => {
  simulator.refuseWith(550);
  await expect(gateway.send(letter)).rejects.toThrow(/^mail: EENVELOPE 550$/);
});

test("when the line is cut after the letter was taken, the second copy carries the same id", async () => {
  simulator.loseAnswers(true);
  await expect(gateway.send(letter)).rejects.toThrow(/^mail: /);
  simulator.loseAnswers(false);
  await gateway.send(letter);
  expect(simulator.messages().map((each) => each.messageId)).toEqual([letter.messageId, letter.messageId]);
});

test.each(["error", "garbage", "html", "empty", "shape", "unauthorized", "too_many", "reset", "timeout"] as const)(
  "a mail server in the mode %s is reported within six seconds, and a well one works again",
  async (mode) => {
    simulator.setFault(mode);
    const started = performance.now();
    await expect(gateway.send(letter)).rejects.toThrow(/^mail: /);
    expect(performance.now() - started).toBeLessThan(6_000);
    simulator.setFault("ok");
    await gateway.send(letter);
    expect(simulator.messages()).toHaveLength(1);
  },
);

test("a slow mail server is waited for", async () => {
  simulator.setFault("slow");
  await gateway.send(letter);
  expect(simulator.messages()).toHaveLength(1);
});

test("a mail server that is down is left alone after five tries", async () => {
  simulator.setFault("error");
  for (let round = 0; round < 5; round += 1) await expect(gateway.send(letter)).rejects.toThrow(/^mail: /);
  simulator.setFault("ok");
  await expect(gateway.send(letter)).rejects.toMatchObject({ failure: "breaker_open" });
});
