import { problems, type ProblemCode } from "../problems.ts";

/** What a refusal concerns: the first part of its code. */
type StaffArea =
  | "staff"
  | "approval"
  | "alarm"
  | "packing"
  | "label"
  | "stock"
  | "delivery"
  | "price_change"
  | "price_promo"
  | "promo_code"
  | "coin"
  | "section"
  | "synonym"
  | "media"
  | "buyback"
  | "refund"
  | "exchange";

/** Refusals of the back office only. They are not part of the public API. */
export const staffProblems = {
  "staff.sign_in_required": { status: 401, message: "Сеанс закончился. Войдите ещё раз: введённое сохранится" },
  "staff.verify_again": { status: 403, message: "Подтвердите вход ещё раз" },
  "staff.forbidden": { status: 403, message: "Вашей роли это действие недоступно" },
  "staff.stale": { status: 409, message: "Запись тем временем изменили" },
  "staff.key_reused": {
    status: 409,
    message: "Прошлая отправка дошла, хотя ответ потерялся. Обновите страницу и проверьте, что сохранилось",
  },
  "staff.key_missing": { status: 400, message: "Запрос составлен неверно: нет ключа повтора" },
  "staff.act_refused": { status: 409, message: "Сейчас это действие невозможно" },
  "staff.name_taken": { status: 409, message: "Такое название уже есть" },
  "staff.too_many": { status: 409, message: "Больше сохранить нельзя: удалите лишнее" },
  "staff.quote_gone": { status: 409, message: "Цены этого расчёта больше не действуют: посчитайте ещё раз" },
  "delivery.needs_special": { status: 409, message: "Монеты на такую сумму СДЭК не везёт: оформите отдельный заказ спецсвязью" },
  "packing.nothing": { status: 409, message: "Собирать нечего: эти заказы уже в других партиях" },
  "packing.ended": { status: 409, message: "Этот заказ в партии уже собран или отложен" },
  "packing.gone": { status: 409, message: "Заказ отменён или собран в другом месте. Верните монеты на полку" },
  "packing.taken": { status: 409, message: "Заказ собирает другой сотрудник" },
  "packing.wrong_piece": { status: 409, message: "Не та монета" },
  "packing.incomplete": { status: 409, message: "Отмечены не все монеты" },
  "packing.seal_missing": { status: 422, message: "Введите номер пломбы" },
  "packing.seal_not_needed": { status: 422, message: "Этот заказ выдают в офисе без пломбы" },
  "label.no_parcel": { status: 409, message: "У заказа нет посылки: этикетка не нужна" },
  "staff.not_found": { status: 404, message: "Не найдено" },
  "staff.sign_in_refused": { status: 422, message: "Войти не удалось. Проверьте почту, пароль и код из приложения" },
  "staff.sign_in_closed": { status: 429, message: "Слишком много неудачных попыток. Вход закрыт на 15 минут" },
  "staff.disabled": { status: 409, message: "Эта учётная запись отключена" },
  "staff.factor_refused": { status: 422, message: "Подтвердить не удалось. Попробуйте ещё раз или введите новый код" },
  "staff.invitation_gone": { status: 410, message: "Приглашение уже использовано или устарело. Попросите новое" },
  "staff.login_taken": { status: 409, message: "Такой логин уже есть" },
  "staff.email_taken": { status: 409, message: "Сотрудник с этой почтой уже есть" },
  "staff.last_admin": { status: 409, message: "Должен остаться хотя бы один сотрудник, который приглашает других" },
  "staff.last_factor": { status: 409, message: "Это единственный способ входа. Сначала добавьте другой" },
  "staff.not_self": { status: 409, message: "С собственной учётной записью этого сделать нельзя" },
  "coin.invalid": { status: 422, message: "Проверьте отмеченные поля. Введённое сохранено" },
  "coin.duplicate": { status: 409, message: "Похоже, такая монета уже есть" },
  "coin.not_ready": { status: 409, message: "Показать монету пока нельзя" },
  "coin.picture_wrong": { status: 422, message: "Снимок не найден или вырезан за краем. Загрузите его ещё раз" },
  "section.invalid": { status: 422, message: "Проверьте отмеченные поля" },
  "section.in_use": { status: 409, message: "Удалить нельзя: здесь ещё есть монеты или разделы" },
  "synonym.taken": { status: 409, message: "Такая фраза уже есть" },
  "synonym.empty": { status: 422, message: "Введите фразу и то, что по ней искать: они должны отличаться" },
  "media.empty": { status: 422, message: "Файл пустой" },
  "media.too_large": { status: 413, message: "Файл больше 20 МБ" },
  "media.unreadable": { status: 415, message: "Это не снимок: подойдут JPEG, PNG, WebP и AVIF до 60 мегапикселей" },
  "media.too_small": { status: 422, message: "Снимок мал: нужно не меньше 640 точек по короткой стороне" },
  "media.no_film": { status: 415, message: "Это не фильм для браузера: подойдут целые файлы MP4 и WebM" },
  "media.busy": { status: 503, message: "Не успели обработать снимок. Попробуйте ещё раз" },
  "staff.entry_settled": { status: 409, message: "Эту строку выписки уже разнесли" },
  "staff.entered_before": {
    status: 409,
    message: "По этому заказу уже внесены деньги без номера поручения. Проверьте, не они ли это",
  },
  "staff.provider_silent": { status: 503, message: "Платёжная система не отвечает. Попробуйте через минуту" },
  "staff.difference_settled": { status: 409, message: "Это расхождение уже разобрали" },
  "staff.refund_not_waiting": { status: 409, message: "Этот возврат уже не ждёт: обновите список" },
  "refund.transfer_entered": { status: 409, message: "Это поручение уже записано за другой возврат этого заказа" },
  "staff.refund_other_sum": { status: 409, message: "По этому возврату осталось вернуть другую сумму: обновите список" },
  "price_change.nothing": { status: 409, message: "Менять нечего: цены уже другие или остаются прежними. Обновите список" },
  "price_change.past": { status: 422, message: "Это время уже прошло" },
  "price_change.too_many": { status: 422, message: "Слишком много монет в одном изменении" },
  "price_change.not_scheduled": { status: 409, message: "Это изменение уже применено или отменено" },
  "price_change.not_applied": { status: 409, message: "Это изменение не применялось" },
  "price_promo.nothing": { status: 409, message: "Ни одна из монет не подешевеет: обновите список или измените цену" },
  "price_promo.overlaps": { status: 409, message: "У этих монет уже есть акция в это время" },
  "price_promo.too_many": { status: 422, message: "Слишком много монет в одной акции" },
  "price_promo.closed": { status: 409, message: "Эта акция уже закончилась или отменена" },
  "promo_code.taken": { status: 409, message: "Такой промокод уже есть" },
  "stock.wrong_state": { status: 409, message: "Документ уже в другом состоянии: обновите страницу" },
  "stock.empty": { status: 409, message: "В документе нет ни одной монеты" },
  "stock.line_refused": { status: 409, message: "Нельзя из-за части монет. Посмотрите строки документа" },
  "stock.stocktake_ended": { status: 409, message: "Пересчёт уже закончен" },
  "stock.not_on_sheet": { status: 409, message: "Этой монеты нет в листе пересчёта" },
  "stock.nothing_counted": { status: 409, message: "Ещё ничего не посчитано" },
  "stock.count_again": { status: 409, message: "Пока эти монеты считали, часть ушла с полки. Посчитайте их ещё раз" },
  "stock.code_unknown": { status: 409, message: "Монеты с таким кодом нет" },
  "stock.code_shared": { status: 409, message: "Этот код у нескольких монет. Введите артикул" },
  "exchange.closed": { status: 409, message: "Этот импорт уже закрыт" },
  "exchange.has_errors": { status: 409, message: "В файле есть ошибки. Исправьте их и загрузите файл ещё раз: ничего не изменилось" },
  "exchange.stale": { status: 409, message: "Данные тем временем изменились. Загрузите файл ещё раз: ничего не изменилось" },
  "exchange.refused": { status: 409, message: "Применить не удалось: ничего не изменилось" },
  "exchange.too_many": { status: 422, message: "Слишком много строк: сузьте период или выберите CSV" },
  "buyback.wrong_state": { status: 409, message: "Сейчас это со сделкой сделать нельзя: проверьте её состояние" },
  "buyback.expired": { status: 409, message: "Срок предложения истёк. Обновите его по сегодняшним ценам или отмените" },
  "buyback.other_sum": { status: 409, message: "Сумма тем временем изменилась. Проверьте её и подтвердите ещё раз" },
  "buyback.other_prices": { status: 409, message: "Цены тем временем изменились, новые уже в полях. Проверьте их и сохраните ещё раз" },
  "buyback.reason_missing": { status: 422, message: "Отличается от предложения: напишите причину" },
  "buyback.nothing": { status: 422, message: "Ни одной монеты не осталось: верните монеты продавцу" },
  "buyback.no_identity": { status: 409, message: "Сначала внесите документ продавца" },
  "buyback.order_known": { status: 409, message: "Это платёжное поручение уже записано в другой сделке" },
  "alarm.closed": { status: 409, message: "Это уже отметили решённым" },
  "approval.own": { status: 403, message: "Своё действие подтверждает другой сотрудник" },
  "approval.concerned": { status: 403, message: "О вашей учётной записи решает другой сотрудник" },
  "approval.decided": { status: 409, message: "Решение уже принято" },
  "approval.outdated": { status: 409, message: "С тех пор изменилось то, о чём просили. Проверьте и попросите ещё раз" },
  "approval.expired": { status: 409, message: "Срок подтверждения истёк. Попросите ещё раз" },
} as const satisfies Record<`${StaffArea}.${string}`, { status: number; message: string }>;

export type StaffCode = ProblemCode | keyof typeof staffProblems;

/** Status and message of a refusal. */
export const staffProblem = (code: StaffCode): { status: number; message: string } =>
  code in staffProblems ? staffProblems[code as keyof typeof staffProblems] : problems[code as ProblemCode];
