/** Everything that was typed, by the field's name; a field that stands in several rows has several values. */
export type SubmittedValues = Record<string, string[]>;

/** What the action of a form answers: taken; refused, with all that was typed; or asked for one more row or a sum (without scripts that is a round trip). `said` is what the taking adds to the thanks. */
export type FormAnswer =
  | { kind: "sent"; said?: string }
  | { kind: "refused"; message: string; fields: Record<string, string>; typed: SubmittedValues; stamp: string }
  | { kind: "more" | "count"; fields: Record<string, string>; typed: SubmittedValues; stamp: string };

/** Hidden fields: the signed time at which the form was drawn, and one that people leave empty. */
export const stampField = "stamp";
export const trapField = "second_subject";

/** A form changes nothing that its page shows: what was read for the page stays. */
export const shouldRevalidate = ({ formMethod }: { formMethod?: string | undefined }): boolean =>
  formMethod === undefined || formMethod === "GET";
