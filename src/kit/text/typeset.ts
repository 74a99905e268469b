import { nbsp } from "../format.ts";

/** Inserts no-break spaces where Russian typography requires them: in numbers (`10 000`), between number and unit or word, after №. */
export const withNumbersUnbroken = (text: string): string =>
  text
    .replaceAll(/(?<=\d) (?=\d{3}(?!\d))/g, nbsp)
    .replaceAll(/(?<=\d) (?=[%‰₽$€а-яё])/g, nbsp)
    .replaceAll(/(?<=№) (?=\d)/g, nbsp);

/** The same for texts and Markdown; also keeps a dash with the word before it and a one-letter word with the word after it. */
export const typeset = (text: string): string =>
  withNumbersUnbroken(text)
    .replaceAll(/(?<=[^\s|]) (?=[—–] )/g, nbsp)
    .replaceAll(/(?<=(?:^|[\s(«])[вкосуияаВКОСУИЯА]) (?=\S)/gm, nbsp);
