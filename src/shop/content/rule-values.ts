import type { Limits } from "#shop/settings.ts";

const nbsp = "\u00A0";
const amount = (roubles: number): string => String(roubles).replaceAll(/\B(?=(?:\d{3})+$)/g, nbsp);

/**
 * The rules of the shop that texts name, as values for their placeholders: `{{CARD_LIMIT}} ₽`, `{{QUOTE_MINUTES}} минут`.
 * They come from the same settings that the checkout obeys, so that no text promises something else.
 */
export function ruleValues(limits: Limits): Record<string, string> {
  return {
    QUOTE_MINUTES: amount(Math.round(limits.quoteLifeSeconds / 60)),
    INVOICE_HOURS: amount(limits.invoiceHours),
    COLLECTION_HOURS: amount(limits.collectionHours),
    CARD_LIMIT: amount(limits.cardLimitRoubles),
    SBP_LIMIT: amount(limits.sbpLimitRoubles),
    COLLECTION_LIMIT: amount(limits.collectionLimitRoubles),
    INSURED_LIMIT: amount(limits.insuredLimitRoubles),
    LOCKER_LIMIT: amount(Math.min(limits.lockerLimitRoubles, limits.insuredLimitRoubles)),
    FREE_COURIER_FROM: amount(limits.freeCourierFromRoubles),
    PICKUP_PRICE:
      limits.freePickupFromRoubles > 0
        ? `бесплатно от ${amount(limits.freePickupFromRoubles)}${nbsp}₽, иначе по тарифу СДЭК`
        : "бесплатно при заказе через сайт",
  };
}
