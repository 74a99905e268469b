import { domainToASCII } from "node:url";

/** An e-mail address with its domain in ASCII (`@пример.рф` in Punycode), as providers require it that check addresses by a pattern. */
export function asciiEmail(email: string): string {
  const at = email.lastIndexOf("@") + 1;
  return email.slice(0, at) + domainToASCII(email.slice(at));
}
