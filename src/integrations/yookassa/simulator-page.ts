import { priceText } from "#kit/format.ts";
import { kopecks } from "#kit/money.ts";
import type { StoredPayment } from "./simulator-journal.ts";

/** The actions on the payment page, as values of the form field `outcome`. */
export const outcomes = ["pay", "decline", "abandon", "pay_without_webhook", "pay_webhook_five_times"] as const;
export type SimulatedOutcome = (typeof outcomes)[number];

const buttons: { outcome: SimulatedOutcome; title: string; note: string; kind: "main" | "plain" }[] = [
  { outcome: "pay", title: "Оплатить", note: "", kind: "main" },
  { outcome: "decline", title: "Банк отклонил оплату", note: "платёж отменяется", kind: "plain" },
  { outcome: "abandon", title: "Закрыть страницу, не оплатив", note: "платёж ждёт ещё час", kind: "plain" },
  { outcome: "pay_without_webhook", title: "Оплатить, но потерять уведомление", note: "магазин узнает сам", kind: "plain" },
  { outcome: "pay_webhook_five_times", title: "Оплатить, уведомить пять раз", note: "магазин примет одно", kind: "plain" },
];

const escape = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

const results: Record<Exclude<StoredPayment["status"], "pending">, string> = {
  succeeded: "Платёж прошёл",
  waiting_for_capture: "Деньги зарезервированы",
  canceled: "Платёж отменён",
};

/** The provider's page for one payment: the choice while it is pending, its result afterwards. Self-contained, without scripts or files. */
export function paymentPage(payment: StoredPayment): string {
  const items =
    payment.status === "pending"
      ? `<form method="post">${buttons.map(button).join("")}</form>`
      : `<p class="result" role="status">${results[payment.status]}</p>` +
        `<a class="main" href="${escape(payment.returnUrl)}">Вернуться в магазин</a>`;
  return page(
    payment.description || "Оплата",
    `
    <p class="what">${escape(payment.description)}</p>
    <h1>${priceText(kopecks(payment.amountKopecks))}</h1>
    <p class="how">${payment.method === "sbp" ? "Система быстрых платежей" : "Мир, Visa, Mastercard, СБП"}</p>
    ${items}`,
  );
}

export const missingPage = (): string =>
  page(
    "Платёж не найден",
    `<h1>Платёж не найден</h1><p class="what">Проверьте ссылку или вернитесь в магазин и начните оплату заново.</p>`,
  );

const button = (each: (typeof buttons)[number]): string =>
  `<button class="${each.kind}" name="outcome" value="${each.outcome}">` +
  `${each.title}${each.note ? `<small>${each.note}</small>` : ""}</button>`;

const page = (title: string, body: string): string => `<!doctype html>
<html lang="ru"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escape(title)} — оплата</title>
<style>
  *{box-sizing:border-box}
  body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px 16px;
    background:linear-gradient(160deg,#eef0f6,#dfe3ee);color:#1b1e2b;font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
  main{width:100%;max-width:440px;background:#fff;border-radius:20px;padding:32px;box-shadow:0 24px 60px -24px #28304f66}
  header{display:flex;align-items:center;gap:10px;margin-bottom:28px;font-weight:600}
  header svg{flex:none}
  header span{margin-left:auto;font-size:12px;font-weight:500;color:#6a4a00;background:#fff1cf;padding:4px 10px;border-radius:99px}
  h1{margin:0;font-size:34px;line-height:1.2;letter-spacing:-.01em;font-variant-numeric:tabular-nums}
  p{margin:0}.what{color:#4d5368}.how{color:#4d5368;font-size:14px;margin-top:4px}
  form{display:grid;gap:10px;margin-top:28px}
  button,a.main{font:inherit;display:block;width:100%;min-height:48px;padding:10px 16px;border-radius:12px;cursor:pointer;
    text-align:left;border:1px solid #cdd3e2;background:#fff;color:inherit;text-decoration:none}
  button:hover{border-color:#5361c9}
  .main{background:#4351c4!important;color:#fff!important;border-color:#4351c4!important;text-align:center!important;
    font-weight:600!important;font-size:17px!important}
  .main:hover{background:#35419f!important}
  button:focus-visible,a:focus-visible{outline:3px solid #9aa5f0;outline-offset:2px}
  small{display:block;color:#5c6379;font-size:13px}
  .result{margin:28px 0 16px;font-size:18px;font-weight:600}
  footer{margin-top:24px;font-size:13px;color:#5c6379}
</style></head>
<body><main><header><svg width="28" height="28" viewBox="0 0 28 28" aria-hidden="true">
<rect width="28" height="28" rx="8" fill="#4351c4"/>
<path d="M6 11h16M6 11v8a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-8M6 11l2-3h12l2 3"
  stroke="#fff" stroke-width="2" fill="none" stroke-linejoin="round"/></svg>
Платёжный агрегатор<span>учебный</span></header>${body}
<footer>Это имитация платёжной страницы: деньги не списываются, данные карты не нужны.</footer></main></body></html>`;
