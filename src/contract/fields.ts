/** Rules of single fields, for forms in the browser and the schemas of the server alike. No zod: this reaches the browser. */

/** Words beside a field that was filled in wrongly. */
export const fieldMessages = {
  required: "Обязательное поле",
  email: "Email указан неверно",
  phone: "Телефон указан неверно",
  code: "Введите четыре цифры из SMS",
  consent: "Нужно согласие на обработку персональных данных",
  tooLong: "Слишком длинный текст",
  unknown: "Неизвестное поле",
  quantity: "Количество от 0 до 999",
  point: "Выберите пункт выдачи",
  wrong: "Значение указано неверно",
} as const;

export const codeLength = 4;

/** Longest texts that are kept, in characters. */
export const longest = { name: 100, email: 254, address: 200, short: 20, message: 1000, query: 100 } as const;

/**
 * `+7` and ten digits from any usual spelling (`8 (900) 123-45-67`, `+7 900 123 45 67`, `9001234567`); null when it cannot be one.
 * Which ranges may be sent an SMS is another question, the server's.
 */
export function phoneOf(text: string): string | null {
  if (text.length > 40 || /[^\d\s()+\-.–—]/.test(text)) return null;
  const digits = text.replace(/\D/g, "");
  if (digits.length === 11 && (digits.startsWith("7") || (digits.startsWith("8") && !text.trim().startsWith("+")))) return `+7${digits.slice(1)}`;
  if (digits.length === 10 && !text.trim().startsWith("+")) return `+7${digits}`;
  return null;
}

/** One `@`, a dotted domain, no spaces or control characters, at most 254 characters. Linear in its input. */
export function isEmail(text: string): boolean {
  if (text.length > longest.email) return false;
  const [local, domain, ...more] = text.split("@");
  if (!local || !domain || more.length > 0 || local.length > 64) return false;
  if (!/^[^\s<>()[\]\\,;:"\p{C}]+$/u.test(local) || local.startsWith(".") || local.endsWith(".") || local.includes("..")) return false;
  const labels = domain.split(".");
  return labels.length > 1 && labels.every((label) => /^[\p{L}\p{N}-]{1,63}$/u.test(label) && !label.startsWith("-") && !label.endsWith("-"));
}

/** The four digits of an SMS code, spaces forgiven; null otherwise. */
export function codeOf(text: string): string | null {
  const digits = text.slice(0, 40).replace(/\s/g, "");
  return /^\d{4}$/.test(digits) ? digits : null;
}
