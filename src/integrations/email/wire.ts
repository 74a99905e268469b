/**
 * The part of SMTP (RFC 5321, 2045, 2047) that the shop parses: replies by their first digit and, for the simulator, letters with text,
 * HTML and attachments.
 */

/** What nodemailer 10 says about a failed letter; `command`: the SMTP command that was answered with `responseCode`. */
export type SmtpFailure = { code?: string; command?: string; responseCode?: number };

/** Whether the server refuses the shop itself with a 5xx: its login, or its mailbox as the sender. Letters wait for a correction. */
export const isAccountReply = ({ code, command, responseCode = 0 }: SmtpFailure): boolean =>
  responseCode >= 500 && (code === "EAUTH" || (code === "EENVELOPE" && command === "MAIL FROM"));

/** Whether the server refuses this recipient or letter finally: 4xx is temporary, other 5xx are final. Codes of nodemailer 10. */
export const isFinalReply = ({ code, responseCode = 0 }: SmtpFailure): boolean =>
  responseCode >= 500 && (code === "EENVELOPE" || code === "EMESSAGE");

/** `html`: empty without such a part. `unsubscribe`: the one-click unsubscribe address (RFC 8058), or empty. */
export type ReadLetter = {
  messageId: string;
  subject: string;
  text: string;
  html: string;
  unsubscribe: string;
  attachments: { name: string; type: string; bytes: Buffer }[];
};

/** Parses a raw letter: folded headers, encoded words, base64 or quoted-printable body in UTF-8, attachments (RFC 2046). */
export function readLetter(raw: string): ReadLetter {
  const whole = partOf(raw);
  const { headers } = whole;
  const parts = leavesOf(whole);
  const files = parts.filter((part) => (part.headers.get("content-disposition") ?? "").startsWith("attachment"));
  const bodies = parts.filter((part) => !files.includes(part));
  const html = bodies.find((part) => typeOf(part) === "text/html");
  const text = bodies.find((part) => part !== html) ?? { headers, body: "" };
  return {
    messageId: headers.get("message-id") ?? "",
    subject: decodeWords(headers.get("subject") ?? ""),
    text: decodeBody(text.body, encodingOf(text)).replaceAll("\r\n", "\n").trim(),
    html: html ? decodeBody(html.body, encodingOf(html)).replaceAll("\r\n", "\n") : "",
    unsubscribe:
      headers.get("list-unsubscribe-post") === "List-Unsubscribe=One-Click"
        ? (/<(https?:[^>]+)>/.exec(headers.get("list-unsubscribe") ?? "")?.[1] ?? "")
        : "",
    attachments: files.map((part) => ({
      name: /filename="?([^";]+)"?/i.exec(part.headers.get("content-disposition") ?? "")?.[1] ?? "",
      type: (part.headers.get("content-type") ?? "").split(";")[0] ?? "",
      bytes: Buffer.from(part.body, encodingOf(part) === "base64" ? "base64" : "latin1"),
    })),
  };
}

type Part = { headers: Map<string, string>; body: string };

function partOf(raw: string): Part {
  const end = raw.indexOf("\r\n\r\n");
  const head = (end < 0 ? raw : raw.slice(0, end)).replaceAll(/\r\n[ \t]+/g, " ");
  const headers = new Map(
    head.split("\r\n").map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return { headers, body: end < 0 ? "" : raw.slice(end + 4) };
}

/** The leaf parts of nested multiparts (RFC 2046). */
function leavesOf(part: Part): Part[] {
  const boundary = /boundary="?([^";]+)"?/i.exec(part.headers.get("content-type") ?? "")?.[1];
  if (boundary === undefined) return [part];
  const parts = part.body.split(`--${boundary}`).slice(1, -1);
  return parts.flatMap((each) => leavesOf(partOf(each.replace(/^\r\n/, "").replace(/\r\n$/, ""))));
}

const typeOf = ({ headers }: Part): string => (headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";

const encodingOf = ({ headers }: Part): string => (headers.get("content-transfer-encoding") ?? "").toLowerCase();

function decodeBody(body: string, encoding: string): string {
  if (encoding === "base64") return Buffer.from(body, "base64").toString("utf8");
  if (encoding === "quoted-printable") return decodeQuoted(body.replaceAll(/=\r\n/g, ""));
  return Buffer.from(body, "latin1").toString("utf8");
}

/** `=D0=90` → А. */
function decodeQuoted(text: string): string {
  const bytes = text.replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}

/** `=?UTF-8?B?…?=` and `=?UTF-8?Q?…?=`; blanks between two encoded words are not part of the text. */
function decodeWords(header: string): string {
  return header
    .replaceAll(/\?=\s+=\?/g, "?==?")
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toLowerCase() === "b" ? Buffer.from(text, "base64").toString("utf8") : decodeQuoted(text.replaceAll("_", " ")),
    );
}
