import { zipSync } from "fflate";
import { toWindows1251 } from "./windows-1251.ts";

/** What 1C sends with: tests pass the shop's own server or a fetch to it. */
export type Send = (
  path: string,
  request: { method: "GET" | "POST"; headers: Record<string, string>; body?: Buffer },
) => Promise<{ status: number; body: Buffer }>;

export type Reply = { status: number; verdict: string; lines: string[]; body: Buffer };

/**
 * 1C as the client of the exchange: checkauth, init, file in parts, import until it is done, query, success. It can also behave badly: send
 * a part again, use a wrong cookie, or import twice.
 */
export function createAccountingClient(send: Send, { path = "/api/exchange/1c", login = "1c", password = "" } = {}) {
  let cookie = "";
  let limit = 0;

  async function call(type: string, mode: string, more: Record<string, string> = {}, body?: Buffer): Promise<Reply> {
    const search = new URLSearchParams({ type, mode, ...more }).toString();
    const headers: Record<string, string> = { "user-agent": "1C+Enterprise/8.3" };
    if (mode === "checkauth") headers["authorization"] = `Basic ${Buffer.from(`${login}:${password}`).toString("base64")}`;
    else if (cookie !== "") headers["cookie"] = cookie;
    if (body) headers["content-type"] = "application/octet-stream";
    const answer = await send(`${path}?${search}`, { method: body ? "POST" : "GET", headers, ...(body ? { body } : {}) });
    const lines = new TextDecoder("windows-1251")
      .decode(answer.body)
      .split("\n")
      .map((line) => line.trim());
    return { status: answer.status, verdict: lines[0] ?? "", lines, body: answer.body };
  }

  const self = {
    call,
    setCookie: (value: string) => {
      cookie = value;
    },
    async signIn(type: "catalog" | "sale"): Promise<Reply> {
      const reply = await call(type, "checkauth");
      if (reply.verdict === "success") cookie = `${reply.lines[1]}=${reply.lines[2]}`;
      return reply;
    },
    async init(type: "catalog" | "sale", version?: string): Promise<Reply> {
      const reply = await call(type, "init", version === undefined ? {} : { version });
      limit = Number(/file_limit=(\d+)/.exec(reply.lines.join("\n"))?.[1] ?? 0);
      return reply;
    },
    /** Sends a file in parts of the limit; `resend`: the first part twice, as after a lost answer. */
    async file(type: "catalog" | "sale", filename: string, content: Buffer, { resend = false } = {}): Promise<Reply> {
      let reply: Reply | null = null;
      for (let at = 0; at === 0 || at < content.length; at += limit) {
        const part = content.subarray(at, at + limit);
        if (resend && at === 0) await call(type, "file", { filename }, part);
        reply = await call(type, "file", { filename }, part);
        if (reply.verdict !== "success") return reply;
      }
      return reply ?? call(type, "file", { filename }, Buffer.alloc(0));
    },
    /** Repeats `import` unchanged until it succeeds or fails. */
    async import(type: "catalog" | "sale", filename: string): Promise<Reply> {
      for (let attempt = 0; attempt < 50; attempt += 1) {
        const reply = await call(type, "import", { filename });
        if (reply.verdict !== "progress") return reply;
      }
      throw new Error("the import did not end");
    },
    /** The whole dialogue of the catalogue with one file. */
    async sendCatalog(filename: string, content: Buffer, options: { zip?: boolean } = {}): Promise<Reply> {
      await self.signIn("catalog");
      await self.init("catalog");
      const sent = options.zip ? Buffer.from(zipSync({ [filename]: content })) : content;
      const reply = await self.file("catalog", options.zip ? "v8_1c.zip" : filename, sent);
      return reply.verdict === "success" ? self.import("catalog", filename) : reply;
    },
  };
  return self;
}

type Encoding = "utf-8" | "windows-1251";
const encoded = (xml: string, encoding: Encoding): Buffer => {
  const whole = `<?xml version="1.0" encoding="${encoding}"?>\n${xml}`;
  return encoding === "utf-8" ? Buffer.from(whole) : toWindows1251(whole, (letter) => `&#${letter.codePointAt(0) ?? 63};`);
};
const root = (inner: string): string =>
  `<КоммерческаяИнформация xmlns="urn:1C.ru:commerceml_2" ВерсияСхемы="2.08" ДатаФормирования="2026-11-22T10:00:00">` +
  `${inner}</КоммерческаяИнформация>`;

export type SentGood = { guid: string; article?: string; name: string; isDeleted?: boolean };
/** `import.xml`: goods. */
export const goodsFile = (goods: readonly SentGood[], encoding: Encoding = "utf-8"): Buffer =>
  encoded(
    root(
      `<Классификатор><Ид>k1</Ид></Классификатор><Каталог СодержитТолькоИзменения="true"><Ид>c1</Ид><Товары>${goods
        .map(
          ({ guid, article = "", name, isDeleted = false }) =>
            `<Товар><Ид>${guid}</Ид><Артикул>${article}</Артикул><Наименование>${name}</Наименование>` +
            `<ПометкаУдаления>${isDeleted}</ПометкаУдаления></Товар>`,
        )
        .join("")}</Товары></Каталог>`,
    ),
    encoding,
  );

const restOf = (quantity: string): string => `<Остаток><Склад><Ид>s</Ид><Количество>${quantity}</Количество></Склад></Остаток>`;
export type SentOffer = { guid: string; name?: string; quantity?: string; price?: string; rests?: readonly string[] };
/** `offers.xml`: prices and rests. */
export const offersFile = (offers: readonly SentOffer[], encoding: Encoding = "utf-8"): Buffer =>
  encoded(
    root(
      `<ПакетПредложений><ТипыЦен><ТипЦены><Ид>t1</Ид><Наименование>Розничная</Наименование></ТипЦены></ТипыЦен><Предложения>${offers
        .map(
          ({ guid, name = "", quantity, price, rests }) =>
            `<Предложение><Ид>${guid}</Ид><Наименование>${name}</Наименование>` +
            (price === undefined
              ? ""
              : `<Цены><Цена><ИдТипаЦены>t1</ИдТипаЦены><ЦенаЗаЕдиницу>${price}</ЦенаЗаЕдиницу><Валюта>руб</Валюта></Цена></Цены>`) +
            (quantity === undefined ? "" : `<Количество>${quantity}</Количество>`) +
            (rests === undefined ? "" : `<Остатки>${rests.map(restOf).join("")}</Остатки>`) +
            "</Предложение>",
        )
        .join("")}</Предложения></ПакетПредложений>`,
    ),
    encoding,
  );

/** A document about an order, as 1C sends it after its own work. */
export const documentFile = (
  { guid, number = "ЧК-000017", status = "Отгружен" }: { guid: string; number?: string; status?: string },
  encoding: Encoding = "windows-1251",
): Buffer =>
  encoded(
    root(
      `<Документ><Ид>${guid}</Ид><Номер>1</Номер><Дата>2026-11-22</Дата><Время>11:00:00</Время><ХозОперация>Заказ товара</ХозОперация>` +
        `<Сумма>1500.00</Сумма><ЗначенияРеквизитов>` +
        `<ЗначениеРеквизита><Наименование>Номер по 1С</Наименование><Значение>${number}</Значение></ЗначениеРеквизита>` +
        `<ЗначениеРеквизита><Наименование>Статус заказа</Наименование><Значение>${status}</Значение></ЗначениеРеквизита>` +
        `<ЗначениеРеквизита><Наименование>Проведен</Наименование><Значение>true</Значение></ЗначениеРеквизита>` +
        "</ЗначенияРеквизитов></Документ>",
    ),
    encoding,
  );
