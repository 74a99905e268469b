import type { BuyProfile } from "./buy-profile.ts";

export type Customer = {
  id: string;
  /** `+7` and ten digits. */
  phone: string;
  name: string;
  lastName: string;
  secondName: string;
  email: string;
  buyProfile: BuyProfile | null;
  createdAt: Date;
};

export type FullName = { name: string; lastName: string; secondName: string };
export type CustomerPatch = Partial<FullName & { email: string; buyProfile: BuyProfile }>;

export const maxNameLength = 100;
export const maxEmailLength = 254;

/**
 * Splits a full name as people type it: one word is the first name, two are last and first, three are last, first and second.
 * Further words belong to the second name («Мамедов Али Гейдар оглы»). An empty text gives empty parts.
 */
export function splitFullName(fullName: string): FullName {
  const words = fullName
    .normalize("NFC")
    .split(/\s/)
    .filter((word) => word !== "");
  const [first = "", second, ...rest] = words;
  if (second === undefined) return { name: first, lastName: "", secondName: "" };
  return { lastName: first, name: second, secondName: rest.join(" ") };
}

/** Name parts in the order in which a Russian form shows them. */
export const fullNameOf = ({ lastName, name, secondName }: FullName): string =>
  [lastName, name, secondName].filter((part) => part !== "").join(" ");

/**
 * Whether a text can be an e-mail address, as mail servers accept it; not every form of RFC 5322 (no quotes, no comments). Cyrillic domains
 * are accepted. Reads each character a fixed number of times, so a malicious text costs no more than its length.
 */
export function isEmail(text: string): boolean {
  if (text.length > maxEmailLength) return false;
  const at = text.indexOf("@");
  if (at < 1 || at !== text.lastIndexOf("@") || at > 64) return false;
  return isDotted(text.slice(0, at), /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+$/, 1) && isDomain(text.slice(at + 1));
}

function isDomain(domain: string): boolean {
  if (!isDotted(domain, /^[\p{L}\p{N}-]+$/u, 2)) return false;
  const labels = domain.split(".");
  const top = labels.at(-1) ?? "";
  return (
    labels.every((label) => label.length <= 63 && !label.startsWith("-") && !label.endsWith("-")) &&
    top.length >= 2 &&
    !/^[0-9]+$/.test(top)
  );
}

function isDotted(text: string, part: RegExp, atLeast: number): boolean {
  const parts = text.split(".");
  return parts.length >= atLeast && parts.every((each) => part.test(each));
}

/** Separators in typed phone numbers: spaces, dashes, brackets, dots, slashes, and invisible characters from pasted contacts. */
const separators = /[\s\p{Pd}\u2212()./\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu;

/**
 * Any spelling of a Russian number → `+7` and ten digits, or null: `8 916 …`, `+7 (916) …`, `916 …`, `7916…`, `tel:+7916…`, and a whole
 * number pasted behind the `+7` that a mask had already inserted.
 */
export function normalisePhone(text: string): string | null {
  if (text.length > 64) return null;
  const bare = text.normalize("NFKC").trim().replace(/^tel:/i, "").replaceAll(separators, "");
  const match = /^(\+?)([0-9]{10,12})$/.exec(bare.replace(/^\+7\+7/, "+7"));
  if (!match) return null;
  const [, plus, digits = ""] = match;
  if (digits.length === 10) return plus ? null : `+7${digits}`;
  if (digits.length === 11) return digits.startsWith("7") || (digits.startsWith("8") && !plus) ? `+7${digits.slice(1)}` : null;
  return /^7[78]9/.test(digits) ? `+7${digits.slice(2)}` : null;
}

/** Whether a text can be a part of a name: parcels are handed out by passport, which has no name of digits, signs or emoji alone. */
export const hasLetter = (text: string): boolean => /\p{L}/u.test(text);

/** Phones as the shop stores them. */
export const isPhone = (text: string): boolean => /^\+7[0-9]{10}$/.test(text);

/**
 * A proof of consent (152-FZ): the text version and the time, given by a customer, by the guest of an order, or with a form (`about` names
 * the stored form, `review:12`).
 */
export type Consent = {
  customerId: string | null;
  orderId: string | null;
  about?: string;
  purpose: ConsentPurpose;
  textVersion: string;
  at: Date;
};
export type ConsentPurpose = "registration" | "order" | "inquiry" | "review" | "newsletter";

/** Version of the text on the page `/consent/newsletter`: for news of the shop, and for alerts, per mailbox. */
export const newsletterConsentVersion = "newsletter-2026-11";

/** An active consent: its date and its text version. */
export type ActiveConsent = { at: Date; textVersion: string };
