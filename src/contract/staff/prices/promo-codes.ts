import * as z from "zod";
import { isWholeKopecks } from "#kit/money.ts";
import { codePattern, normaliseCode } from "#shop/pricing/promo-codes/promo-code.ts";
import { fieldMessages } from "../../fields.ts";
import { chosenInstant, coinId, instant, roubles } from "../../wire.ts";
import { staffCall } from "../call.ts";
import { cursor, page, rowIdParam } from "../wire.ts";

/**
 * Promo codes. They are never changed, only stopped: quotes and orders have what the code said. Percentages in hundredths, money in
 * roubles.
 */

const code = z.object({
  id: z.int(),
  code: z.string(),
  percentBp: z.int().nullable(),
  sum: roubles.nullable(),
  startsAt: instant,
  endsAt: instant.nullable(),
  maxUses: z.int().nullable(),
  maxUsesPerPerson: z.int().nullable(),
  minSum: roubles,
  coins: z.array(z.object({ id: z.int(), title: z.string() })).nullable(),
  categories: z.array(z.string()).nullable(),
  isWithPromos: z.boolean(),
  state: z.enum(["waiting", "active", "spent", "ended", "stopped"]),
  used: z.int(),
  createdAt: instant,
  createdBy: z.string(),
});

export const readPromoCodes = staffCall({
  method: "GET",
  path: "/api/staff/promo-codes",
  summary: "Promo codes with the number of their uses, newest first",
  permission: "prices",
  audit: null,
  query: z.object({ cursor }),
  answer: page(code),
  problems: [],
});

export const readPromoCode = staffCall({
  method: "GET",
  path: "/api/staff/promo-codes/{id}",
  summary: "A promo code with a page of the orders that used it, newest first",
  permission: "prices",
  audit: null,
  params: z.object({ id: rowIdParam }),
  query: z.object({ cursor }),
  answer: page(
    z.object({ orderId: z.string(), number: z.int().nullable(), discount: roubles, usedAt: instant, returnedAt: instant.nullable() }),
  ).extend({ code }),
  problems: ["staff.not_found"],
});

const moment = chosenInstant("Укажите день и время");
const count = z.int("Целое число").min(1, "Не меньше 1").max(1_000_000, "Слишком большое число").nullable();
const money = z.number(fieldMessages.required).max(100_000_000, "Слишком большая сумма").refine(isWholeKopecks, "Не мельче копейки");

export const createPromoCode = staffCall({
  method: "POST",
  path: "/api/staff/promo-codes",
  summary: "Adds a promo code. Exactly one of `percentBp` and `sum`; `coinIds` and `categories` null: for all coins",
  permission: "prices",
  audit: "promo_code.create",
  body: z
    .strictObject({
      code: z.string(fieldMessages.required).overwrite(normaliseCode).regex(codePattern, "От 3 до 30 букв, цифр и дефисов"),
      percentBp: z.int(fieldMessages.required).min(1, "Больше нуля").max(5_000, "Не больше 50 %").nullable(),
      sum: money.min(0.01, "Больше нуля").nullable(),
      startsAt: moment,
      endsAt: moment.nullable(),
      maxUses: count,
      maxUsesPerPerson: count,
      minSum: money.min(0, "Не меньше нуля"),
      coinIds: z.array(coinId).min(1, "Выберите монеты").max(500, "Не больше 500 монет").nullable(),
      /** Also for coins that a promo has lowered. */
      isWithPromos: z.boolean(),
      categories: z.array(z.string().max(200)).min(1, "Выберите разделы").max(100).nullable(),
    })
    .refine(({ percentBp, sum }) => (percentBp === null) !== (sum === null), { path: ["sum"], error: "Укажите процент или сумму" })
    .refine(({ startsAt, endsAt }) => endsAt === null || Date.parse(endsAt) > Date.parse(startsAt), {
      path: ["endsAt"],
      error: "Конец должен быть позже начала",
    }),
  answer: code,
  problems: ["request.invalid", "promo_code.taken"],
});

export const stopPromoCode = staffCall({
  method: "POST",
  path: "/api/staff/promo-codes/{id}/stop",
  summary: "Stops a promo code at once, for locked prices too; orders that were made with it stay",
  permission: "prices",
  audit: "promo_code.stop",
  params: z.object({ id: rowIdParam }),
  answer: code,
  problems: ["staff.not_found"],
});
