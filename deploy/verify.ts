import { createHash, createPublicKey, verify } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { arch, platform } from "node:os";

/** What a release says of itself (`release.json`). */
export type Manifest = {
  name: string;
  version: string;
  commit: string;
  date: string;
  node: string;
  platform: string;
  build: string;
  migrations: string[];
  files: Record<string, string>;
};

/** A reason not to install a release; printed as one line. */
export class UpdateRefusedError extends Error {}

const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

/** Checks the archive against `<archive>.sha256`, and that file against `<archive>.sha256.sig` with the public key. */
export function verifyArchive(archive: string, publicKey: string): void {
  const line = read(`${archive}.sha256`);
  const signature = Buffer.from(read(`${archive}.sha256.sig`).toString(), "base64");
  if (!verify(null, line, createPublicKey(publicKey), signature))
    throw new UpdateRefusedError(`${archive}: the signature is not that of the key of this machine`);
  if (line.toString() !== `${sha256(read(archive))}  ${basename(archive)}\n`)
    throw new UpdateRefusedError(`${archive}: the checksum is another one`);
}

/** Checks every file of an unpacked release, and that it was made for this kind of machine. */
export function verifyFolder(folder: string): Manifest {
  const manifest = JSON.parse(read(join(folder, "release.json")).toString()) as Manifest;
  const here = `${platform()}-${arch()}`;
  if (manifest.platform !== here) throw new UpdateRefusedError(`${manifest.name}: made for ${manifest.platform}, this machine is ${here}`);
  for (const [path, hash] of Object.entries(manifest.files))
    if (sha256(read(join(folder, path))) !== hash) throw new UpdateRefusedError(`${manifest.name}: ${path} is damaged`);
  return manifest;
}

function read(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new UpdateRefusedError(`${path} cannot be read: ${(error as Error).message}`);
  }
}
