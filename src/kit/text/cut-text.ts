/** The first `longest` UTF-16 units of a text without half of a surrogate pair at its end, which a jsonb column refuses. */
export const cutText = (text: string, longest: number): string => text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, "");
