import { createRequire } from "node:module";
import type Pdf from "pdfkit";
import { vi } from "vitest";

/** What `print` writes on the pages of a PDF, text by text in the order in which it is drawn. */
export async function printedText(print: () => Promise<Buffer>): Promise<string[]> {
  const { prototype } = createRequire(import.meta.url)("pdfkit") as typeof Pdf;
  const written = vi.spyOn(prototype, "text");
  try {
    await print();
    return written.mock.calls.map(([text]) => String(text).replaceAll("\u00A0", " "));
  } finally {
    written.mockRestore();
  }
}
