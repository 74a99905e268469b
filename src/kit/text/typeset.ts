import { nbsp } from "../format.ts";

/** Inserts no-break spaces where Russian typography requires them: in numbers (`10 000`), between number and unit or word, after №. */
export const withNumbersUnbroken = (text: string): string =>
  text
    .replaceAll(/(?<=\d) (?=\d{3}(?!\d))/g, nbsp)
    .replaceAll(/(?<=\d) (?=[%‰₽$€а-яё])/g, nbsp)
    .replaceAll(/(?<=№) (?=\d)/g, nbsp);

/**
 * The title of a coin with its numbers unbroken («50 рублей»), with initials kept together and with the surname, and with a one-letter word
 * kept with the word after it.
 */
export const withTitleUnbroken = (title: string): string => withShortWordsJoined(withNumbersUnbroken(title)).replaceAll(afterInitial, nbsp);

const afterInitial = /(?<=(?<![А-ЯЁа-яё])[А-ЯЁ]\.) (?=[А-ЯЁ])/g;

const withShortWordsJoined = (text: string): string => text.replaceAll(/(?<=(?:^|[\s(«])[вкосуияаВКОСУИЯА]) (?=\S)/gm, nbsp);

/** The same for texts and Markdown; also keeps a dash with the word before it and a one-letter word with the word after it. */
export const typeset = (text: string): string =>
  withShortWordsJoined(withNumbersUnbroken(text).replaceAll(/(?<=[^\s|]) (?=[—–] )/g, nbsp)).replaceAll(afterInitial, nbsp);
