type Answer<Row> = { ok: true; value: readonly Row[] } | { ok: false; error: { message: string } | null } | null;

/**
 * Sends many items in parts of at most `size`, one after another. Stops at the first part that is refused or gets no answer: `refusal` says
 * why, and `rest` begins with that part, so that sending the rest repeats the same part under the same key.
 */
export async function sendParts<Item, Row>(
  items: readonly Item[],
  size: number,
  send: (part: Item[]) => Promise<Answer<Row>>,
): Promise<{ rows: Row[]; rest: Item[]; refusal: string | null }> {
  const rows: Row[] = [];
  for (let sent = 0; sent < items.length; sent += size) {
    const answer = await send(items.slice(sent, sent + size));
    if (!answer?.ok) return { rows, rest: items.slice(sent), refusal: answer?.error?.message ?? null };
    rows.push(...answer.value);
  }
  return { rows, rest: [], refusal: null };
}
