import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";

/** Loaded with the first passkey: it is a tenth of all code, and few processes ever check one. */
const webAuthn = () => import("@simplewebauthn/server");

/** Where passkeys belong: the address of the app and its host. */
export type RelyingParty = { origin: string; id: string };
/** The relying party of an app at this address; throws if it is not a full address. */
export const relyingParty = (url: string): RelyingParty => ({ origin: new URL(url).origin, id: new URL(url).hostname });

/** A stored passkey. `publicKey` is base64url. */
export type Passkey = { credentialId: string; publicKey: string; counter: number; transports: readonly string[] };

/** What an authenticator answered, in its JSON form; the rest of it is read by the functions below. */
export type PasskeyAnswer = { id: string; response: { clientDataJSON: string } };

/** Signature algorithms that browsers offer: Ed25519, ES256, RS256 (COSE numbers). */
export const passkeyAlgorithms = [-8, -7, -257] as const;

/** A new passkey from the browser's answer, if it answers `challenge` and the person was verified; null: it is refused. */
export async function readNewPasskey(answer: PasskeyAnswer, challenge: string, party: RelyingParty): Promise<Passkey | null> {
  const { verifyRegistrationResponse } = await webAuthn();
  const verified = await refusedAsNull(() =>
    verifyRegistrationResponse({
      response: answer as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...passkeyAlgorithms],
    }),
  );
  if (!verified?.verified) return null;
  const { id, publicKey, counter, transports } = verified.registrationInfo.credential;
  return { credentialId: id, publicKey: Buffer.from(publicKey).toString("base64url"), counter, transports: transports ?? [] };
}

/**
 * The authenticator's new counter, if the answer was signed by this passkey for `challenge` and the person was verified; null: it is
 * refused.
 */
export async function checkPasskey(
  answer: PasskeyAnswer,
  passkey: Passkey,
  challenge: string,
  party: RelyingParty,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await webAuthn();
  const verified = await refusedAsNull(() =>
    verifyAuthenticationResponse({
      response: answer as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, "base64url")),
        counter: passkey.counter,
      },
    }),
  );
  return verified?.verified ? verified.authenticationInfo.newCounter : null;
}

/** The challenge that an answer claims to answer; null: it cannot be read. The caller checks that it was issued and not used. */
export function challengeIn({ response }: PasskeyAnswer): string | null {
  try {
    const { challenge } = JSON.parse(Buffer.from(response.clientDataJSON, "base64url").toString("utf8")) as { challenge?: unknown };
    return typeof challenge === "string" ? challenge : null;
  } catch {
    return null;
  }
}

/** The package throws for answers that are wrong or forged, which are an expected refusal here. */
async function refusedAsNull<T>(verify: () => Promise<T>): Promise<T | null> {
  try {
    return await verify();
  } catch {
    return null;
  }
}
