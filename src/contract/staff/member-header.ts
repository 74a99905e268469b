/**
 * The header in which a window of the back office names the member of staff that it shows, by id. Windows of a browser share its cookie:
 * after another member has signed in in one of them, calls of the others are refused as if their session had ended, and nothing is done in
 * the wrong name.
 */
export const memberHeader = "X-Staff-Member";

/** Whether a request names a member of staff, and not this one. */
export function isForAnother(headers: Readonly<Record<string, unknown>>, memberId: number): boolean {
  const given = headers["x-staff-member"];
  return given !== undefined && given !== String(memberId);
}
