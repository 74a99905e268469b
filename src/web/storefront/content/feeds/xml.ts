const signs: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };

const anySign = /[&<>"']/;

/** Escapes a text for XML. */
export const xmlText = (text: string): string => (anySign.test(text) ? text.replaceAll(/[&<>"']/g, (sign) => signs[sign] ?? sign) : text);
