const signs: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };

/** Escapes a text for XML. */
export const xmlText = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => signs[sign] ?? sign);
