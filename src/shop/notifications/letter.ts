/** One section of a letter. Plain text and HTML are rendered from the same sections, so that their content is equal. */
export type LetterSection =
  | { kind: "text"; text: string }
  /** The contents of an order: one row per line, then the sums; the last sum is the total. */
  | { kind: "order"; title: string; rows: readonly LetterRow[]; sums: readonly { label: string; amount: string }[] }
  /** `isMain`: the main action of the letter, shown as a button; a letter has at most one. */
  | { kind: "link"; label: string; url: string; isMain?: boolean }
  /** Terms and explanations in small print. */
  | { kind: "small"; text: string }
  /** The sender and how to contact it. */
  | { kind: "signature"; text: string };
export type LetterRow = { title: string; quantity: string; amount: string };

export type Letter = { subject: string; sections: readonly LetterSection[] };

const textOfSection = (section: LetterSection): string => {
  switch (section.kind) {
    case "order":
      return [
        section.title,
        ...section.rows.map(({ title, quantity, amount }) => `• ${title} — ${quantity}, ${amount}`),
        ...section.sums.map(({ label, amount }) => `${label}: ${amount}`),
      ].join("\n");
    case "link":
      return `${section.label}: ${section.url}`;
    default:
      return section.text;
  }
};

/** The letter as plain text, sections separated by an empty line. */
export const letterText = ({ sections }: Letter): string => `${sections.map(textOfSection).join("\n\n")}\n`;
