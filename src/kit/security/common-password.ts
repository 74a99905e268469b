/** What lists of leaked passwords begin with, in Latin and Cyrillic letters. */
const words: ReadonlySet<string> = new Set(
  (
    "password passwort passw0rd qwerty admin administrator welcome letmein iloveyou login master dragon monkey sunshine princess " +
    "football superman changeme secret default computer internet parol privet lubov nastya natasha marina gfhjkm chekan moscow " +
    "moskva rossiya russia пароль привет любовь админ администратор секрет солнышко наташа чекан москва россия"
  ).split(" "),
);

/** Keys and letters in their order. */
const rows: readonly string[] = [
  "012345678901234567890123456789",
  "abcdefghijklmnopqrstuvwxyz",
  "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
  "qwertyuiop[]asdfghjkl;'zxcvbnm,./",
  "qwertyuiopasdfghjklzxcvbnm",
  "йцукенгшщзхъфывапролджэячсмитьбю",
  "1q2w3e4r5t6y7u8i9o0p",
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik",
  "qazwsxedcrfvtgbyhnujmik",
];

const reversed = (text: string): string => Array.from(text).toReversed().join("");
const isRow = (text: string): boolean => rows.some((row) => row.includes(text) || row.includes(reversed(text)));

/** The shortest part whose repetition the text is; the text itself when it repeats nothing. */
function unitOf(text: string): string {
  for (let length = 1; length <= text.length / 2; length += 1) {
    const unit = text.slice(0, length);
    if (text.length % length === 0 && unit.repeat(text.length / length) === text) return unit;
  }
  return text;
}

/** Signs that are put around a word to make it longer. */
const shortTail = 6;

/**
 * Whether a password is among those that are guessed first: a known word, a row of keys, or one part again and again, with a few digits or
 * signs around it. Length alone does not keep these out.
 */
export function isCommonPassword(password: string): boolean {
  const text = password.toLowerCase().replaceAll(/\s/g, "");
  const unit = unitOf(text);
  if (unit.length <= 4 || isRow(unit)) return true;
  const word = unit.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  const around = unit.replace(word, "");
  return (words.has(word) || (word.length >= 4 && isRow(word))) && (around.length <= shortTail || isRow(around));
}
