const placeholder = /\{\{\s*([A-Z][A-Z0-9_]*)\s*\}\}/g;

/**
 * Replaces `{{NAME}}` with the owner's values. A missing value becomes a dash, so that the owner notices the gap and visitors never see
 * braces.
 */
export function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text
    .replaceAll(placeholder, (_, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? "—") : "—"))
    .replaceAll(/\{\{[^{}]*\}\}/g, "—");
}

/** The names in a text. */
export const placeholdersIn = (text: string): string[] => [...text.matchAll(placeholder)].flatMap(([, name]) => name ?? []);

/** The same for Markdown: a value is text, not markup. */
export const filledMarkdown = (text: string, values: Readonly<Record<string, string>>): string =>
  filled(text, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.replaceAll(/[\\`*_[\]<>#|~]/g, "\\$&")])));
