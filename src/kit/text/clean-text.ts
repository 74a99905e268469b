/**
 * Cleans untrusted text before validation: NFC, trimmed, complete surrogate pairs, no control characters (a line feed stays,
 * a tab becomes a space), no invisible marks that change the direction of text, no signs of zero width, of which a name could consist.
 */
export function cleanText(text: string): string {
  return text.toWellFormed().replaceAll(/\r\n?/g, "\n").replaceAll("\t", " ").replaceAll(unwanted, "").normalize("NFC").trim();
}
// U+FEFF is a byte-order mark; U+202A–202E and U+2066–2069 reorder what follows them; U+200E, U+200F and U+061C do so at a smaller scale;
// U+00AD, U+200B and U+2060–2065 have no width.
// oxlint-disable-next-line no-control-regex -- these are the characters to remove
const unwanted = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\uFEFF\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFFFE\uFFFF]/g;
