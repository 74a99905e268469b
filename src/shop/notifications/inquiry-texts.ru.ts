import { priceText, roubles } from "#kit/format.ts";
import { operatorCommand } from "#kit/operator-command.ts";
import type { InquiryFact, InquiryLetterData } from "./inquiry-letter.ts";
import type { Letter, LetterSection } from "./letter.ts";
import { signatureOf, type Sender } from "./texts.ru.ts";

/**
 * The letter of thanks for a submitted form. It contains no text from the form, because the address may belong to another person.
 */
export function thanksLetter({ kind, number, estimate }: InquiryLetterData, sender: Sender): Letter {
  const { subject, text } = thanks[kind];
  const texts = [
    "Здравствуйте!",
    text.replace("{number}", String(number)),
    ...(estimate?.range ? [`${estimateText(estimate)} Точную сумму назовём после осмотра.`] : []),
    "Если вы ничего нам не отправляли, просто не отвечайте на это письмо: адрес мог быть указан по ошибке.",
  ];
  const sections: LetterSection[] = [...texts.map((each) => ({ kind: "text" as const, text: each })), signatureOf(sender)];
  return { subject: `${subject} — ${sender.shopName}`, sections };
}

function estimateText({ range, isWhole }: NonNullable<InquiryLetterData["estimate"]>): string {
  if (range === null) return "";
  const sum = range.least === range.most ? priceText(range.most) : `от ${roubles(range.least)} до ${priceText(range.most)}`;
  return `Предварительная оценка по ценам выкупа на момент заявки: ${sum}${isWhole ? "" : ", без монет, цену которых назовём отдельно"}.`;
}

const thanks: Record<InquiryLetterData["kind"], { subject: string; text: string }> = {
  review: {
    subject: "Спасибо за отзыв",
    text: "Мы получили ваш отзыв, его номер {number}. Покажем его на сайте, как только прочитаем: обычно это один рабочий день.",
  },
  buyback: {
    subject: "Заявка на выкуп получена",
    text: "Мы получили вашу заявку на выкуп, её номер {number}. Оценим монеты и назовём цену и срок её действия в течение рабочего дня.",
  },
  partners: { subject: "Заявка партнёра получена", text: "Мы получили вашу заявку, её номер {number}. Ответим в течение рабочего дня." },
  callback: {
    subject: "Заявка на звонок получена",
    text: "Мы получили вашу просьбу перезвонить, её номер {number}. Позвоним в рабочие часы.",
  },
};

/** The letter to the staff with all values of the form. They are in the body only, never in the headers. */
export function deskLetter({ kind, number, facts, isSuspect, estimate }: InquiryLetterData, { shopName }: Sender): Letter {
  const lines = (Object.keys(factNames) as InquiryFact[]).flatMap((fact) =>
    facts[fact] ? [`${factNames[fact]}: ${fact === "condition" ? (conditionNames[facts[fact]] ?? facts[fact]) : facts[fact]}`] : [],
  );
  const texts = [
    ...(isSuspect
      ? ["Форма заполнена быстрее, чем успевает человек, или не со страницы сайта: возможно, это робот. Письмо отправителю не ушло."]
      : []),
    lines.join("\n"),
    ...(estimate?.range ? [estimateText(estimate)] : []),
    kind === "review"
      ? `Показать на сайте: ${operatorCommand("desk", `review ${number} approve`)}\n` +
        `Не показывать: ${operatorCommand("desk", `review ${number} reject`)}`
      : `Отметить отвеченной: ${operatorCommand("desk", `inquiry ${number} answer`)}`,
  ];
  return { subject: `${deskSubjects[kind]} №${number} — ${shopName}`, sections: texts.map((text) => ({ kind: "text", text })) };
}

const deskSubjects: Record<InquiryLetterData["kind"], string> = {
  review: "Новый отзыв",
  buyback: "Заявка на выкуп",
  partners: "Заявка партнёра",
  callback: "Просят перезвонить",
};

const factNames: Record<InquiryFact, string> = {
  name: "Имя",
  company: "Организация",
  phone: "Телефон",
  email: "Почта",
  city: "Город",
  convenientTime: "Когда удобно",
  rating: "Оценка",
  coin: "Монета",
  coins: "Монеты",
  condition: "Состояние",
  text: "Текст",
};

const conditionNames: Readonly<Record<string, string>> = {
  perfect: "идеальное",
  good: "хорошее",
  fair: "удовлетворительное",
  damaged: "повреждены",
};
