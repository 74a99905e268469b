import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from "node:crypto";
import type { RelyingParty } from "./security/passkeys.ts";

/** An authenticator of the tests: one ES256 key that answers challenges as a browser would (WebAuthn 3, 6.5; attestation "none"). */
export type Authenticator = {
  register(challenge: string): RegistrationAnswer;
  authenticate(challenge: string): AuthenticationAnswer;
};
type RegistrationAnswer = ReturnType<typeof registration>;
type AuthenticationAnswer = ReturnType<typeof authentication>;

/** A new authenticator with one key; each answer increases its counter. */
export function anAuthenticator(party: RelyingParty): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(16);
  let counter = 0;
  return {
    register: (challenge) => registration({ party, id, publicKey, challenge }),
    authenticate: (challenge) => authentication({ party, id, privateKey, challenge, counter: (counter += 1) }),
  };
}

const b64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");
const clientData = (type: string, challenge: string, { origin }: RelyingParty): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
const userPresentAndVerified = 0x05;
const hasCredential = 0x40;

function authenticatorData({ id }: RelyingParty, flags: number, counter: number, more: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(flags, 0);
  head.writeUInt32BE(counter, 1);
  return Buffer.concat([createHash("sha256").update(id).digest(), head, more]);
}

function registration({ party, id, publicKey, challenge }: { party: RelyingParty; id: Buffer; publicKey: KeyObject; challenge: string }) {
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const bytes = (value: string) => Buffer.concat([Buffer.from([0x58, 0x20]), Buffer.from(value, "base64url")]);
  // COSE key (RFC 9053): {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}
  const cose = Buffer.concat([Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]), bytes(x), Buffer.from([0x22]), bytes(y)]);
  const length = Buffer.from([0, id.length]);
  const data = authenticatorData(party, userPresentAndVerified | hasCredential, 0, Buffer.concat([Buffer.alloc(16), length, id, cose]));
  const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
  const attestation = Buffer.concat([
    Buffer.from([0xa3]),
    text("fmt"),
    text("none"),
    text("attStmt"),
    Buffer.from([0xa0]),
    text("authData"),
    Buffer.from([0x58, data.length]),
    data,
  ]);
  return {
    id: b64(id),
    rawId: b64(id),
    type: "public-key" as const,
    response: { clientDataJSON: b64(clientData("webauthn.create", challenge, party)), attestationObject: b64(attestation) },
    clientExtensionResults: {},
  };
}

type Asked = { party: RelyingParty; id: Buffer; privateKey: KeyObject; challenge: string; counter: number };

function authentication({ party, id, privateKey, challenge, counter }: Asked) {
  const client = clientData("webauthn.get", challenge, party);
  const data = authenticatorData(party, userPresentAndVerified, counter);
  const signature = sign("sha256", Buffer.concat([data, createHash("sha256").update(client).digest()]), privateKey);
  return {
    id: b64(id),
    rawId: b64(id),
    type: "public-key" as const,
    response: { clientDataJSON: b64(client), authenticatorData: b64(data), signature: b64(signature) },
    clientExtensionResults: {},
  };
}
