import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createFault } from "#integrations/faults.ts";

const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();
const hex = (bytes: string | Buffer): string => createHash("sha256").update(bytes).digest("hex");

/** How far the clock of a client may be off. */
const clockSkewMs = 15 * 60_000;

/**
 * S3 on loopback, path-style: PUT, GET of objects of one bucket. Checks the signature (Signature Version 4) over method, path, query,
 * headers and the hash of the body, as the storage does, and the clock of the request. `requests` counts what was answered, by method.
 */
export async function startS3Simulator({ bucket, keyId, secretKey }: { bucket: string; keyId: string; secretKey: string }) {
  const objects = new Map<string, { bytes: Buffer; type: string }>();
  const requests: { method: string; path: string; status: number }[] = [];
  const fault = createFault();

  function refusal(request: IncomingMessage, body: Buffer): [status: number, code: string] | null {
    const { authorization = "" } = request.headers;
    const [, id, day = "", region = "", signed = "", signature = ""] =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
        authorization,
      ) ?? [];
    if (id !== keyId) return [403, "InvalidAccessKeyId"];
    const names = signed.split(";");
    if (!["host", "x-amz-date", "x-amz-content-sha256"].every((name) => names.includes(name))) return [403, "AccessDenied"];
    const date = String(request.headers["x-amz-date"]);
    const at = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
    // an unreadable date is not a number
    const isNear = Math.abs(new Date().getTime() - at) < clockSkewMs;
    if (!isNear || !date.startsWith(day)) return [403, "RequestTimeTooSkewed"];
    if (request.headers["x-amz-content-sha256"] !== hex(body)) return [400, "XAmzContentSHA256Mismatch"];
    const [path = "", query = ""] = (request.url ?? "").split("?", 2);
    const canonical = [
      request.method,
      path,
      query,
      ...names.map((name) => `${name}:${String(request.headers[name] ?? "").trim()}`),
      "",
      signed,
      request.headers["x-amz-content-sha256"],
    ].join("\n");
    const scope = `${day}/${region}/s3/aws4_request`;
    const key = ["s3", "aws4_request"].reduce((from, part) => hmac(from, part), hmac(hmac(`AWS4${secretKey}`, day), region));
    const wanted = hmac(key, ["AWS4-HMAC-SHA256", date, scope, hex(canonical)].join("\n"));
    return timingSafeEqual(wanted, Buffer.from(signature, "hex")) ? null : [403, "SignatureDoesNotMatch"];
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { method = "", url: path = "" } = request;
    const send = (status: number, bytes: Buffer | string = "", type = "application/xml") => {
      requests.push({ method, path, status });
      response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(bytes) }).end(bytes);
    };
    const fail = (status: number, code: string) => send(status, `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
    if (await fault.apply(response)) return void requests.push({ method, path, status: 0 });
    const refused = refusal(request, body);
    if (refused) return fail(...refused);
    if (!path.startsWith(`/${bucket}/`)) return fail(404, "NoSuchBucket");
    if (method === "PUT") {
      objects.set(path, { bytes: body, type: request.headers["content-type"] ?? "" });
      return send(200);
    }
    const object = method === "GET" ? objects.get(path) : undefined;
    return object ? send(200, object.bytes, object.type) : fail(404, "NoSuchKey");
  }

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${bucket}`,
    objects,
    requests,
    setFault: fault.set,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
