import { type PageTexts, placeholderOf, type TextPart } from "#web/fragments/inserts.ts";

/** Makes the part of a text that is mostly the same as the last one: it is then the same part, with its literal. */
export function samePart(): (text: string) => TextPart {
  let last: TextPart = { text: "" };
  return (text) => (text === last.text ? last : (last = { text }));
}

/** Data of a page that the router sends to the browser as one text. */
export type TextData = { text: string };

/** The key of each text: the server has it already, and the browser reads each text once. */
const values = /* @__PURE__ */ new WeakMap<TextData, object>();

/**
 * Data as one text of JSON, for loaders with many values: the router encodes objects value by value, which takes as long as a third of a
 * page's render. `parts` are what the text consists of, if it is shorter than the JSON of the data. A document gets the text at its
 * placeholder, because the router would encode it three times.
 */
export function asText(
  { texts, scriptNonce }: PageTexts,
  data: object,
  parts: readonly TextPart[] = [{ text: JSON.stringify(data) }],
): TextData {
  const { before, after } = placeholderOf(scriptNonce);
  const sent = { text: texts ? `${before}${texts.push(parts) - 1}${after}` : parts.map(({ text }) => text).join("") };
  values.set(sent, data);
  return sent;
}

/** The data of `asText`. */
export function fromText<T extends object>(sent: TextData, unpack: (packed: unknown) => T = (packed) => packed as T): T {
  const known = values.get(sent) as T | undefined;
  if (known) return known;
  const data = unpack(JSON.parse(sent.text));
  values.set(sent, data);
  return data;
}

/** The data of a text that a page has read; undefined: it is not a text. */
export const readData = (sent: object): object | undefined => values.get(sent as TextData);
