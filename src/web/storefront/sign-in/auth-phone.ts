const key = "auth-phone";

/** The phone that the sign-in dialog opens with. Stored while a code is on its way, so that a reload does not lose it. */
export const storedAuthPhone = (): string => read() ?? "";

export function storeAuthPhone(phone: string): void {
  try {
    sessionStorage.setItem(key, phone);
  } catch {
    /* without storage the phone is entered again */
  }
}

export function clearAuthPhone(): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    /* nothing was kept */
  }
}

function read(): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}
