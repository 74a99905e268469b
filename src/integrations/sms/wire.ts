import { z } from "zod";

/**
 * SMS.ru's answers, https://sms.ru/api/send (stored copy 2025). HTTP 200 is sent for refusals too: what counts is `status_code`,
 * once for the call and once per number; a call that went well with a number that did not is normal.
 */
export const sendAnswer = z.object({
  status: z.string(),
  status_code: z.number().int(),
  status_text: z.string().optional(),
  sms: z
    .record(
      z.string(),
      z.object({ status: z.string(), status_code: z.number().int(), sms_id: z.string().optional(), status_text: z.string().optional() }),
    )
    .optional(),
  /** Roubles on the account after this call. */
  balance: z.number().optional(),
});
export type SendAnswer = z.infer<typeof sendAnswer>;

export const accepted = 100;

/**
 * Final refusals of this number or text: 202, 207, 214 no such number or no route, 203 no text, 205 too long, 209 and 215 stop-lists,
 * 212 encoding, 216 forbidden word, 231 and 232 the same text was sent to it just now. All others (no money, limits, 220 and 500 at the
 * gateway)
 * may be temporary.
 */
export const finalRefusals: ReadonlySet<number> = new Set([202, 203, 205, 207, 209, 212, 214, 215, 216, 231, 232]);

/**
 * Refusals of the shop's account: 200, 300, 301 wrong key or password, 201 no money, 204, 221 sender not approved, 206 limit of the day,
 * 302 account not confirmed. No message is sent until that is corrected.
 */
export const accountRefusals: ReadonlySet<number> = new Set([200, 201, 204, 206, 221, 300, 301, 302]);

/** The codes that the simulator refuses with, by name. */
export const refusalTexts: Readonly<Record<number, string>> = {
  200: "Неправильный api_id",
  201: "Не хватает средств на лицевом счету",
  202: "Неправильно указан номер телефона получателя",
  203: "Нет текста сообщения",
  204: "Имя отправителя не согласовано с администрацией",
  205: "Сообщение слишком длинное (превышает 8 СМС)",
  206: "Будет превышен дневной лимит на отправку сообщений",
  220: "Сервис временно недоступен",
  230: "Превышен общий лимит количества сообщений на этот номер в день",
  231: "Превышен лимит одинаковых сообщений на этот номер в минуту",
  232: "Превышен лимит одинаковых сообщений на этот номер в день",
  233: "Превышен лимит отправки повторных сообщений с кодом на этот номер за короткий промежуток времени",
};
