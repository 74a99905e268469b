/** Everything that was typed, by the field's name; a field that stands in several rows has several values. */
export type Typed = Record<string, string[]>;

/** What the action of a form answers: taken; refused, with all that was typed; or asked for one more row or a sum (without scripts that is a round trip). `said` is what the taking adds to the thanks. */
export type AskAnswer =
  | { kind: "sent"; said?: string }
  | { kind: "refused"; message: string; fields: Record<string, string>; typed: Typed; stamp: string }
  | { kind: "more" | "count"; fields: Record<string, string>; typed: Typed; stamp: string };

/** Hidden fields: the signed time at which the form was drawn, and one that people leave empty. */
export const stampField = "stamp";
export const trapField = "second_subject";

/** A form that cannot reach the shop stays with all that stands in it, and says so. */
export async function clientAction({ request, serverAction }: { request: Request; serverAction: () => Promise<AskAnswer> }): Promise<AskAnswer> {
  const words = [...(await request.clone().formData())].filter((pair): pair is [string, string] => typeof pair[1] === "string");
  try {
    return await serverAction();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // what `fetch` throws without a connection
    const typed: Typed = {};
    for (const [name, value] of words) (typed[name] ??= []).push(value);
    return { kind: "refused", message: "Не отправилось: похоже, пропала связь. Написанное сохранили, отправьте ещё раз.", fields: {}, typed, stamp: typed[stampField]?.[0] ?? "" };
  }
}

/** A form changes nothing that its page shows: what was read for the page stays. */
export const shouldRevalidate = ({ formMethod }: { formMethod?: string | undefined }): boolean => formMethod === undefined || formMethod === "GET";
