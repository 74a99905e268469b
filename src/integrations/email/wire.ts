/**
 * What of SMTP (RFC 5321, 2045, 2047) this shop needs to read: replies by their first digit, and, for the simulator, a letter of one text part.
 */

/** 4xx may pass, 5xx at the envelope or the message is for good. Codes of nodemailer 10: EENVELOPE, EMESSAGE. */
export const isFinalReply = ({ code, responseCode }: { code?: string; responseCode?: number }): boolean =>
  (code === "EENVELOPE" || code === "EMESSAGE") && responseCode !== undefined && responseCode >= 500;

export type ReadLetter = { messageId: string; subject: string; text: string };

/** Reads a letter as it travelled: folded headers, encoded words, base64 or quoted-printable body in UTF-8. */
export function readLetter(raw: string): ReadLetter {
  const end = raw.indexOf("\r\n\r\n");
  const head = (end < 0 ? raw : raw.slice(0, end)).replaceAll(/\r\n[ \t]+/g, " ");
  const headers = new Map(head.split("\r\n").map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  }));
  const body = end < 0 ? "" : raw.slice(end + 4);
  return {
    messageId: headers.get("message-id") ?? "",
    subject: decodeWords(headers.get("subject") ?? ""),
    text: decodeBody(body, (headers.get("content-transfer-encoding") ?? "").toLowerCase()).replaceAll("\r\n", "\n").trim(),
  };
}

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
  return header.replaceAll(/\?=\s+=\?/g, "?==?").replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
    (kind.toLowerCase() === "b" ? Buffer.from(text, "base64").toString("utf8") : decodeQuoted(text.replaceAll("_", " "))));
}
