/** The names that every object inherits: write-excel-file 4.1.1 looks texts up in an object and writes a broken file for these. */
const inherited = Object.getOwnPropertyNames(Object.prototype).join("|");
const guarded = new RegExp(`^'*(?:[=+\\-@\\t\\r\\n]|(?:${inherited})$)`);
const withGuard = new RegExp(`^'+(?:[=+\\-@\\t\\r\\n]|(?:${inherited})$)`);

/**
 * A text as it is written into a table that people open in a spreadsheet: what a spreadsheet would execute as a formula gets an apostrophe
 * in front (OWASP, "CSV Injection"). `withoutGuard` takes exactly this apostrophe away again, so that an exported table can be imported.
 */
export const guardFormula = (text: string): string => (guarded.test(text) ? `'${text}` : text);

/** The text before `guardFormula`; a text with an apostrophe of its own keeps it. */
export const withoutGuard = (text: string): string => (withGuard.test(text) ? text.slice(1) : text);
