/**
 * Digits of a phone, or of a part of one, in a search text: null when the text is none, or has fewer than four digits. A whole phone that
 * begins with 8 is stored with 7.
 */
export function searchedPhone(text: string): string | null {
  const digits = text.replaceAll(/[\s()+-]/g, "");
  return /^\d{4,11}$/.test(digits) ? digits.replace(/^8(?=\d{10}$)/, "7") : null;
}
