import { AwsV4Signer } from "aws4fetch";
import type { ObjectStorage } from "#kit/network/object-storage.ts";
import { createOutbound, type OutboundOptions } from "#kit/network/outbound.ts";
import { sha256 } from "#kit/security/secrets.ts";

/** A picture that has to wait longer for the storage is made again sooner. */
const usualTimeoutMs = 1_500;
const maxBytes = 8 * 1024 * 1024;

export type S3Options = {
  /** The bucket and perhaps a folder in it, `https://s3.example/pictures/cache`: path-style, which every S3-compatible storage knows. */
  url: string;
  region: string;
  keyId: string;
  secretKey: string;
};

/**
 * S3-compatible storage: GET and PUT of whole objects, signed with Signature Version 4 (AWS, "Authenticating Requests: Using the
 * Authorization Header"). Nothing is listed or deleted: the bucket's own lifecycle rule removes what is old. A storage that fails is left
 * alone for half a minute by the breaker of `createOutbound`.
 */
export function createS3Storage(
  { url, region, keyId, secretKey }: S3Options,
  shared: { now: () => Date; onCall?: OutboundOptions["onCall"]; timeoutMs?: number },
): ObjectStorage {
  const baseUrl = url.replace(/\/$/, "");
  const outbound = createOutbound({ provider: "s3", baseUrl, timeoutMs: usualTimeoutMs, maxBytes, maxInFlight: 40, ...shared });

  async function call(op: string, method: "GET" | "PUT", name: string, bytes?: Buffer, type?: string) {
    const signer = new AwsV4Signer({
      method,
      url: `${baseUrl}/${name}`,
      accessKeyId: keyId,
      secretAccessKey: secretKey,
      service: "s3",
      region,
      // the clock of the machine, as the storage has it too: the shop's own may be moved by tests
      datetime: new Date().toISOString().replaceAll(/[:-]|\.\d{3}/g, ""),
      headers: { "x-amz-content-sha256": sha256(bytes ?? Buffer.alloc(0)), ...(type ? { "content-type": type } : {}) },
    });
    const { headers } = await signer.sign();
    return outbound.call({ op, method, path: `/${name}`, headers: Object.fromEntries(headers), ...(bytes ? { body: bytes } : {}) });
  }

  return {
    async get(name) {
      const answer = await call("get", "GET", name);
      if (answer.status === 200) return answer.bytes;
      if (answer.status === 404) return null;
      throw new Error(`s3: status ${answer.status}`);
    },
    async put(name, bytes, type) {
      const answer = await call("put", "PUT", name, bytes, type);
      if (answer.status !== 200) throw new Error(`s3: status ${answer.status}`);
    },
    close: outbound.close,
  };
}
