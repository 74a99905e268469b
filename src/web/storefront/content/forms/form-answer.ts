/** Submitted values by field name; a field that is repeated in several rows has several values. */
export type SubmittedValues = Record<string, string[]>;

/**
 * The result of a form's action: accepted (`note` is added to the thanks), refused with the submitted values, or, without scripts, one
 * more row or an estimate.
 */
export type FormAnswer =
  | { kind: "sent"; note?: string }
  | { kind: "refused"; message: string; fields: Record<string, string>; typed: SubmittedValues; stamp: string }
  | { kind: "more" | "count"; fields: Record<string, string>; typed: SubmittedValues; stamp: string };

/** Hidden fields: the signed time at which the form was rendered, and a trap that people leave empty. */
export const stampField = "stamp";
export const trapField = "second_subject";

/** Submitting a form changes nothing that its page shows, so the loader does not run again. */
export const shouldRevalidate = ({ formMethod }: { formMethod?: string | undefined }): boolean =>
  formMethod === undefined || formMethod === "GET";
