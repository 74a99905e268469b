import { createHash, createPrivateKey, generateKeyPairSync, sign } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** SHA-256 in hex. */
export const sha256Of = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

/** The line that `sha256sum -c` reads. It is signed, so hash and name of the archive are. */
export const checksumLine = (bytes: Buffer, name: string): string => `${sha256Of(bytes)}  ${name}\n`;

/** Ed25519 over the checksum line, base64. `key` is a private key as PEM. */
export const signatureOf = (line: string, key: string): string =>
  `${sign(null, Buffer.from(line), createPrivateKey(key)).toString("base64")}\n`;

/** Writes a new pair of keys, `release.key` and `release.pub`. Refuses to overwrite one. */
export function writeKeys(folder: string): { privatePath: string; publicPath: string } {
  const paths = { privatePath: join(folder, "release.key"), publicPath: join(folder, "release.pub") };
  for (const path of Object.values(paths)) if (existsSync(path)) throw new Error(`${path} exists already`);
  const { privateKey, publicKey } = generateKeyPairSync("ed25519", {
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  writeFileSync(paths.privatePath, privateKey, { mode: 0o600 });
  writeFileSync(paths.publicPath, publicKey);
  return paths;
}
