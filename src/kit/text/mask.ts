/** Masks personal data for viewers who are not verified as its owner. */

/** `+79161234567` → `+7 ••• •••-45-67`. */
export const maskPhone = (phone: string): string => `+7 ••• •••-${phone.slice(-4, -2)}-${phone.slice(-2)}`;

/** `ivanov@mail.ru` → `i•••@mail.ru`. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf("@");
  return at < 1 ? "•••" : `${firstCharacter(email)}•••${email.slice(at)}`;
}

/** Hides the text; an empty text stays empty. */
export const maskText = (text: string): string => (text === "" ? "" : "•••");

/** `Петров` → `П•••`; an empty name stays empty. */
export const maskName = (name: string): string => (name === "" ? "" : `${firstCharacter(name)}•••`);

/** Masks phones and e-mail addresses inside of a text that a visitor typed. */
export const maskContactsIn = (text: string): string =>
  text
    .replaceAll(/[^\s@<>(),;:"]+@[^\s@<>(),;:"]+\.[^\s@<>(),;:".]+/g, (email) => maskEmail(email))
    .replaceAll(/(?<!\d)\+?\d(?:[\s().–—-]{0,3}\d){9,11}(?!\d)/g, (phone) => maskPhone(phone.replaceAll(/\D/g, "")));

/** Whole code points only: half of a surrogate pair is not a text that a jsonb column accepts. */
const firstCharacter = (text: string): string => String.fromCodePoint(text.codePointAt(0) ?? 0);
