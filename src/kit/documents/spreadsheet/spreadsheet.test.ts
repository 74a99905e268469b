import fc from "fast-check";
import { strToU8, unzipSync, zipSync } from "fflate";
import { expect, test } from "vitest";
import { rounds } from "#tests/rounds.ts";
import { cleanText } from "../../text/clean-text.ts";
import { guardFormula, withoutGuard } from "../spreadsheet-text.ts";
import { readHere } from "./read.ts";
import { readTable, writeTable } from "./spreadsheet.ts";
import type { TableFormat, TableLimits } from "./table.ts";
import { writeXlsxHere } from "./write.ts";

const limits: TableLimits = { rows: 100, columns: 20, cellLength: 1_000, unzippedBytes: 2_000_000 };
/** U+FFFD and code points without a character: write-excel-file leaves them out of a sheet. */
const notInXlsx = /[\p{Noncharacter_Code_Point}\uFFFD]/gu;
const nasty = fc.oneof(
  fc.constantFrom(
    "=cmd|' /C calc'!A0",
    "'=1",
    "''+7",
    "'quoted",
    "-5",
    "+7 916",
    "@x",
    "007",
    "5216-0060",
    "01.02.2026",
    "1e5",
    "a;b",
    'a "b"',
    "a\nb",
    "a,b",
    "constructor",
    "'__proto__",
  ),
  fc.string({ unit: "grapheme", maxLength: 20 }).map((text) => cleanText(text.replaceAll(notInXlsx, ""))),
);

test("a guarded text is the text itself once the guard is taken away", () => {
  fc.assert(fc.property(nasty, (text) => withoutGuard(guardFormula(text)) === text));
  fc.assert(fc.property(fc.string(), (text) => withoutGuard(guardFormula(text)) === text));
});

test.each<TableFormat>(["csv", "xlsx"])("what is written as %s is read again to the letter, whatever the texts", async (format) => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(nasty, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 5 }), async (texts) => {
      const rows = texts.map((row, index) => [`${index}x`, ...row]);
      const table = { name: "Проверка", head: ["ключ", "=один", "два", "три"], rows };
      const bytes = format === "csv" ? await writeTable("csv", table) : await writeXlsxHere(table);
      const read = await readHere(bytes, limits);
      expect(read).toEqual({ ok: true, value: { head: table.head, rows: rows.map((cells, index) => ({ line: index + 2, cells })) } });
    }),
    { numRuns: format === "csv" ? 100 : 25 },
  );
});

test("what XLSX cannot hold is left out, and nothing else of the text", async () => {
  const bytes = await writeXlsxHere({ name: "Знаки", head: ["а"], rows: [["один \uFFFD\uFDD0\u{1FFFE} два"]] });
  expect(await readHere(bytes, limits)).toMatchObject({ ok: true, value: { rows: [{ cells: ["один  два"] }] } });
});

test("numbers are written as numbers and read with a dot; a thread does the work", async () => {
  const table = {
    name: "Числа",
    head: ["а", "б"],
    rows: [
      [1.5, -2],
      [null, 0.05],
    ],
  };
  expect((await writeTable("csv", table)).toString()).toBe("\uFEFFа;б\r\n1,5;-2\r\n;0,05\r\n");
  const read = await readTable(await writeTable("xlsx", table), limits);
  expect(read.ok && read.value.rows.map(({ cells }) => cells)).toEqual([
    ["1.5", "-2"],
    ["", "0.05"],
  ]);
});

test("windows-1251, UTF-16 and commas are understood", async () => {
  const letters = Buffer.from([0xc0, 0xf0, 0xf2, 0x3b, 0xc8, 0x0a, 0x31, 0x3b, 0x32]);
  expect(await readHere(letters, limits)).toMatchObject({ ok: true, value: { head: ["Арт", "И"], rows: [{ cells: ["1", "2"] }] } });
  const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("а\tб\r\n1\t2", "utf16le")]);
  expect(await readHere(wide, limits)).toMatchObject({ ok: true, value: { head: ["а", "б"], rows: [{ cells: ["1", "2"] }] } });
  expect(await readHere(Buffer.from('а,"б;в"\n1,2'), limits)).toMatchObject({ ok: true, value: { head: ["а", "б;в"] } });
});

test("damaged files, and files made to exhaust memory, are refused", async () => {
  const codeOf = async (bytes: Uint8Array) => {
    const result = await readHere(bytes, limits);
    return result.ok ? "ok" : result.error.code;
  };
  const good = await writeXlsxHere({ name: "x", head: ["а"], rows: [["1"]] });
  expect(await codeOf(good)).toBe("ok");
  expect(await codeOf(good.subarray(0, good.length / 2))).toBe("table.unreadable");
  expect(await codeOf(Buffer.from("PK\u0003\u0004no archive"))).toBe("table.unreadable");
  expect(await codeOf(Buffer.from([0, 1, 2]))).toBe("table.unreadable");
  expect(await codeOf(Buffer.from('а;б\n"1;2'))).toBe("table.unreadable");
  expect(await codeOf(Buffer.from("а;б\n1;2\n3"))).toBe("table.unreadable");
  expect(await codeOf(Buffer.from("а;б\n1;2\n3\n"))).toBe("ok");
  expect(await codeOf(Buffer.from("а;б\n1;2\n3;4"))).toBe("ok");
  expect(await codeOf(Buffer.concat([Buffer.from("\uFEFFа\n"), Buffer.from([0xd0])]))).toBe("table.unreadable");
  expect(await codeOf(Buffer.from(""))).toBe("table.empty");
  expect(await codeOf(Buffer.from(`а\n${"1\n".repeat(101)}`))).toBe("table.too_many_rows");
  expect(await codeOf(Buffer.from(`${"а;".repeat(30)}б\n1`))).toBe("table.too_many_columns");
  expect(await codeOf(Buffer.from(`а\n${"x".repeat(2_000)}`))).toBe("table.cell_too_long");
  const parts = unzipSync(good);
  expect(await codeOf(zipSync({ ...parts, "xl/bomb.xml": new Uint8Array(50_000_000) }))).toBe("table.too_large");
  const sheet =
    '<worksheet><sheetData><row r="1"><c r="A1"><v>1</v></c></row>' +
    '<row r="1048576"><c r="XFD1048576"><v>2</v></c></row></sheetData></worksheet>';
  expect(await codeOf(zipSync({ ...parts, "xl/worksheets/sheet1.xml": strToU8(sheet) }))).toBe("table.too_many_rows");
});

/** A file that was cut off, or in which some bytes are others. Two bytes say that it is an archive. */
const damaged = (bytes: Uint8Array) =>
  fc.oneof(
    fc.integer({ min: 2, max: bytes.length - 1 }).map((length) => bytes.subarray(0, length)),
    fc
      .array(fc.record({ at: fc.nat(bytes.length - 1), by: fc.integer({ min: 1, max: 255 }) }), { minLength: 1, maxLength: 3 })
      .map((flips) => flips.reduce((all, { at, by }) => all.with(at, (all[at] ?? 0) ^ by), new Uint8Array(bytes))),
  );

test("an XLSX file that was damaged anywhere is refused, or read as if it were not: its checksums decide", async () => {
  const rows = Array.from({ length: 20 }, (_, index) => [1_000 + index, `Монета ${index}`, index / 4]);
  const bytes = await writeXlsxHere({ name: "Цены", head: ["Артикул", "Название", "Премия, %"], rows });
  const whole = await readHere(bytes, limits);
  expect(whole.ok).toBe(true);
  await fc.assert(
    fc.asyncProperty(damaged(bytes), async (file) => {
      const read = await readHere(file, limits);
      if (read.ok) expect(read).toEqual(whole);
    }),
    { numRuns: rounds({ test: 300, gate: 1_000, long: 20_000 }) },
  );
});

test("an archive with the longer end of ZIP64 is read, too", async () => {
  const bytes = await writeXlsxHere({ name: "x", head: ["а"], rows: [["1"]] });
  const end = bytes.lastIndexOf("PK\u0005\u0006");
  const longEnd = Buffer.alloc(56);
  longEnd.write("PK\u0006\u0006", "latin1");
  longEnd.writeBigUInt64LE(44n, 4);
  longEnd.writeBigUInt64LE(BigInt(bytes.readUInt16LE(end + 10)), 32);
  longEnd.writeBigUInt64LE(BigInt(bytes.readUInt32LE(end + 12)), 40);
  longEnd.writeBigUInt64LE(BigInt(bytes.readUInt32LE(end + 16)), 48);
  const locator = Buffer.alloc(20);
  locator.write("PK\u0006\u0007", "latin1");
  locator.writeBigUInt64LE(BigInt(end), 8);
  const short = Buffer.from(bytes.subarray(end));
  short.fill(0xff, 8, 20);
  const read = await readHere(Buffer.concat([bytes.subarray(0, end), longEnd, locator, short]), limits);
  expect(read).toEqual({ ok: true, value: { head: ["а"], rows: [{ line: 2, cells: ["1"] }] } });
});
