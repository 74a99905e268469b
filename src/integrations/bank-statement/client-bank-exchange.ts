import { fromDecimalString, zero, type Kopecks } from "#kit/money.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { isAccountNumber, referenceNumber, statementDay } from "#shop/payment/transfers/bank-transfer.ts";
import type { StatementContent } from "#shop/statements/statement.ts";

type Fields = Map<string, string>;

/**
 * Reads a statement in the exchange format of Russian bank clients, `1CClientBankExchange` (1C, "Standard of exchange with client-bank
 * systems", version 1.03, v8.1c.ru/edi): sections of `key=value` lines, windows-1251 unless the header says DOS; some banks write UTF-8.
 * A document that cannot be read is reported and does not affect the others. Refuses other kinds of files.
 */
export function readStatement(bytes: Uint8Array): Result<StatementContent, { code: "statement.not_a_statement" }> {
  const lines = linesOf(decode(bytes));
  if (lines.next().value !== "1CClientBankExchange") return fail({ code: "statement.not_a_statement" });
  const statement: StatementContent = { accounts: [], entries: [], faults: [] };
  let open: { fields: Fields; line: number; last: string } | null = null;
  let account: Fields | null = null;
  const close = (end: string | null) => {
    if (open && end === null) statement.faults.push({ line: open.line, what: "the document does not end" });
    else if (open) take(statement, open.fields, open.line);
    open = null;
  };
  let count = 1;
  let isWhole = false;
  for (const line of lines) {
    count += 1;
    if (line === "") continue;
    const at = line.indexOf("=");
    const [key, value] = at < 0 ? [line, ""] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    if (line === "КонецФайла") isWhole = true;
    if (key === "СекцияДокумент") {
      close(null);
      open = { fields: new Map(), line: count, last: "" };
    } else if (key === "КонецДокумента") close(key);
    else if (key === "СекцияРасчСчет") account = new Map();
    else if (key === "КонецРасчСчет" && account) {
      statement.accounts.push(totalsOf(account));
      account = null;
    } else if (account) account.set(key, value);
    else if (open) remember(open, key, value, line);
  }
  close(null);
  if (!isWhole) statement.faults.push({ line: count, what: "the file ends before its end: fetch it again" });
  return done(statement);
}

/** The lines of a text, trimmed, one after another: a list of all lines of a file of 5 MB may have five million. */
function* linesOf(text: string): Generator<string, undefined> {
  const end = /\r\n|\n|\r|$/g;
  for (let from = 0; ; from = end.lastIndex) {
    end.lastIndex = from;
    const { index = 0, 0: mark = "" } = end.exec(text) ?? {};
    yield text.slice(from, index).trim();
    if (mark === "") return;
  }
}

/**
 * A purpose may continue in the next lines, with any characters. It is trimmed when the document is whole: trimming each time would copy it
 * with every line.
 */
function remember(open: { fields: Fields; last: string }, key: string, value: string, line: string): void {
  const isKey = /^\p{L}[\p{L}\d]*$/u.test(key) && line.includes("=");
  if (!isKey && open.last.startsWith("НазначениеПлатежа")) open.fields.set(open.last, `${open.fields.get(open.last)} ${line}`);
  if (!isKey) return;
  open.fields.set(key, value);
  open.last = key;
}

function take(statement: StatementContent, fields: Fields, line: number): void {
  const of = (...keys: string[]): string => keys.map((key) => fields.get(key)?.trim() ?? "").find((value) => value !== "") ?? "";
  const [number, date, amount] = [referenceNumber(of("Номер")), statementDay(of("Дата")), sumOf(of("Сумма"))];
  const arrived = of("ДатаПоступило");
  const bad = [
    number === null && "Номер",
    date === null && "Дата",
    amount === null && "Сумма",
    arrived !== "" && statementDay(arrived) === null && "ДатаПоступило",
  ].filter((each) => each !== false);
  if (number === null || date === null || amount === null || bad.length > 0) {
    statement.faults.push({ line, what: `cannot be read: ${bad.join(", ")}` });
    return;
  }
  // If a bank settles through another bank, `РасчСчет` of a side is its bank's account and `Счет` its own.
  const payerAccount = of("ПлательщикСчет", "ПлательщикРасчСчет");
  statement.entries.push({
    number,
    date,
    amount,
    arrivedOn: statementDay(arrived),
    payer: of("Плательщик1", "Плательщик"),
    payerAccount: isAccountNumber(payerAccount) ? payerAccount : null,
    payeeAccounts: [of("ПолучательСчет"), of("ПолучательРасчСчет")].filter((each) => each !== ""),
    purpose:
      of("НазначениеПлатежа") ||
      [1, 2, 3, 4, 5, 6]
        .map((n) => of(`НазначениеПлатежа${n}`))
        .join(" ")
        .trim(),
  });
}

/** What the bank says about an account: any of it may be absent. */
function totalsOf(fields: Fields): StatementContent["accounts"][number] {
  const sum = (key: string): Kopecks | null => balanceOf(fields.get(key) ?? "");
  return {
    account: fields.get("РасчСчет") ?? "",
    from: statementDay(fields.get("ДатаНачала") ?? ""),
    till: statementDay(fields.get("ДатаКонца") ?? ""),
    opening: sum("НачальныйОстаток"),
    received: sum("ВсегоПоступило"),
    spent: sum("ВсегоСписано"),
    closing: sum("КонечныйОстаток"),
  };
}

/** Null: not a sum of zero or more. */
const balanceOf = (text: string): Kopecks | null => (/^[0.,\s]*0[0.,\s]*$/.test(text) ? zero : sumOf(text));

/** Null: not a positive sum with a dot (some banks: a comma) and at most two decimals. */
function sumOf(text: string): Kopecks | null {
  const decimal = text.replaceAll(/[\s\u00A0]/g, "").replace(",", ".");
  return /^\d{1,13}(\.\d{1,2})?$/.test(decimal) && Number(decimal) > 0 ? fromDecimalString(decimal) : null;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes); // also drops the byte order mark that some banks write
  } catch {
    const dos = new TextDecoder("ibm866").decode(bytes);
    return /^Кодировка=DOS\s*$/imu.test(dos) ? dos : new TextDecoder("windows-1251").decode(bytes);
  }
}
