/** What the shop writes to people. SMS stay within 70 characters: a Cyrillic message beyond that is charged as two. */

/** The code is the only group of four digits in the text: buyers and programs pick it out by that. */
export const signInCodeText = (shopName: string, code: string): string => `${shopName}: код для входа ${code}. Никому его не сообщайте.`;
