import { nbsp, priceText, roubles } from "#kit/format.ts";
import { kopecks } from "#kit/money.ts";
import type { AlertFacts, AlertLetterData } from "./alert-letter.ts";
import type { Letter, LetterSection } from "./letter.ts";
import type { Sender } from "./texts.ru.ts";

const rateNames: Readonly<Record<string, { name: string; unit: string }>> = {
  XAU_RUB: { name: "Золото", unit: "₽ за грамм" },
  XAG_RUB: { name: "Серебро", unit: "₽ за грамм" },
  XAU_USD: { name: "Золото", unit: "$ за унцию" },
  XAG_USD: { name: "Серебро", unit: "$ за унцию" },
  USD_RUB: { name: "Доллар", unit: "₽" },
};

/** The condition of an alert as a clause after «когда»: «золото станет не дороже 11 000 ₽ за грамм». */
function alertCondition(facts: AlertFacts): string {
  if (facts.rule === "market_open") return "торги на бирже откроются";
  const name = facts.coin ? nameOf(facts) : nameOf(facts).toLowerCase();
  if (facts.rule === "in_stock" || facts.value === null) return `${name} снова появится в продаже`;
  return `${name} станет ${facts.rule === "below" ? "не дороже" : "не дешевле"} ${amount(facts, facts.value)}`;
}

/** The letter with the link that confirms an alert, or the one that reports it. Both contain a link that stops further letters. */
export function alertLetter({ kind, facts, value }: AlertLetterData, { shopName, publicUrl }: Sender): Letter {
  const page = `${publicUrl}/alerts/${facts.token}`;
  const isOpening = facts.rule === "market_open";
  const about = isOpening
    ? `${publicUrl}/cart`
    : facts.coin
      ? `${publicUrl}/products/${facts.coin.slug}`
      : `${publicUrl}/quotes-online?code=${facts.course ?? ""}`;
  const sections: LetterSection[] =
    kind === "alert_to_confirm"
      ? [
          { kind: "text", text: "Здравствуйте!" },
          { kind: "text", text: `Вы просили написать, когда ${alertCondition(facts)}. Подтвердите, что это вы.` },
          { kind: "link", label: "Подтвердить оповещение", url: page, isMain: true },
          {
            kind: "text",
            text: "Если просили не вы, ничего не делайте: без подтверждения мы больше не напишем и через два дня забудем этот адрес.",
          },
        ]
      : [
          { kind: "text", text: "Здравствуйте!" },
          { kind: "text", text: happened(facts, value) },
          { kind: "link", label: isOpening ? "К корзине" : facts.coin ? "Монета на сайте" : "Курс на сайте", url: about, isMain: true },
          { kind: "text", text: "Цены следуют за биржей и меняются в течение дня; на оформлении цена фиксируется." },
          {
            kind: "small",
            text: isOpening
              ? "Это было единственное письмо: больше об открытии торгов не напишем."
              : `Напишем снова, только когда цена уйдёт обратно и вернётся. Больше не писать: ${page}`,
          },
        ];
  const subject =
    kind === "alert_to_confirm"
      ? `Подтвердите оповещение: ${nameOf(facts)}`
      : isOpening
        ? "Торги открыты"
        : `${nameOf(facts)}: ${newsOf(facts.rule)}`;
  return { subject: `${subject} — ${shopName}`, sections: [...sections, { kind: "signature", text: `${shopName}, ${publicUrl}` }] };
}

function newsOf(rule: AlertFacts["rule"]): string {
  if (rule === "in_stock") return "снова в продаже";
  return rule === "below" ? "цена опустилась" : "цена поднялась";
}

function happened(facts: AlertFacts, value: number | null): string {
  if (facts.rule === "market_open")
    return "Торги на бирже открылись: цены инвестиционных монет снова фиксируются на оформлении. Корзина на месте.";
  if (facts.rule === "in_stock") return `${nameOf(facts)} снова в продаже.`;
  const now = value === null ? "цена уточняется" : amount(facts, value);
  const threshold = facts.value === null ? "" : amount(facts, facts.value);
  const side = facts.rule === "below" ? "не дороже" : "не дешевле";
  return `${nameOf(facts)}: сейчас ${now}. Вы просили написать, когда станет ${side} ${threshold}.`;
}

const nameOf = ({ coin, course, rule }: AlertFacts): string =>
  rule === "market_open" ? "открытие торгов" : coin ? `«${coin.title}»` : (rateNames[course ?? ""]?.name ?? "Курс");

const amount = ({ coin, course }: AlertFacts, value: number): string =>
  coin ? priceText(kopecks(value)) : `${roubles(kopecks(Math.round(value / 100)))}${nbsp}${rateNames[course ?? ""]?.unit ?? ""}`;
