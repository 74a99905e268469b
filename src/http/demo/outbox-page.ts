import { dayAndTime } from "#kit/format.ts";
import { escapeHtml, htmlPage } from "../plain-html.ts";
import type { DemoMessage } from "./controls.ts";

/** No scripts; styles only for the letters, which contain their own. */
export const outboxPolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** The outbox as a page: newest first, the code of an SMS in large digits. Reload to see new messages. */
export function outboxPage(messages: readonly DemoMessage[], to: string): string {
  const rows = messages.map(({ at, channel, to: recipient, text, html }) => {
    const code = channel === "sms" ? /(?<!\d)\d{4}(?!\d)/.exec(text)?.[0] : undefined;
    const heading = `${code ? `${code} · ` : ""}${escapeHtml(recipient)}`;
    const details = `${channel === "sms" ? "SMS" : "Письмо"}, ${dayAndTime(at)}`;
    const frame = html ? letterFrame(html) : "";
    return `<article><h2>${heading}</h2><p>${details}</p><pre>${escapeHtml(text)}</pre>${frame}</article><hr>`;
  });
  return htmlPage(
    "Сообщения магазина",
    `<h1>Сообщения магазина</h1><p>Сюда в демонстрационном режиме приходят SMS и письма. Новые сверху.</p>
<form><label>Кому <input name="to" value="${escapeHtml(to)}" placeholder="+79…"></label> <button>Показать</button></form>
${rows.length > 0 ? rows.join("\n") : "<p>Пока ничего не отправлено.</p>"}`,
  );
}

/** The letter as a mail program shows it, initially collapsed. */
const letterFrame = (html: string): string =>
  "<details><summary>Как письмо выглядит</summary>" +
  `<iframe sandbox title="Письмо" width="100%" height="900" srcdoc="${escapeHtml(html)}"></iframe></details>`;
