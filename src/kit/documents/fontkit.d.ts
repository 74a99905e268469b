/** The part of fontkit 2 that `pdf-sheet.ts` uses; the package has no types of its own. */
declare module "fontkit" {
  export type Font = { characterSet: number[]; glyphForCodePoint(codePoint: number): unknown };
  export function create(bytes: Uint8Array): Font;
}

/** pdfkit accepts fonts that are open already (0.20, its change log); its types do not know it yet. */
declare namespace PDFKit.Mixins {
  interface PDFFont {
    registerFont(name: string, font: import("fontkit").Font): this;
  }
}
