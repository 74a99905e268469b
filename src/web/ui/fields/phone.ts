/** Ten digits of a Russian number from any typed or pasted text: `8 (916) …`, `+7-916…`, `9161234567`. Fewer while it is incomplete. */
export function phoneDigits(text: string): string {
  const digits = text.normalize("NFKC").replace(/\D/g, "");
  if (/^7[78]9\d{9}/.test(digits)) return digits.slice(2, 12); // a complete number pasted after an existing prefix
  const isPrefixed = /^\s*\+\s*7/.test(text) || (digits.length > 10 && /^[78]/.test(digits));
  return (isPrefixed ? digits.slice(1) : digits).slice(0, 10);
}

/** Ten digits → `+7 (916) 123-45-67`; fewer give its beginning. */
export function maskedPhone(digits: string): string {
  const [area, exchange, first, second] = [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6, 8), digits.slice(8, 10)];
  let text = `+7 (${area}`;
  if (exchange) text += `) ${exchange}`;
  if (first) text += `-${first}`;
  if (second) text += `-${second}`;
  return text;
}
