/** One part of a letter. The plain text and the HTML of a letter are made from the same parts, so that they never say different things. */
export type Section =
  | { kind: "text"; text: string }
  /** What was ordered: one row per line, then the sums; the last sum is the total. */
  | { kind: "order"; title: string; rows: readonly OrderRow[]; sums: readonly { label: string; amount: string }[] }
  /** `isMain`: what the reader most likely wants to do next; a letter has at most one. */
  | { kind: "link"; label: string; url: string; isMain?: boolean }
  /** Terms and explanations in small print. */
  | { kind: "small"; text: string }
  /** Who wrote and where to ask. */
  | { kind: "signature"; text: string };
export type OrderRow = { title: string; quantity: string; amount: string };

export type Letter = { subject: string; sections: readonly Section[] };

const textOfSection = (section: Section): string => {
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
