import { nbsp } from "./format.ts";

/** Keeps together what Russian print never parts: the groups of a number (`10 000`), a number and its unit or word (`22 %`, `3 рубля`), № and its number. */
export const gluedNumbers = (text: string): string =>
  text
    .replaceAll(/(?<=\d) (?=\d{3}(?!\d))/g, nbsp)
    .replaceAll(/(?<=\d) (?=[%‰₽$€а-яё])/g, nbsp)
    .replaceAll(/(?<=№) (?=\d)/g, nbsp);

/** A text for reading, plain or Markdown: besides numbers, a dash stays with the word before it and a word of one letter with the one behind it. */
export const typeset = (text: string): string =>
  gluedNumbers(text)
    .replaceAll(/(?<=[^\s|]) (?=[—–] )/g, nbsp)
    .replaceAll(/(?<=(?:^|[\s(«])[вкосуияаВКОСУИЯА]) (?=\S)/gm, nbsp);
