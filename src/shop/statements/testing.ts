import type { Ctx } from "#shop/context.ts";
import * as statements from "./service.ts";
import type { Statement } from "./statement.ts";

/** A document of a statement in the bank's words; what is absent is as in most documents. */
export type FileDocument = {
  number: string;
  /** `20.11.2026`. */
  date?: string;
  /** `451230.00`. */
  sum: string;
  payer?: string;
  payerAccount?: string;
  payeeAccount?: string;
  purpose?: string;
  isOutgoing?: boolean;
  /** The bank has not credited it yet. */
  isPending?: boolean;
};

/** Reads and imports a file. Throws for one that is refused. */
export function importFile(ctx: Ctx, file: { name: string; bytes: Uint8Array }): Promise<{ statement: Statement; isRepeat: boolean }> {
  const read = statements.readFile(ctx, file);
  if (!read.ok) throw new Error(read.error.code);
  return statements.importStatement(ctx, read.value);
}

/** The file of a statement of this account as a bank client writes it, in UTF-8. */
export function aStatementFile(account: string, documents: readonly FileDocument[], day = "20.11.2026"): Buffer {
  const kopecks = (sum: string): number => Math.round(Number(sum) * 100);
  const total = (isOutgoing: boolean): number =>
    documents.filter((each) => (each.isOutgoing ?? false) === isOutgoing).reduce((sum, each) => sum + kopecks(each.sum), 0);
  const sum = (amount: number): string => (amount / 100).toFixed(2);
  const opening = 100_000_000_00;
  return Buffer.from(
    [
      "1CClientBankExchange",
      "ВерсияФормата=1.03",
      "Кодировка=Windows",
      "СекцияРасчСчет",
      `ДатаНачала=${day}`,
      `ДатаКонца=${day}`,
      `РасчСчет=${account}`,
      `НачальныйОстаток=${sum(opening)}`,
      `ВсегоПоступило=${sum(total(false))}`,
      `ВсегоСписано=${sum(total(true))}`,
      `КонечныйОстаток=${sum(opening + total(false) - total(true))}`,
      "КонецРасчСчет",
      ...documents.flatMap((each) => [
        "СекцияДокумент=Платежное поручение",
        `Номер=${each.number}`,
        `Дата=${each.date ?? day}`,
        `Сумма=${each.sum}`,
        ...(each.isPending ? [] : [`${each.isOutgoing ? "ДатаСписано" : "ДатаПоступило"}=${each.date ?? day}`]),
        `Плательщик1=${each.payer ?? "Сидоров Олег Ильич"}`,
        `ПлательщикСчет=${each.isOutgoing ? account : (each.payerAccount ?? "40817810099910004312")}`,
        `ПолучательСчет=${each.isOutgoing ? "70601810000000000001" : (each.payeeAccount ?? account)}`,
        `НазначениеПлатежа=${each.purpose ?? ""}`,
        "КонецДокумента",
      ]),
      "КонецФайла",
    ].join("\r\n"),
  );
}
