/** The first `maxLength` UTF-16 units of a text without half of a surrogate pair at its end, which a jsonb column refuses. */
export const cutText = (text: string, maxLength: number): string => text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, "");
