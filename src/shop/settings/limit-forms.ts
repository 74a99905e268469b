import type { Limits } from "../settings.ts";

export type LimitGroup =
  | "delivery"
  | "payment"
  | "lifetimes"
  | "reservations"
  | "purchases"
  | "approvals"
  | "messages"
  | "requests"
  | "sign_in"
  | "rates"
  | "storage"
  | "staff"
  | "load";
type LimitForm = {
  group: LimitGroup;
  label: string;
  unit: string;
  hint?: string;
  min: number;
  max: number;
  isFraction?: true;
  isOfMachine?: true;
};

const roubles = { unit: "₽", min: 0, max: 1_000_000_000 } as const;
const seconds = { unit: "с", min: 1, max: 86_400 } as const;
const minutes = { unit: "мин", min: 1, max: 10_080 } as const;
const hours = { unit: "ч", min: 1, max: 720 } as const;
const days = { unit: "дн.", min: 1, max: 3_660 } as const;
const percent = { unit: "%", min: 0, max: 100 } as const;
const times = { unit: "раз", min: 1, max: 100_000 } as const;
const pieces = { unit: "шт.", min: 0, max: 100_000 } as const;
const perMinute = { unit: "в мин", min: 10, max: 1_000_000 } as const;
const none = "0: без предела";

/** How the form of the settings names each limit, with its group, its unit and its range. A limit without an entry does not compile. */
export const limitForms: Readonly<Record<keyof Limits, LimitForm>> = {
  freeCourierFromRoubles: { group: "delivery", label: "Курьер бесплатно от", ...roubles },
  freePickupFromRoubles: { group: "delivery", label: "Пункт выдачи бесплатно от", ...roubles, hint: "0: бесплатно всегда" },
  insuredLimitRoubles: { group: "delivery", label: "СДЭК страхует посылку до", ...roubles, hint: "Дороже везёт только спецсвязь" },
  carrierGoldLimitRoubles: { group: "delivery", label: "Золото в посылке СДЭК до", ...roubles, hint: "0: СДЭК золото не везёт" },
  lockerLimitRoubles: { group: "delivery", label: "Постамат до", ...roubles, hint: "В постамате паспорт не проверяют" },
  lockerPresetLimitRoubles: { group: "delivery", label: "Советовать пункт с сотрудником от", ...roubles },
  returnDays: { group: "delivery", label: "Посылка едет обратно слишком долго после", ...days },

  cardLimitRoubles: { group: "payment", label: "Картой до", ...roubles },
  sbpLimitRoubles: { group: "payment", label: "По СБП до", ...roubles },
  collectionLimitRoubles: { group: "payment", label: "При получении в офисе до", ...roubles },
  invoiceUnconfirmedRoubles: {
    group: "payment",
    label: "Счёт без подтверждённого телефона до",
    ...roubles,
    hint: "Дороже: только после входа по номеру заказа",
  },
  partPaymentProlongsPercent: { group: "payment", label: "Часть счёта продлевает его срок от", ...percent },
  refundStuckMinutes: { group: "payment", label: "Возврат без ответа тревожит через", ...minutes },
  refundStuckAgainHours: { group: "payment", label: "И снова через", ...hours },
  ledgerCompareDays: { group: "payment", label: "Сверять платежи с платёжной системой за", ...days, max: 90 },

  quoteLifeSeconds: { group: "lifetimes", label: "Цена закреплена в оформлении", unit: "с", min: 60, max: 3_600 },
  paymentLifeMinutes: { group: "lifetimes", label: "Заказ ждёт оплаты картой или СБП", unit: "мин", min: 15, max: 1_440 },
  paymentAttemptMinutes: { group: "lifetimes", label: "Начать оплату можно в течение", unit: "мин", min: 5, max: 1_440 },
  invoiceHours: { group: "lifetimes", label: "Счёт держит монеты, в банковские дни", ...hours },
  collectionHours: { group: "lifetimes", label: "Заказ с оплатой в офисе ждёт", ...hours },
  collectionReminderHours: { group: "lifetimes", label: "Напомнить покупателю за", ...hours },
  checkoutDraftHours: { group: "lifetimes", label: "Введённое в оформлении хранится", ...hours },
  unpaidSoonMinutes: { group: "lifetimes", label: "В «Ждёт» показать неоплаченный заказ за", ...minutes },
  claimDays: { group: "lifetimes", label: "Заказ гостя переходит в кабинет по номеру в течение", ...days, max: 365 },

  unpaidOrders: { group: "reservations", label: "Неоплаченных заказов у покупателя", unit: "зак.", min: 1, max: 1_000 },
  cancelledOrders: { group: "reservations", label: "Отмен подряд без последствий", ...times, min: 0 },
  cancelledOrderMinutes: { group: "reservations", label: "Отмены считать за", ...minutes },
  reservedPiecesPerPerson: { group: "reservations", label: "Монет у одного покупателя", ...pieces, hint: none },
  reservedRoublesPerPerson: { group: "reservations", label: "На сумму у одного покупателя", ...roubles, hint: none },
  reservedPiecesPerAddress: { group: "reservations", label: "Монет с одного сетевого адреса", ...pieces, hint: none },
  reservedRoublesPerAddress: { group: "reservations", label: "На сумму с одного сетевого адреса", ...roubles, hint: none },
  addressSharePercent: { group: "reservations", label: "Доля остатка монеты с одного адреса", ...percent, hint: none },
  addressFreePieces: { group: "reservations", label: "Но столько монет можно всегда", ...pieces },

  purchaseLimitFromRoubles: {
    group: "purchases",
    label: "Предел на покупку ставить монетам от",
    ...roubles,
    hint: "Новым монетам из таблицы без своего предела",
  },
  purchaseLimitPieces: { group: "purchases", label: "Такой монеты в одном заказе до", ...pieces, hint: none },
  cartLines: { group: "purchases", label: "Строк в корзине до", ...pieces, min: 1, max: 1_000 },
  wishlistItems: { group: "purchases", label: "Монет в избранном до", ...pieces, min: 1, max: 5_000 },
  compareItems: { group: "purchases", label: "Монет в сравнении до", ...pieces, min: 2, max: 50 },

  refundApprovalOrderRoubles: { group: "approvals", label: "Возвраты по заказу больше", ...roubles, hint: "0: всегда вдвоём" },
  refundApprovalDayRoubles: { group: "approvals", label: "Возвраты сотрудника за день больше", ...roubles, hint: "0: всегда вдвоём" },
  priceApprovalPremiumBp: {
    group: "approvals",
    label: "Премия меняется больше чем на",
    unit: "б. п.",
    min: 0,
    max: 10_000,
    hint: "100 базисных пунктов — 1 %",
  },
  priceApprovalCoins: { group: "approvals", label: "Цены меняются у монет, больше", ...pieces, hint: "0: всегда вдвоём" },
  promoCodeApprovalBp: {
    group: "approvals",
    label: "Промокод больше чем на",
    unit: "б. п.",
    min: 0,
    max: 10_000,
    hint: "100 базисных пунктов — 1 % цены",
  },
  promoCodeApprovalRoubles: { group: "approvals", label: "Промокод на сумму больше", ...roubles, hint: "0: всегда вдвоём" },
  promoSettledDays: {
    group: "purchases",
    label: "Зачёркнутая цена: монета продаётся не меньше",
    ...days,
    min: 1,
    hint: "Зачёркиваем самую низкую цену за эти дни",
  },
  promoDays: { group: "purchases", label: "Акция длится до", ...days, min: 1 },
  payoutApprovalRoubles: { group: "approvals", label: "Выплата за выкуп больше", ...roubles, hint: "0: всегда вдвоём" },
  buybackControlRoubles: {
    group: "approvals",
    label: "Выплаты продавцу за год под контролем от",
    ...roubles,
    min: 1,
    hint: "115-ФЗ: с этой суммы сделка отмечена, выплата вдвоём",
  },
  approvalHours: { group: "approvals", label: "Решить надо в течение", ...hours, max: 168 },
  approvalInputDays: { group: "approvals", label: "Подробности решённого хранятся", ...days },

  smsBudgetMinute: { group: "messages", label: "SMS в минуту до", ...times },
  smsBudgetDay: { group: "messages", label: "SMS в сутки до", ...times, max: 1_000_000 },
  smsBudgetOrdersPercent: { group: "messages", label: "Из них о заказах до", ...percent, hint: "Остальное бережётся для кодов входа" },
  smsBalanceRoubles: { group: "messages", label: "Предупредить, когда на счёте SMS меньше", ...roubles, hint: "Ноль: не предупреждать" },
  orderSmsPerPhoneDay: { group: "messages", label: "SMS о заказах на один номер в сутки", ...times },
  orderLettersPerMailboxHour: { group: "messages", label: "Писем о заказах на один ящик в час", ...times },
  orderLettersPerMailboxDay: { group: "messages", label: "Писем о заказах на один ящик в сутки", ...times },
  orderMessagesPerAddressHour: { group: "messages", label: "Сообщений из-за одного сетевого адреса в час", ...times },
  inquiryLettersPerMailboxDay: { group: "messages", label: "Писем с благодарностью на один ящик в сутки", ...times },
  alertsPerMailbox: { group: "messages", label: "Подписок на цену на один ящик", ...times },

  callbackDueMinutes: { group: "requests", label: "Перезвонить в течение рабочих минут", ...minutes },
  requestDueHour: { group: "requests", label: "Ответить на другое на следующий день до", unit: "ч", min: 1, max: 23 },
  privacyRequestWorkingDays: {
    group: "requests",
    label: "Ответить о персональных данных за рабочих дней",
    unit: "дн.",
    min: 1,
    max: 10,
    hint: "По закону не больше десяти",
  },
  buybackLockHours: { group: "requests", label: "Цена выкупа зафиксирована на", ...hours },
  inquiriesPerAddressHour: { group: "requests", label: "Обращений одного вида с адреса в час", ...times },

  codeTriesPerCode: { group: "sign_in", label: "Попыток на один код", unit: "раз", min: 1, max: 20 },
  codeLifeSeconds: { group: "sign_in", label: "Код действует", unit: "с", min: 60, max: 3_600 },
  codeResendSeconds: { group: "sign_in", label: "Новый код через", unit: "с", min: 10, max: 3_600 },
  codesPerPhoneHour: { group: "sign_in", label: "Кодов на номер в час", ...times },
  codesPerPhoneDay: { group: "sign_in", label: "Кодов на номер в сутки", ...times },
  wrongCodesPerPhoneDay: { group: "sign_in", label: "Ошибок на номер в сутки", ...times },
  wrongCodesPerPhoneEver: { group: "sign_in", label: "Ошибок на номер подряд, без входа", ...times },
  wrongCodesPerDevice: { group: "sign_in", label: "Ошибок в знакомом браузере", ...times },
  knownDeviceDays: { group: "sign_in", label: "Браузер знаком после входа", ...days },
  codesPerAddressHour: { group: "sign_in", label: "Кодов с сетевого адреса в час", ...times },
  wrongCodesPerAddressHour: { group: "sign_in", label: "Ошибок с сетевого адреса в час", ...times },
  codesPerNetworkHour: { group: "sign_in", label: "Кодов из одной сети в час", ...times },
  sessionIdleDays: { group: "sign_in", label: "Вход кончается без посещений через", ...days, max: 365 },
  sessionAbsoluteDays: { group: "sign_in", label: "Вход кончается в любом случае через", ...days, max: 365 },
  accountIdleDays: { group: "sign_in", label: "Письмо о новом входе после перерыва", ...days },
  freshCodeMinutes: { group: "sign_in", label: "После кода можно сменить почту в течение", ...minutes, max: 60 },

  ratesStaleSeconds: { group: "rates", label: "Курс устарел через", unit: "с", min: 30, max: 3_600 },
  ratesDeadSeconds: { group: "rates", label: "Цены больше не показывать через", unit: "с", min: 60, max: 86_400 },
  ratesDelaySeconds: { group: "rates", label: "Биржа публикует с задержкой до", ...seconds },
  rateJumpPercent: { group: "rates", label: "Скачок курса не принимать от", unit: "%", min: 0.5, max: 100, isFraction: true },
  rateDayJumpPercent: { group: "rates", label: "Скачок за день не принимать от", unit: "%", min: 1, max: 100, isFraction: true },

  orderPersonalDays: {
    group: "storage",
    label: "Имя и телефон в заказах гостей",
    unit: "дн.",
    min: 1_826,
    max: 7_300,
    hint: "Бухгалтерия и закон о металлах требуют пять лет",
  },
  buybackIdentityDays: {
    group: "storage",
    label: "Документы продавцов после выплаты",
    unit: "дн.",
    min: 1_826,
    max: 7_300,
    hint: "115-ФЗ требует пять лет",
  },
  messagePersonalDays: { group: "storage", label: "Тексты отправленных писем и SMS", ...days },
  providerEventDays: { group: "storage", label: "Сообщения платёжной системы и перевозчика", ...days },
  recordDays: {
    group: "storage",
    label: "Записи о письмах, SMS, этикетках и поисках",
    ...days,
    min: 90,
    hint: "Без денег и без текстов: те стираются раньше",
  },
  guestDataDays: { group: "storage", label: "Корзины и списки гостей", ...days },
  quoteDays: { group: "storage", label: "Закреплённые цены без заказа", ...days, max: 366 },

  priceChangeCoins: { group: "staff", label: "Монет в одном изменении цен до", unit: "шт.", min: 1, max: 100_000 },
  previewMinutes: { group: "staff", label: "Ссылка на черновик действует", ...minutes, max: 1_440 },
  packingBatchOrders: { group: "staff", label: "Заказов в партии на сборку до", unit: "зак.", min: 1, max: 100 },
  packingClaimMinutes: { group: "staff", label: "Заказ занят сборщиком в течение", ...minutes, max: 480 },
  labelMinutes: { group: "staff", label: "Этикетка посылки хранится", ...minutes, max: 60 },
  staffPresenceSeconds: { group: "staff", label: "Карточка заказа считается открытой", unit: "с", min: 30, max: 600 },
  staffIdleHours: { group: "staff", label: "Сеанс сотрудника кончается без дела через", ...hours, max: 24 },
  staffSessionHours: { group: "staff", label: "Сеанс сотрудника кончается через", ...hours, max: 48 },
  staffStepUpMinutes: { group: "staff", label: "Подтверждение входа действует", ...minutes, max: 60 },
  staffFailures: { group: "staff", label: "Неудачных входов сотрудника до закрытия", unit: "раз", min: 2, max: 100 },
  staffClosedMinutes: { group: "staff", label: "Вход закрыт на", ...minutes, max: 1_440 },
  staffInvitationMinutes: { group: "staff", label: "Приглашение действует", ...minutes },
  lowStockPieces: { group: "staff", label: "Монет осталось мало с", ...pieces, hint: "У монеты может быть свой порог" },
  openGoldGrams: { group: "rates", label: "Открытое золото до", unit: "г", min: 0, max: 10_000_000, hint: none },
  openSilverGrams: { group: "rates", label: "Открытое серебро до", unit: "г", min: 0, max: 10_000_000, hint: none },
  statementEntries: { group: "staff", label: "Документов в одной выписке до", unit: "док.", min: 100, max: 20_000 },
  exchangeRows: { group: "staff", label: "Строк в импортируемой таблице до", unit: "строк", min: 100, max: 50_000 },
  exchangeColumns: { group: "staff", label: "Столбцов в импортируемой таблице до", unit: "столбцов", min: 10, max: 500 },
  exchangeUnzippedMegabytes: { group: "staff", label: "Таблица XLSX распаковывается до", unit: "МБ", min: 10, max: 500 },
  exchangeCheckHours: { group: "staff", label: "Проверенный импорт можно применить в течение", ...hours, max: 720 },
  exchangeRowDays: { group: "staff", label: "Строки импортов хранятся", ...days },
  exportOrders: { group: "staff", label: "Заказов в одной выгрузке до", unit: "заказов", min: 100, max: 500_000 },
  exportXlsxRows: { group: "staff", label: "Строк в выгрузке XLSX до", unit: "строк", min: 100, max: 100_000 },
  accountingMegabytes: { group: "load", label: "1С: файлы одного сеанса до", unit: "МБ", min: 1, max: 500 },
  accountingCallsPerMinute: { group: "load", label: "1С: обращений", ...perMinute },
  accountingSignInsPerMinute: { group: "load", label: "1С: входов", ...perMinute },
  accountingSessionMinutes: { group: "load", label: "1С: перерыв в сеансе до", unit: "мин", min: 5, max: 1_440 },
  accountingDays: { group: "load", label: "1С: журнал хранится", ...days },
  accountingOrders: { group: "load", label: "1С: заказов в одном ответе до", unit: "заказов", min: 10, max: 1_000 },
  accountingOrderDays: { group: "load", label: "1С: новые заказы не старше", ...days },
  staffCallKeyHours: { group: "staff", label: "Повтор запроса узнаётся в течение", ...hours, max: 168 },

  requestsPerMinute: { group: "load", label: "Запросов посетителя", ...perMinute },
  pagesPerMinute: { group: "load", label: "Страниц посетителя, кроме готовых", ...perMinute },
  writesPerMinute: { group: "load", label: "Изменений посетителя", ...perMinute },
  quotesPerMinute: { group: "load", label: "Закреплений цены посетителя", ...perMinute },
  ordersPerMinute: { group: "load", label: "Заказов посетителя", ...perMinute },
  promoCodesPerMinute: { group: "load", label: "Промокодов посетителя", ...perMinute },
  searchesPerMinute: { group: "load", label: "Поисков посетителя", ...perMinute },
  addressRequestsPerMinute: { group: "load", label: "Запросов с сетевого адреса", ...perMinute },
  addressPagesPerMinute: { group: "load", label: "Страниц с сетевого адреса, кроме готовых", ...perMinute },
  addressWritesPerMinute: { group: "load", label: "Изменений с сетевого адреса", ...perMinute },
  addressQuotesPerMinute: { group: "load", label: "Закреплений цены с сетевого адреса", ...perMinute },
  addressOrdersPerMinute: { group: "load", label: "Заказов с сетевого адреса", ...perMinute },
  addressPromoCodesPerMinute: { group: "load", label: "Промокодов с сетевого адреса", ...perMinute },
  addressSearchesPerMinute: { group: "load", label: "Поисков с сетевого адреса", ...perMinute },
  connections: { group: "load", label: "Соединений всего", unit: "шт.", min: 1, max: 1_000_000, isOfMachine: true },
  connectionsPerAddress: { group: "load", label: "Соединений с сетевого адреса", unit: "шт.", min: 10, max: 100_000 },
  streams: { group: "load", label: "Открытых страниц с живыми ценами", unit: "шт.", min: 100, max: 1_000_000 },
  streamsPerVisitor: { group: "load", label: "Из них у посетителя", unit: "шт.", min: 1, max: 1_000 },
  streamsPerAddress: { group: "load", label: "Из них с сетевого адреса", unit: "шт.", min: 10, max: 100_000 },
  staffConnections: { group: "load", label: "Соединений служебной части с базой", unit: "шт.", min: 1, max: 100, isOfMachine: true },
  overloadDelayMs: { group: "load", label: "Сервер перегружен при задержке от", unit: "мс", min: 50, max: 10_000 },
  backupProofHours: {
    group: "load",
    label: "Предупредить, если копия не проверена",
    unit: "ч",
    min: 0,
    max: 720,
    hint: "0: не предупреждать",
  },
  diskAlarmPercent: { group: "load", label: "Предупредить, когда диск занят на", ...percent, hint: "0: не предупреждать" },
  requestDeadlineMs: { group: "load", label: "Ответить за", unit: "мс", min: 1_000, max: 60_000 },
  feedDeadlineMs: { group: "load", label: "Ответить прайс-листом и картой сайта за", unit: "мс", min: 1_000, max: 60_000 },
  requestReserveMs: { group: "load", label: "Из них запас на запись в базу", unit: "мс", min: 0, max: 10_000 },
};

/** Pairs of limits of which the first must stay below the second, each with the message beside the first. */
export const limitOrders: readonly (readonly [lower: keyof Limits, upper: keyof Limits, message: string])[] = [
  ["paymentAttemptMinutes", "paymentLifeMinutes", "Меньше срока, который заказ ждёт оплаты"],
  ["collectionReminderHours", "collectionHours", "Меньше срока, который заказ ждёт"],
  ["ratesStaleSeconds", "ratesDeadSeconds", "Меньше времени, после которого цен нет"],
  ["requestReserveMs", "requestDeadlineMs", "Меньше времени ответа"],
];
