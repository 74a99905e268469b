import { domainToASCII } from "node:url";

/**
 * An e-mail address with its domain in ASCII (`@пример.рф` in Punycode), as providers require it that check addresses by a pattern.
 * A domain that has no such form is left as it is.
 */
export function asciiEmail(email: string): string {
  const at = email.lastIndexOf("@") + 1;
  const domain = email.slice(at);
  return email.slice(0, at) + (domainToASCII(domain) || domain);
}
