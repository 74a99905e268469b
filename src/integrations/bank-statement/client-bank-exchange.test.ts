import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readStatement } from "./client-bank-exchange.ts";

/** As a bank writes it: windows-1251, CRLF. */
const example = readFileSync(new URL("./example-statement.txt", import.meta.url));
const read = (bytes: Uint8Array) => {
  const statement = readStatement(bytes);
  return statement.ok ? statement.value : null;
};
const asText = new TextDecoder("windows-1251").decode(example);
const ours = "40702810600000000001";

test("a statement is read entry by entry; an unreadable document is reported with its line and hides no other", () => {
  expect(read(example)).toEqual({
    accounts: [
      {
        account: ours,
        from: "2026-11-20",
        till: "2026-11-20",
        opening: 100_000,
        received: 54_150_055,
        spent: 7_000,
        closing: 54_243_055,
      },
    ],
    entries: [
      {
        number: "125",
        date: "2026-11-20",
        arrivedOn: "2026-11-20",
        amount: 45_123_000,
        payer: "Иванов Иван Иванович",
        payerAccount: "40817810099910004312",
        payeeAccounts: [ours],
        purpose: "Оплата заказа № 10005. В том числе НДС 22% 1234.50",
      },
      {
        number: "125",
        date: "2026-11-20",
        arrivedOn: "2026-11-20",
        amount: 9_000_055,
        payer: 'ООО "Ромашка = Лютик"',
        payerAccount: "40702810400000000123",
        payeeAccounts: [ours],
        purpose: "По счету 10006 от 19.11.2026 за монеты",
      },
      {
        number: "77",
        date: "2026-11-20",
        arrivedOn: null,
        amount: 7_000,
        payer: "",
        payerAccount: ours,
        payeeAccounts: ["70601810000000000001"],
        purpose: "Комиссия банка",
      },
      {
        number: "10",
        date: "2026-11-20",
        arrivedOn: null,
        amount: 27_000,
        payer: "Петрова",
        payerAccount: null,
        payeeAccounts: [ours],
        purpose: "Заказ 10007",
      },
    ],
    faults: [{ line: 58, what: "cannot be read: Дата, Сумма" }],
  });
});

test("the same statement in UTF-8, with a mark before it, and in the letters of DOS says the same", () => {
  const whole = read(example);
  expect(read(new TextEncoder().encode(asText))).toEqual(whole);
  expect(read(new TextEncoder().encode(`\uFEFF${asText}`))).toEqual(whole);
  const dos = (text: string) => Uint8Array.from(Array.from(text.replaceAll("№", "N"), (letter) => ibm866.indexOf(letter)));
  expect(read(dos(asText.replace("Кодировка=Windows", "Кодировка=DOS")))?.entries.map(({ payer }) => payer)).toEqual(
    whole?.entries.map(({ payer }) => payer),
  );
});
const ibm866 = Array.from(new TextDecoder("ibm866").decode(Uint8Array.from({ length: 256 }, (_, byte) => byte)));

test("a file that was cut off gives what is whole and says so", () => {
  const cut = read(new TextEncoder().encode(asText.slice(0, asText.indexOf("Сумма=90000"))));
  expect(cut?.entries.map(({ amount }) => amount)).toEqual([45_123_000]);
  expect(cut?.faults.map(({ what }) => what)).toEqual([
    "the document does not end",
    expect.stringContaining("the file ends before its end"),
  ]);
});

test("a purpose of 300,000 lines is joined once, not copied with each of its lines", () => {
  const lines = Array.from({ length: 300_000 }, (_, index) => `строка ${index}`);
  const long = read(new TextEncoder().encode(asText.replace("Комиссия банка", lines.join("\r\n"))));
  expect(long?.entries.map(({ purpose }) => purpose.length)).toContain(lines.join(" ").length);
});

test("what is not a statement is refused as a whole", () => {
  for (const other of ["", "Номер=1\nСумма=5", "<html>", "%PDF-1.7"])
    expect(readStatement(new TextEncoder().encode(other))).toEqual({ ok: false, error: { code: "statement.not_a_statement" } });
});
