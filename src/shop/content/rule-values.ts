import { nbsp, number } from "#kit/format.ts";
import type { Limits } from "#shop/settings.ts";
import { chargesVat, type SellerTax } from "#shop/tax.ts";

/**
 * The shop's limits as values of placeholders: `{{CARD_LIMIT}} ₽`, `{{QUOTE_MINUTES}} минут`. They come from the settings that the checkout
 * uses, so that no text promises something else.
 */
export function ruleValues(limits: Limits, tax: SellerTax): Record<string, string> {
  return {
    RECEIPT_VAT: chargesVat(tax) ? "НДС (для монет, которые служат законным платёжным средством, — «без НДС»)" : "«без НДС»",
    QUOTE_MINUTES: number(Math.round(limits.quoteLifeSeconds / 60)),
    INVOICE_HOURS: number(limits.invoiceHours),
    COLLECTION_HOURS: number(limits.collectionHours),
    CARD_LIMIT: number(limits.cardLimitRoubles),
    SBP_LIMIT: number(limits.sbpLimitRoubles),
    COLLECTION_LIMIT: number(limits.collectionLimitRoubles),
    INSURED_LIMIT: number(limits.insuredLimitRoubles),
    LOCKER_LIMIT: number(Math.min(limits.lockerLimitRoubles, limits.insuredLimitRoubles)),
    FREE_COURIER_FROM: number(limits.freeCourierFromRoubles),
    PICKUP_PRICE:
      limits.freePickupFromRoubles > 0
        ? `бесплатно от ${number(limits.freePickupFromRoubles)}${nbsp}₽, иначе по тарифу СДЭК`
        : "бесплатно при заказе через сайт",
  };
}
