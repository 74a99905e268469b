/** The longest query that is counted, characters. */
const maxQueryLength = 60;

/**
 * A normalised query as it may be counted; null: it may name a person. What looks like a phone, an order or an e-mail is left out whole,
 * because a part of it would still be personal data.
 */
export function countable(query: string): string | null {
  const digits = query.replaceAll(/\D/g, "").length;
  const isCatalogueNumber = /^[3-9]\d{3}-\d{4}(-\d{1,2})?$/.test(query);
  if (query.length < 2 || query.length > maxQueryLength || query.includes("@") || (digits > 4 && !isCatalogueNumber)) return null;
  return query;
}
