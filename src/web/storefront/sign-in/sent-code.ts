import type { ApiRefusal } from "#contract/client.ts";
import { counted } from "../../ui/format.ts";
import { askForCode } from "./ask-for-code.ts";

/** A code that is on its way; `resendAt` is when another may be asked for, milliseconds of the browser's clock. */
export type SentCode = { phone: string; resendAt: number };

/** `sent` and no `refusal`: it went out. Both: it went out before, from another tab or before a reload, and can be entered here. */
export type CodeAnswer = { sent: SentCode; refusal: null } | { sent: SentCode | null; refusal: string };

// A code that was sent outlives a closed dialog: whoever comes back with the same phone goes on with it.
let lastSent: SentCode | null = null;

/** The longest wait after which a code that was sent before may still be used: SPEC's two minutes. */
const resendSeconds = 120;

/** Asks for a code for a phone (`+7` and ten digits). */
export async function requestCode(phone: string): Promise<CodeAnswer> {
  const answer = await askForCode(phone);
  if (answer.ok) {
    lastSent = { phone, resendAt: Date.now() + answer.value.resendIn * 1000 };
    return { sent: lastSent, refusal: null };
  }
  const { error } = answer;
  if (error.code !== "auth.too_many_codes") return { sent: null, refusal: error.fields.phone ?? withWait(error) };
  if (lastSent?.phone === phone && lastSent.resendAt > Date.now()) return { sent: lastSent, refusal: null };
  if (error.retryAfter === null || error.retryAfter > resendSeconds) return { sent: null, refusal: withWait(error) };
  return {
    sent: { phone, resendAt: Date.now() + error.retryAfter * 1000 },
    refusal: `Код на этот номер уже отправлен. Новый можно получить через ${waitText(error.retryAfter)}.`,
  };
}

/** The code was used: nobody goes on with it. */
export function forgetSentCode(): void {
  lastSent = null;
}

/** A refusal that told how long to wait says so. */
export const withWait = ({ message, retryAfter }: ApiRefusal): string =>
  retryAfter === null || retryAfter <= 1 ? message : `${message.replace(/ Попробуйте (ещё раз )?(позже|через минуту)$/, "")}${/[.!?]$/.test(message) || / Попробуйте /.test(message) ? "" : "."} Подождите ${waitText(retryAfter)}.`;

function waitText(seconds: number): string {
  if (seconds < 60) return counted(seconds, ["секунду", "секунды", "секунд"]);
  if (seconds < 3600) return counted(Math.ceil(seconds / 60), ["минуту", "минуты", "минут"]);
  return counted(Math.ceil(seconds / 3600), ["час", "часа", "часов"]);
}
