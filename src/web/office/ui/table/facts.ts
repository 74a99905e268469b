/** One line of a record: the path of the field and its value as text. */
export type Fact = { name: string; value: string };

/** Names of fields that records have in common; another field shows the name it is stored under. */
const fieldNames: Readonly<Record<string, string>> = {
  roles: "Роли",
  isDisabled: "Отключён",
  email: "Почта",
  name: "Имя",
  login: "Логин",
  reason: "Причина",
  note: "Примечание",
  state: "Состояние",
  device: "Устройство",
  expiresAt: "Действует до",
  revision: "Версия записи",
  leftToRefund: "Осталось вернуть",
  refund: "Вернуть",
  refundId: "Возврат",
  number: "Номер",
  numbers: "Номера",
  date: "Дата",
  amount: "Сумма, ₽",
  kopecks: "Сумма",
  event: "Действие",
  seal: "Пломба",
  pointId: "Пункт выдачи",
  orderId: "Заказ",
  assignee: "Отвечает",
  recipient: "Получатель",
  phone: "Телефон",
  packer: "Собирает",
  dueAt: "Срок",
  outcome: "Итог",
  answer: "Ответ",
  rejectReason: "Почему отклонён",
  by: "Способ входа",
  label: "Название",
  title: "Название",
  paper: "Что печатали",
  batch: "Партия",
  coin: "Монета",
  coinId: "Монета",
  coins: "Монет",
  checked: "Отмечено",
  changed: "Изменено",
  stale: "Изменены другим",
  file: "Файл",
  fileName: "Файл",
  entries: "Строк",
  rows: "Строк",
  isRepeat: "Загружена повторно",
  consents: "Согласий",
  action: "Действие",
  askedBy: "Просил",
  refused: "Отказ",
  ended: "Закончено сеансов",
  endedSessions: "Закончено сеансов",
  sessions: "Сеансов",
  session: "Сеанс",
  passkey: "Ключ",
  added: "Новый заказ",
  addsTo: "К заказу",
  quoteId: "Расчёт цены",
  messageId: "Сообщение",
  kind: "Вид",
  dueOn: "Ответить до",
  subject: "О чём",
  settled: "Зачтено",
  found: "Найдено",
  chosen: "Выбрано",
  storageNumber: "ФН",
  documentNumber: "ФД",
  attribute: "ФПД",
  lineCount: "Строк",
  pieces: "Штук",
  supplier: "Поставщик",
  quantity: "Штук",
  lowAt: "Порог остатка",
  address: "Адрес",
  target: "Куда ведёт",
  isPermanent: "Навсегда",
  heading: "Заголовок",
  intro: "Вступление",
  parent: "Внутри раздела",
  order: "Порядок",
  body: "Текст",
  phrase: "Что набирают",
  metal: "Металл",
  document: "Документ",
  startsAt: "Начало",
  endsAt: "Конец",
  endedAt: "Закончилась",
  isStopped: "Остановлен",
  used: "Использован раз",
  format: "Формат",
  withBuyers: "С покупателями",
  from: "С",
  till: "По",
  width: "Ширина",
  height: "Высота",
  mode: "Как считали",
  isIgnored: "Не наш товар",
  published: "Опубликовано",
  notReady: "Не готово",
  isAtServer: "На сервере",
  id: "Номер записи",
  steps: "Ступени",
  deal: "Сделка",
  requestId: "Обращение",
  offerKopecks: "Предложили",
  checkedKopecks: "По проверке",
  lockedUntil: "Цены держим до",
  isFlagged: "Контроль 115-ФЗ",
  payout: "К выплате",
  account: "Счёт",
  bik: "БИК",
  receipt: "Чек расхода",
  "receipt.storageNumber": "ФН",
  "receipt.documentNumber": "ФД",
  "receipt.attribute": "ФПД",
  stockDocumentId: "Приход на склад",
};
/** Fields of the lines of a buyback deal. */
const lineFields: Readonly<Record<string, string>> = { coin: "монета", quantity: "штук", condition: "состояние", unitPrice: "цена, ₽" };
export function fieldName(name: string): string {
  const [, index, field] = /^steps\.(\d+)\.(quantity|discountBp)$/.exec(name) ?? [];
  if (index !== undefined) return `Ступень ${Number(index) + 1}: ${field === "quantity" ? "от, штук" : "скидка, б. п."}`;
  const [, line, part = ""] = /^lines\.(\d+)\.(\w+)$/.exec(name) ?? [];
  if (line !== undefined && lineFields[part] !== undefined) return `Строка ${Number(line) + 1}: ${lineFields[part]}`;
  return fieldNames[name] ?? name;
}

/** Flattens what the server stored of a record: `{ roles: ["owner"] }` is `roles: owner`, nested fields get dotted names. */
export function factsOf(record: unknown, name = ""): Fact[] {
  if (record === null || record === undefined) return name ? [{ name, value: "нет" }] : [];
  if (typeof record === "boolean") return [{ name, value: record ? "да" : "нет" }];
  if (typeof record !== "object") return [{ name, value: `${record as string | number}` }];
  if (Array.isArray(record) && record.every((each) => typeof each !== "object" || each === null))
    return [{ name, value: record.length > 0 ? record.join(", ") : "пусто" }];
  return Object.entries(record).flatMap(([key, value]) => factsOf(value, name ? `${name}.${key}` : key));
}

/** Fields of both versions side by side, in the order in which they appear; `isChanged` where they differ. */
export function differences(before: unknown, after: unknown): { name: string; before: string; after: string; isChanged: boolean }[] {
  const [old, fresh] = [new Map(), new Map()] as [Map<string, string>, Map<string, string>];
  for (const { name, value } of factsOf(before)) old.set(name, value);
  for (const { name, value } of factsOf(after)) fresh.set(name, value);
  return [...new Set([...old.keys(), ...fresh.keys()])].map((name) => ({
    name,
    before: old.get(name) ?? "",
    after: fresh.get(name) ?? "",
    isChanged: old.get(name) !== fresh.get(name),
  }));
}
