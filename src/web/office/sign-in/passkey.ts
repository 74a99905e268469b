import { browserSupportsWebAuthn, startAuthentication, startRegistration, WebAuthnError } from "@simplewebauthn/browser";
import { fail, done, type Result } from "#kit/result.ts";

type RequestOptions = Parameters<typeof startAuthentication>[0]["optionsJSON"];
type CreationOptions = Parameters<typeof startRegistration>[0]["optionsJSON"];
type PasskeyRefusal = { code: "passkey.refused"; message: string };

export const canUsePasskeys = browserSupportsWebAuthn;

const refused = (message: string) => fail({ code: "passkey.refused" as const, message });

// A closed dialog and a device without a key are not faults, but the browser throws for both.
async function attempt<T>(run: () => Promise<T>): Promise<Result<T, PasskeyRefusal>> {
  try {
    return done(await run());
  } catch (error) {
    if (error instanceof WebAuthnError && error.code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED")
      return refused("Ключ этого устройства уже добавлен");
    return refused("Ключ не ответил. Попробуйте ещё раз или войдите паролем");
  }
}

/** What the authenticator answered, in the form of the contract: it has no more than these fields. */
export function signWithPasskey(options: unknown) {
  return attempt(async () => {
    const { id, rawId, response, authenticatorAttachment } = await startAuthentication({ optionsJSON: options as RequestOptions });
    const { clientDataJSON, authenticatorData, signature, userHandle } = response;
    return {
      id,
      rawId,
      type: "public-key" as const,
      response: { clientDataJSON, authenticatorData, signature, ...(userHandle ? { userHandle } : {}) },
      ...(authenticatorAttachment ? { authenticatorAttachment } : {}),
      clientExtensionResults: {},
    };
  });
}

export function createPasskey(options: unknown) {
  return attempt(async () => {
    const { id, rawId, response, authenticatorAttachment } = await startRegistration({ optionsJSON: options as CreationOptions });
    const { clientDataJSON, attestationObject, transports } = response;
    return {
      id,
      rawId,
      type: "public-key" as const,
      response: { clientDataJSON, attestationObject, ...(transports ? { transports } : {}) },
      ...(authenticatorAttachment ? { authenticatorAttachment } : {}),
      clientExtensionResults: {},
    };
  });
}

/** What a new key is called in the list of devices: «Chrome, Windows». */
export function deviceName(agent = navigator.userAgent): string {
  const browser = /Edg\//.test(agent) ? "Edge" : /Firefox\//.test(agent) ? "Firefox" : /Chrome\//.test(agent) ? "Chrome" : "Safari";
  const system = /Android/.test(agent)
    ? "Android"
    : /iPhone|iPad/.test(agent)
      ? "iOS"
      : /Windows/.test(agent)
        ? "Windows"
        : /Mac/.test(agent)
          ? "macOS"
          : "Linux";
  return `${browser}, ${system}`;
}
