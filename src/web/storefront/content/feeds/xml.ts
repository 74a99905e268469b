const signs: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };

/** A text as it may stand between tags. */
export const xmlText = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => signs[sign] ?? sign);
