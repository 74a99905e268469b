import type { ApiRefusal } from "#contract/client.ts";
import { counted } from "#kit/format.ts";
import { getCode } from "./get-code.ts";
import { areCookiesBlocked } from "./cookies.ts";

/** A code that was sent; `resendAt` is when another may be requested, in milliseconds of the browser's clock. */
export type SentCode = { phone: string; resendAt: number };

/** `sent` without `refusal`: sent now. Both: sent before (another tab, or before a reload) and can be entered here. */
export type CodeAnswer = { sent: SentCode; refusal: null } | { sent: SentCode | null; refusal: string };

// A sent code outlives a closed dialog: opening it again with the same phone continues with that code.
let lastSent: SentCode | null = null;
/**
 * When a new code may be requested after the last one was used; until then there is no code to enter. Only the time is stored, not the
 * phone: a refusal that names the same time is about the same code.
 */
const usedKey = "code-used-until";

const cookiesNeeded = "Чтобы войти, разрешите cookie для этого сайта в настройках браузера: без них код не проверить";

/**
 * Requests a code for a phone (`+7` and ten digits). Sends none if the browser stores no cookies, because it could not be checked.
 * `resendSeconds` is the shop's pause between two codes; a refusal with a longer wait means that no code was sent.
 */
export async function requestCode(phone: string, resendSeconds: number): Promise<CodeAnswer> {
  if (await areCookiesBlocked()) return { sent: null, refusal: cookiesNeeded };
  const answer = await getCode(phone);
  if (answer.ok) {
    lastSent = { phone, resendAt: Date.now() + answer.value.resendIn * 1000 };
    return { sent: lastSent, refusal: null };
  }
  const { error } = answer;
  if (error.code !== "auth.too_many_codes") return { sent: null, refusal: error.fields.phone ?? withWaitTime(error) };
  if (lastSent?.phone === phone && lastSent.resendAt > Date.now()) return { sent: lastSent, refusal: null };
  if (error.retryAfter === null || error.retryAfter > resendSeconds) return { sent: null, refusal: withWaitTime(error) };
  if (isOfUsedCode(error.retryAfter))
    return { sent: null, refusal: `Вы недавно входили с этим номером. Новый код можно получить через ${waitText(error.retryAfter)}.` };
  return {
    sent: { phone, resendAt: Date.now() + error.retryAfter * 1000 },
    refusal: `Код на этот номер уже отправлен. Новый можно получить через ${waitText(error.retryAfter)}.`,
  };
}

/** Marks the code as used: the next sign-in with this phone needs a new one. */
export function markCodeUsed({ resendAt }: SentCode): void {
  lastSent = null;
  try {
    sessionStorage.setItem(usedKey, String(resendAt));
  } catch {
    /* without storage the visitor only sees that a code was sent */
  }
}

function isOfUsedCode(retryAfterSeconds: number): boolean {
  try {
    const usedUntil = Number(sessionStorage.getItem(usedKey));
    return Math.abs(Date.now() + retryAfterSeconds * 1000 - usedUntil) < 3000;
  } catch {
    return false;
  }
}

/** The refusal's message with the time to wait, if the server named one. */
export const withWaitTime = ({ message, retryAfter }: Pick<ApiRefusal, "message" | "retryAfter">): string =>
  retryAfter === null || retryAfter <= 1 ? message : `${withoutAdvice(message)} Подождите ${waitText(retryAfter)}.`;

/** The message without «Попробуйте позже», as a whole sentence. */
function withoutAdvice(message: string): string {
  const rest = message.replace(/ Попробуйте (ещё раз )?(позже|через минуту)$/, "");
  return /[.!?]$/.test(message) || / Попробуйте /.test(message) ? rest : `${rest}.`;
}

function waitText(seconds: number): string {
  if (seconds < 60) return counted(seconds, ["секунду", "секунды", "секунд"]);
  if (seconds < 3600) return counted(Math.ceil(seconds / 60), ["минуту", "минуты", "минут"]);
  return counted(Math.ceil(seconds / 3600), ["час", "часа", "часов"]);
}
