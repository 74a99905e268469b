import type { ApiRefusal } from "#contract/client.ts";
import { counted } from "#kit/format.ts";
import { getCode } from "./get-code.ts";
import { areCookiesBlocked } from "./cookies.ts";

/** A code that is on its way; `resendAt` is when another may be asked for, milliseconds of the browser's clock. */
export type SentCode = { phone: string; resendAt: number };

/** `sent` and no `refusal`: it went out. Both: it went out before, from another tab or before a reload, and can be entered here. */
export type CodeAnswer = { sent: SentCode; refusal: null } | { sent: SentCode | null; refusal: string };

// A code that was sent outlives a closed dialog: the visitor who comes back with the same phone goes on with it.
let lastSent: SentCode | null = null;
/**
 * When a new code may be asked for after the last one was used: until then there is nothing to enter. Only the moment is stored, not the
 * phone: a refusal that names the same moment is about the same code.
 */
const usedKey = "code-used-until";

const cookiesNeeded = "Чтобы войти, разрешите cookie для этого сайта в настройках браузера: без них код не проверить";

/**
 * Asks for a code for a phone (`+7` and ten digits). Without cookies no code could be checked, so none is sent.
 * `resendSeconds` is the shop's pause between two codes: after a refusal with a longer wait no code is on its way.
 */
export async function requestCode(phone: string, resendSeconds: number): Promise<CodeAnswer> {
  if (await areCookiesBlocked()) return { sent: null, refusal: cookiesNeeded };
  const answer = await getCode(phone);
  if (answer.ok) {
    lastSent = { phone, resendAt: Date.now() + answer.value.resendIn * 1000 };
    return { sent: lastSent, refusal: null };
  }
  const { error } = answer;
  if (error.code !== "auth.too_many_codes") return { sent: null, refusal: error.fields.phone ?? withWait(error) };
  if (lastSent?.phone === phone && lastSent.resendAt > Date.now()) return { sent: lastSent, refusal: null };
  if (error.retryAfter === null || error.retryAfter > resendSeconds) return { sent: null, refusal: withWait(error) };
  if (isOfUsedCode(error.retryAfter))
    return { sent: null, refusal: `Вы недавно входили с этим номером. Новый код можно получить через ${waitText(error.retryAfter)}.` };
  return {
    sent: { phone, resendAt: Date.now() + error.retryAfter * 1000 },
    refusal: `Код на этот номер уже отправлен. Новый можно получить через ${waitText(error.retryAfter)}.`,
  };
}

/** The code was used: the next sign-in with this phone needs a new one. */
export function markCodeUsed({ resendAt }: SentCode): void {
  lastSent = null;
  try {
    sessionStorage.setItem(usedKey, String(resendAt));
  } catch {
    /* a browser that stores nothing only hears that a code was sent */
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

/** A refusal that told how long to wait says so. */
export const withWait = ({ message, retryAfter }: Pick<ApiRefusal, "message" | "retryAfter">): string =>
  retryAfter === null || retryAfter <= 1
    ? message
    : `${message.replace(/ Попробуйте (ещё раз )?(позже|через минуту)$/, "")}${/[.!?]$/.test(message) || / Попробуйте /.test(message) ? "" : "."} Подождите ${waitText(retryAfter)}.`;

function waitText(seconds: number): string {
  if (seconds < 60) return counted(seconds, ["секунду", "секунды", "секунд"]);
  if (seconds < 3600) return counted(Math.ceil(seconds / 60), ["минуту", "минуты", "минут"]);
  return counted(Math.ceil(seconds / 3600), ["час", "часа", "часов"]);
}
