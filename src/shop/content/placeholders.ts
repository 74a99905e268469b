const placeholder = /\{\{\s*([A-Z][A-Z0-9_]*)\s*\}\}/g;

/** Puts the owner's values for `{{NAME}}`. Nothing in double braces survives: what has no value becomes a dash, so that a gap is seen by the owner and never read as code. */
export function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text
    .replaceAll(placeholder, (_, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? "—") : "—"))
    .replaceAll(/\{\{[^{}]*\}\}/g, "—");
}

/** The same where the text is Markdown: a value is words, not markup. */
export const filledMarkdown = (text: string, values: Readonly<Record<string, string>>): string =>
  filled(text, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.replaceAll(/[\\`*_[\]<>#|~]/g, "\\$&")])));
