import { fail } from "#kit/result.ts";
import { runInThread, ThreadFailed } from "#kit/concurrency/thread.ts";
import type { AccountingFormat } from "#shop/exchange/accounting/gateway.ts";
import { toWindows1251 } from "./windows-1251.ts";
import { writeLists, writeOrders } from "./write-orders.ts";

/** CommerceML 2, as 1C and its add-ons for sites write and read it. Files are parsed in a thread. */
export const commerceMl: AccountingFormat = {
  async read(bytes) {
    try {
      return await runInThread(new URL("./thread.ts", import.meta.url), bytes);
    } catch (error) {
      if (error instanceof ThreadFailed) return fail({ code: "accounting.unreadable", why: "Файл слишком большой или сложный" });
      throw error;
    }
  },
  orders: writeOrders,
  lists: writeLists,
  text: (text) => toWindows1251(text, () => "?"),
};
