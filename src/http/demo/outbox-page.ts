import { dayAndTime } from "#kit/format.ts";
import type { DemoMessage } from "./controls.ts";

const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
/** No scripts, and styles only for the letters, which carry their own. */
export const outboxPolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** The outbox as a page: newest first, the code of an SMS in large digits. Reload to see new messages. */
export function outboxPage(messages: readonly DemoMessage[], to: string): string {
  const rows = messages.map(({ at, channel, to: recipient, text, html }) => {
    const code = channel === "sms" ? /(?<!\d)\d{4}(?!\d)/.exec(text)?.[0] : undefined;
    return `<article><h2>${code ? `${code} · ` : ""}${escape(recipient)}</h2><p>${channel === "sms" ? "SMS" : "Письмо"}, ${dayAndTime(at)}</p><pre>${escape(text)}</pre>${html ? letterFrame(html) : ""}</article><hr>`;
  });
  return `<!doctype html><html lang="ru"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>Сообщения магазина</title></head>
<body><h1>Сообщения магазина</h1><p>Сюда в демонстрационном режиме приходят SMS и письма. Новые сверху.</p>
<form><label>Кому <input name="to" value="${escape(to)}" placeholder="+79…"></label> <button>Показать</button></form>
${rows.length > 0 ? rows.join("\n") : "<p>Пока ничего не отправлено.</p>"}</body></html>`;
}

/** The letter as a mail program shows it, collapsed at first. */
const letterFrame = (html: string): string =>
  `<details><summary>Как письмо выглядит</summary><iframe sandbox title="Письмо" width="100%" height="900" srcdoc="${escape(html)}"></iframe></details>`;
