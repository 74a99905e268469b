import type { AccountError } from "#shop/account/account.ts";
import type { AlertError } from "#shop/alerts/alert.ts";
import type { AuthError } from "#shop/auth/sign-in.ts";
import type { CartError } from "#shop/cart/cart.ts";
import type { CheckoutError, QuoteError } from "#shop/checkout/quote.ts";
import type { ShipmentError } from "#shop/delivery/shipment.ts";
import type { InquiryError } from "#shop/inquiries/inquiry.ts";
import type { ListError } from "#shop/lists/list.ts";
import type { NewsletterError } from "#shop/newsletter/newsletter.ts";
import type { OrderError } from "#shop/orders/order.ts";
import type { PaymentError } from "#shop/payment/payment.ts";
import type { PromoError } from "#shop/pricing/promo-codes/promo-code.ts";
import type { ReceiptError } from "#shop/payment/receipts/receipt.ts";

/** All expected refusals of the services. */
export type ShopError =
  | AccountError
  | AlertError
  | AuthError
  | CartError
  | PromoError
  | ListError
  | QuoteError
  | CheckoutError
  | OrderError
  | PaymentError
  | ReceiptError
  | InquiryError
  | ShipmentError
  | NewsletterError;

/** Refusals before a service is called. */
type EdgeCode =
  | "request.malformed"
  | "request.duplicate_cookies"
  | "request.forged"
  | "request.not_found"
  | "request.bad_method"
  | "request.too_slow"
  | "request.too_large"
  | "request.uri_too_long"
  | "request.bad_type"
  | "request.unknown_host"
  | "request.invalid"
  | "request.too_many"
  | "request.headers_too_large"
  | "service.unavailable"
  | "auth.required"
  | "order.key_missing"
  | "refund.transfer_waits"
  | "demo.refused";

/**
 * The only place that gives a refusal its status and its Russian message. A code without an entry does not compile. Browser-safe: page
 * actions and scripts use the messages too.
 */
export const problems = {
  "request.malformed": { status: 400, message: "Запрос составлен неверно" },
  "request.duplicate_cookies": {
    status: 400,
    message: "Браузер прислал противоречивые данные входа. Очистите cookie этого сайта и повторите",
  },
  "request.forged": { status: 403, message: "Запрос отклонён: он пришёл не со страниц магазина" },
  "request.not_found": { status: 404, message: "Такой страницы нет" },
  "request.bad_method": { status: 405, message: "Такой запрос по этому адресу не поддерживается" },
  "request.too_slow": { status: 408, message: "Запрос шёл слишком долго" },
  "request.too_large": { status: 413, message: "Слишком большой запрос" },
  "request.uri_too_long": { status: 414, message: "Слишком длинный адрес" },
  "request.bad_type": { status: 415, message: "Такой формат запроса не поддерживается" },
  "request.unknown_host": { status: 421, message: "Этот адрес не обслуживается" },
  "request.invalid": { status: 422, message: "Проверьте отмеченные поля" },
  "request.too_many": { status: 429, message: "Слишком много запросов. Подождите немного и повторите" },
  "request.headers_too_large": { status: 431, message: "Слишком большие заголовки запроса" },
  "service.unavailable": { status: 503, message: "Сервис временно недоступен" },

  "auth.required": { status: 401, message: "Войдите, чтобы продолжить" },
  "auth.bad_phone": { status: 422, message: "На этот номер нельзя отправить SMS. Проверьте номер" },
  "auth.too_many_codes": { status: 429, message: "Слишком много запросов кода. Попробуйте позже" },
  "auth.proof_needed": { status: 429, message: "Слишком много запросов кода. Запросите код со страницы входа" },
  "auth.wrong_code": { status: 422, message: "Неверный смс код" },
  "auth.code_expired": { status: 422, message: "Код больше не действует. Запросите новый" },
  "auth.too_many_attempts": { status: 429, message: "Слишком много попыток. Запросите новый код" },
  "auth.sms_unavailable": { status: 503, message: "Не удалось отправить SMS. Попробуйте ещё раз через минуту" },

  "account.code_needed": { status: 403, message: "Подтвердите, что телефон у вас: введите код из SMS и повторите" },
  "account.orders_open": { status: 409, message: "Сначала дождитесь выдачи заказов или отмените их, потом кабинет можно удалить" },

  "product.not_found": { status: 404, message: "Монета не найдена" },
  "cart.stock_short": { status: 409, message: "Столько монет нет в наличии" },
  "cart.limit": { status: 409, message: "В один заказ можно положить меньше таких монет" },
  "cart.full": { status: 409, message: "В корзине слишком много разных монет. Оформите заказ или уберите лишнее" },
  "cart.empty": { status: 409, message: "Корзина пуста" },
  "promo.unknown": { status: 422, message: "Такого промокода нет. Проверьте, как он написан" },
  "promo.ended": { status: 422, message: "Промокод больше не действует" },
  "promo.not_started": { status: 422, message: "Промокод ещё не действует" },
  "promo.spent": { status: 422, message: "Этот промокод уже использовали столько раз, сколько было можно" },
  "promo.spent_by_person": { status: 422, message: "Вы уже использовали этот промокод" },
  "wishlist.full": { status: 409, message: "В избранном больше нет места. Уберите что-нибудь" },
  "compare.full": { status: 409, message: "Сравнить можно не больше десяти монет. Уберите лишнюю" },

  "city.not_found": { status: 404, message: "Город не найден" },
  "market.closed": {
    status: 409,
    message: "Биржа закрыта: цены инвестиционных монет сейчас не фиксируются. Оформить заказ можно после открытия торгов",
  },
  "rates.stale": { status: 409, message: "Котировки обновляются, оформление скоро станет доступно" },
  "payment.over_limit": { status: 409, message: "Сумма заказа больше, чем можно оплатить этим способом" },
  "payment.not_allowed": { status: 409, message: "Этот способ оплаты не подходит к выбранной доставке" },
  "payment.unavailable": { status: 503, message: "Оплата временно недоступна, заказ сохранён" },
  "quote.not_found": { status: 404, message: "Расчёт заказа не найден. Обновите страницу" },
  "quote.used": { status: 409, message: "По этому расчёту заказ уже оформлен" },

  "order.not_found": { status: 404, message: "Заказ не найден" },
  "order.key_missing": { status: 400, message: "Запрос составлен неверно: нет ключа повтора" },
  "order.key_reused": { status: 422, message: "Этот ключ повтора уже использован для другого заказа" },
  "order.in_progress": { status: 409, message: "Заказ ещё оформляется. Подождите несколько секунд" },
  "order.prices_changed": { status: 409, message: "Цены обновились" },
  "order.stock_short": { status: 409, message: "Пока вы оформляли заказ, часть монет закончилась" },
  "order.too_many_unpaid": {
    status: 409,
    message: "У вас много неоплаченных или только что отменённых заказов. Оплатите неоплаченный или попробуйте позже",
  },
  "order.reserve_limit": {
    status: 409,
    message: "Столько монет нельзя отложить без оплаты. Оплатите прежние заказы или уменьшите этот, а для крупного заказа позвоните нам",
  },
  "order.phone_unconfirmed": {
    status: 409,
    message: "Счёт на такую сумму выставляем на подтверждённый телефон. Войдите по коду из SMS с номером, указанным в заказе",
  },
  "order.not_payable": { status: 409, message: "Этот заказ уже нельзя оплатить" },
  "order.not_cancellable": { status: 409, message: "Заказ уже передан в доставку, отменить его нельзя" },
  "order.refund_too_much": { status: 409, message: "Столько вернуть нельзя: это больше, чем осталось от оплаты" },
  "order.pieces_refused": {
    status: 409,
    message: "Столько монет в заказе не осталось, или это последние: тогда заказ отменяют или возвращают целиком",
  },
  "order.reference_missing": { status: 422, message: "Назовите номер и дату платёжного поручения из выписки банка" },
  "order.transfer_known": {
    status: 409,
    message: "Это платёжное поручение уже учтено. Если такие же номер, дата и сумма у другого плательщика, назовите его счёт",
  },
  "order.parcel_refused": { status: 409, message: "Перевозчик отклонил посылку: сначала отправьте её снова" },
  "order.seal_missing": { status: 422, message: "Назовите номер пломбы" },
  "order.seal_taken": { status: 409, message: "Этот номер пломбы уже записан за другим заказом" },
  "order.seal_is_coin": { status: 409, message: "Это код монеты, а не номер пломбы" },
  "receipt.not_found": { status: 404, message: "Чек не найден" },
  "receipt.event_refused": { status: 409, message: "С этим чеком так поступить нельзя" },
  "order.event_refused": { status: 409, message: "В этом состоянии с заказом так поступить нельзя" },

  "shipment.not_found": { status: 404, message: "Посылки этого заказа у перевозчика нет" },
  "shipment.not_refused": { status: 409, message: "Перевозчик не отказывался от этой посылки" },
  "shipment.no_such_point": { status: 422, message: "В этом городе нет такого пункта, или он не примет эту посылку" },

  "review.not_found": { status: 404, message: "Отзыв не найден" },
  "inquiry.not_found": { status: 404, message: "Заявка не найдена" },
  "inquiry.too_many": { status: 429, message: "С вашего адреса уже пришло несколько сообщений. Попробуйте через час или позвоните нам" },

  "newsletter.not_found": { status: 404, message: "Такой ссылки нет: проверьте, целиком ли она скопирована из письма" },
  "alert.not_found": { status: 404, message: "Оповещение не найдено: его уже отменили, или ссылка неполная" },
  "alert.too_many": {
    status: 409,
    message: "На этот адрес уже заведено много оповещений. Отмените лишние по ссылкам из писем или попробуйте завтра",
  },

  // Of staff, at the desk and in the back office.
  "refund.transfer_waits": {
    status: 409,
    message: "Возврат переводом этих денег ждёт второго человека. Пока он не решил, отправить их снова нельзя",
  },
  "demo.refused": { status: 422, message: "Такое изменение курса отклонили бы правила проверки" },
} as const satisfies Record<ShopError["code"] | EdgeCode, { status: number; message: string }>;

export type ProblemCode = keyof typeof problems;

/** `Retry-After` of `service.unavailable`, in seconds. */
export const outageRetrySeconds = 2;

/** The body of every error answer. */
export type ProblemBody = {
  statusCode: number;
  statusMessage: string;
  code: ProblemCode;
  message: string;
  fields?: Record<string, string>;
  data?: unknown;
};
