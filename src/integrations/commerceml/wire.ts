import { XMLParser, XMLValidator } from "fast-xml-parser";
import { fromDecimalString, type Kopecks } from "#kit/money.ts";
import type { AccountingContent, AccountingDocument } from "#shop/exchange/accounting/accounting.ts";

/**
 * CommerceML 2, the files of 1C: https://v8.1c.ru/tekhnologii/obmen-dannymi-i-integratsiya/standarty-i-formaty/protokol-obmena-s-saytom/ .
 * Files are distinguished by their content, not by their names, which differ between releases of 1C.
 */

/** The file cannot be used; the message is a Russian sentence for staff. */
export class UnreadableFile extends Error {}

/** A file that is nested deeper, or has more items in a list, is refused. */
const maxDepth = 30;
const maxItems = 100_000;

type Node = { [name: string]: Value };
type Value = string | Node | Value[] | undefined;

const lists = new Set([
  "Группа",
  "Товар",
  "Предложение",
  "Цена",
  "ТипЦены",
  "Остаток",
  "Склад",
  "Документ",
  "Контейнер",
  "ЗначениеРеквизита",
]);
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  // Only the five entities of XML and character codes: files with a DOCTYPE are refused before.
  processEntities: { enabled: true, maxTotalExpansions: 2_000_000, maxExpandedLength: 100_000_000 },
  htmlEntities: false,
  maxNestedTags: maxDepth,
  isArray: (name) => lists.has(name),
});

/** The text of a file by its declaration: UTF-8 with or without a byte-order mark, or windows-1251. */
export function decode(bytes: Uint8Array): string {
  const [, named = "utf-8"] =
    /^[^>]{0,100}encoding\s*=\s*["']([\w-]+)["']/i.exec(Buffer.from(bytes.subarray(0, 200)).toString("latin1")) ?? [];
  const encoding = /^(windows-1251|cp1251|cp-1251)$/i.test(named) ? "windows-1251" : "utf-8";
  if (encoding === "utf-8" && !/^utf-?8$/i.test(named)) throw new UnreadableFile(`Неизвестная кодировка ${named}`);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new UnreadableFile("Файл повреждён: буквы не читаются в объявленной кодировке");
  }
}

/** Reads one file. Throws `UnreadableFile` with a Russian sentence. */
export function readFile(bytes: Uint8Array): AccountingContent {
  const text = decode(bytes);
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) throw new UnreadableFile("В файле есть DOCTYPE: такие файлы не читаются");
  const valid = XMLValidator.validate(text);
  if (valid !== true) throw new UnreadableFile(`Файл повреждён или передан не целиком (строка ${valid.err.line})`);
  const root = parsed(text)["КоммерческаяИнформация"];
  if (typeof root !== "object" || Array.isArray(root))
    throw new UnreadableFile("Это не файл CommerceML: нет элемента КоммерческаяИнформация");
  const content: AccountingContent = { goods: [], offers: [], documents: [], faults: [] };
  for (const catalog of nodes(root["Каталог"])) readGoods(catalog, content);
  for (const packet of [...nodes(root["ПакетПредложений"]), ...nodes(root["ИзмененияПакетаПредложений"])]) readOffers(packet, content);
  for (const document of documentsOf(root)) readDocument(document, content);
  return content;
}

function parsed(text: string): Node {
  try {
    return parser.parse(text) as Node;
  } catch (error) {
    throw new UnreadableFile(`Файл не читается: ${error instanceof Error ? error.message.slice(0, 100) : "неизвестная ошибка"}`);
  }
}

/** The elements of a list: none, one, or several of a name. */
function nodes(value: Value): Node[] {
  const all = value === undefined ? [] : Array.isArray(value) ? value : [value];
  if (all.length > maxItems) throw new UnreadableFile(`В файле больше ${maxItems} записей`);
  return all.filter((each): each is Node => typeof each === "object" && !Array.isArray(each));
}
function textAt(node: Node, name: string, maxLength = 500): string {
  const value = node[name];
  const inner = typeof value === "object" && !Array.isArray(value) ? value["#text"] : value;
  return typeof inner === "string" ? inner.trim().slice(0, maxLength) : "";
}
const child = (node: Node, name: string): Node => nodes(node[name])[0] ?? {};
const isTrue = (text: string): boolean => /^(true|1|да|истина)$/i.test(text);
/** `good#characteristic`: coins have no characteristics. */
const guidOf = (node: Node): string => textAt(node, "Ид", 100).split("#")[0] ?? "";

function readGoods(catalog: Node, content: AccountingContent): void {
  for (const good of nodes(child(catalog, "Товары")["Товар"])) {
    const guid = guidOf(good);
    if (guid === "") content.faults.push(`Товар без Ид: ${textAt(good, "Наименование", 100)}`);
    else
      content.goods.push({
        guid,
        article: textAt(good, "Артикул", 50),
        name: textAt(good, "Наименование", 200),
        isDeleted: isTrue(textAt(good, "ПометкаУдаления")) || textAt(good, "@Статус") === "Удален" || textAt(good, "Статус") === "Удален",
      });
  }
}

function readOffers(packet: Node, content: AccountingContent): void {
  const retail = nodes(child(packet, "ТипыЦен")["ТипЦены"]).find((type) => /розн/i.test(textAt(type, "Наименование")));
  const byGuid = new Map<string, AccountingContent["offers"][number]>();
  for (const offer of nodes(child(packet, "Предложения")["Предложение"])) {
    const guid = guidOf(offer);
    const name = textAt(offer, "Наименование", 200);
    if (guid === "") {
      content.faults.push(`Предложение без Ид: ${name}`);
      continue;
    }
    const quantity = quantityOf(offer, (why) => content.faults.push(`${name || guid}: ${why}`));
    const price = priceOf(offer, retail ? textAt(retail, "Ид") : null, (why) => content.faults.push(`${name || guid}: ${why}`));
    const same = byGuid.get(guid);
    if (same) {
      if (quantity !== null) same.quantity = (same.quantity ?? 0) + quantity;
      same.price ??= price;
    } else byGuid.set(guid, { guid, article: textAt(offer, "Артикул", 50), name, quantity, price });
  }
  for (const offer of byGuid.values()) content.offers.push(offer);
}

type Fault = (why: string) => void;

/** Pieces; null: the offer says nothing about them, or not a whole number. */
function quantityOf(offer: Node, fault: Fault): number | null {
  const given = textAt(offer, "Количество");
  if (given !== "") return whole(given, fault);
  const stocks = nodes(child(offer, "Остатки")["Остаток"]);
  const inStocks = stocks.flatMap((rest) => {
    const warehouses = nodes(rest["Склад"]);
    return warehouses.length > 0 ? warehouses.map((house) => textAt(house, "Количество")) : [textAt(rest, "Количество")];
  });
  const inWarehouses = nodes(offer["Склад"]).map((house) => textAt(house, "@КоличествоНаСкладе"));
  const parts = (inStocks.length > 0 ? inStocks : inWarehouses).filter((text) => text !== "").map((text) => whole(text, fault));
  if (parts.length === 0 || parts.includes(null)) return null;
  return parts.reduce<number>((sum, part) => sum + (part ?? 0), 0);
}

function whole(text: string, fault: Fault): number | null {
  const plain = text.replaceAll(/\s/g, "").replace(",", ".");
  if (/^\d{1,7}(\.0+)?$/.test(plain) && Number(plain) <= 1_000_000) return Number(plain);
  fault(`количество «${text.slice(0, 30)}» не подходит: нужно целое от 0 до 1 000 000`);
  return null;
}

function priceOf(offer: Node, retailId: string | null, fault: Fault): Kopecks | null {
  const prices = nodes(child(offer, "Цены")["Цена"]);
  const chosen = prices.length === 1 ? prices[0] : prices.find((price) => retailId !== null && textAt(price, "ИдТипаЦены") === retailId);
  if (!chosen) {
    if (prices.length > 1) fault("несколько видов цен, и ни один не розничный: цена пропущена");
    return null;
  }
  const currency = textAt(chosen, "Валюта").replace(/\.$/, "");
  if (!/^(|руб|rub|rur|643|₽)$/i.test(currency)) {
    fault(`валюта ${currency.slice(0, 10)}: цена пропущена`);
    return null;
  }
  return amountOf(textAt(chosen, "ЦенаЗаЕдиницу"), fault);
}

/** Roubles with up to two decimals as kopecks; `15000`, `15 000,50`, `15000.5000`. */
function amountOf(text: string, fault: Fault): Kopecks | null {
  const plain = text
    .replaceAll(/\s/g, "")
    .replace(",", ".")
    .replace(/(\.\d{2})0+$/, "$1")
    .replace(/\.$/, "");
  if (plain === "") return null;
  if (!/^\d{1,10}(\.\d{1,2})?$/.test(plain)) {
    fault(`сумма «${text.slice(0, 30)}» не читается`);
    return null;
  }
  return fromDecimalString(plain);
}

const documentsOf = (root: Node): Node[] => [
  ...nodes(root["Документ"]),
  ...nodes(root["Контейнер"]).flatMap((each) => nodes(each["Документ"])),
];

/** Requisites that staff is shown. */
const shownDetails = [
  "Номер по 1С",
  "Дата по 1С",
  "Статус заказа",
  "Номер оплаты по 1С",
  "Дата оплаты по 1С",
  "Номер отгрузки по 1С",
  "Дата отгрузки по 1С",
  "Отменен",
];

function readDocument(document: Node, content: AccountingContent): void {
  const guid = textAt(document, "Ид", 100);
  if (guid === "") return void content.faults.push(`Документ без Ид: ${textAt(document, "Номер", 50)}`);
  const requisites = new Map(
    nodes(child(document, "ЗначенияРеквизитов")["ЗначениеРеквизита"]).map((each) => [
      textAt(each, "Наименование"),
      textAt(each, "Значение", 200),
    ]),
  );
  const posted = requisites.get("Проведен") ?? requisites.get("Проведён");
  const made: AccountingDocument = {
    guid,
    orderIds: [guid, textAt(document, "Основание", 100), textAt(document, "Номер", 100)].filter((text) => text !== ""),
    number: requisites.get("Номер по 1С") ?? textAt(document, "Номер", 50),
    operation: textAt(document, "ХозОперация", 100),
    date: [textAt(document, "Дата", 20), textAt(document, "Время", 20)].filter(Boolean).join(" "),
    amount: amountOf(textAt(document, "Сумма"), (why) => content.faults.push(`Документ ${guid}: ${why}`)),
    isPosted: posted === undefined ? null : isTrue(posted),
    isDeleted: isTrue(requisites.get("ПометкаУдаления") ?? textAt(document, "ПометкаУдаления")),
    details: Object.fromEntries(shownDetails.flatMap((name) => (requisites.get(name) ? [[name, requisites.get(name) ?? ""]] : []))),
  };
  content.documents.push(made);
}
