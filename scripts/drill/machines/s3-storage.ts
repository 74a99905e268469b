import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Entries of a page of a list: a client that reads only the first page would miss objects. */
const pageSize = 7;

/**
 * S3-compatible storage in memory, path-style, on loopback: what rclone needs (objects, uploads in parts, lists in pages, deletes).
 * Believes every signature. Amazon S3 API Reference, 2006-03-01.
 */
export async function startS3Storage() {
  const objects = new Map<string, { bytes: Buffer; at: Date }>();
  const uploads = new Map<string, Map<number, Buffer>>();
  const etag = (bytes: Buffer): string => `"${createHash("md5").update(bytes).digest("hex")}"`;

  function listed(prefix: string, delimiter: string, after: string): string {
    const names = [...objects.keys()].filter((name) => name.startsWith(prefix)).toSorted();
    const entries = new Map<string, string>();
    for (const name of names) {
      const end = delimiter === "" ? -1 : name.indexOf(delimiter, prefix.length);
      const shown = end === -1 ? name : name.slice(0, end + 1);
      const { bytes, at } = objects.get(name) ?? { bytes: Buffer.alloc(0), at: new Date() };
      entries.set(
        shown,
        end === -1
          ? `<Contents><Key>${shown}</Key><LastModified>${at.toISOString()}</LastModified>` +
              `<ETag>${etag(bytes)}</ETag><Size>${bytes.length}</Size></Contents>`
          : `<CommonPrefixes><Prefix>${shown}</Prefix></CommonPrefixes>`,
      );
    }
    const rest = [...entries].filter(([name]) => name > after);
    const page = rest.slice(0, pageSize);
    const last = page.at(-1)?.[0] ?? "";
    const isTruncated = rest.length > page.length;
    return `<?xml version="1.0"?><ListBucketResult><Prefix>${prefix}</Prefix><IsTruncated>${isTruncated}</IsTruncated>${
      isTruncated ? `<NextMarker>${last}</NextMarker><NextContinuationToken>${last}</NextContinuationToken>` : ""
    }${page.map(([, xml]) => xml).join("")}</ListBucketResult>`;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const url = new URL(request.url ?? "", "http://localhost");
    const [, bucket = "", name = ""] = /^\/([^/]*)\/?(.*)$/.exec(decodeURIComponent(url.pathname)) ?? [];
    const query = url.searchParams;
    const send = (status: number, bytes: Buffer | string = "", headers: Record<string, string> = {}): void => {
      response.writeHead(status, { "content-length": Buffer.byteLength(bytes), ...headers });
      response.end(request.method === "HEAD" ? undefined : bytes);
    };
    const missing = (code: string): void => send(404, `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
    const store = (bytes: Buffer): string => {
      objects.set(name, { bytes, at: new Date() });
      return etag(bytes);
    };

    if (name === "") {
      if (request.method === "GET")
        return send(
          200,
          listed(query.get("prefix") ?? "", query.get("delimiter") ?? "", query.get("continuation-token") ?? query.get("marker") ?? ""),
          { "content-type": "application/xml" },
        );
      return send(200);
    }
    const uploadId = query.get("uploadId");
    if (request.method === "POST" && query.has("uploads")) {
      const id = `upload-${uploads.size + 1}`;
      uploads.set(id, new Map());
      return send(
        200,
        `<InitiateMultipartUploadResult><Bucket>${bucket}</Bucket>` +
          `<Key>${name}</Key><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      );
    }
    if (uploadId !== null) {
      const parts = uploads.get(uploadId);
      if (!parts) return missing("NoSuchUpload");
      if (request.method === "PUT") {
        parts.set(Number(query.get("partNumber")), body);
        return send(200, "", { etag: etag(body) });
      }
      uploads.delete(uploadId);
      if (request.method === "DELETE") return send(204);
      const whole = Buffer.concat([...parts].toSorted(([a], [b]) => a - b).map(([, bytes]) => bytes));
      return send(200, `<CompleteMultipartUploadResult><Key>${name}</Key><ETag>${store(whole)}</ETag></CompleteMultipartUploadResult>`);
    }
    if (request.method === "PUT") return send(200, "", { etag: store(body) });
    if (request.method === "DELETE") {
      objects.delete(name);
      return send(204);
    }
    const object = objects.get(name);
    if (!object) return missing("NoSuchKey");
    return send(200, object.bytes, {
      etag: etag(object.bytes),
      "last-modified": object.at.toUTCString(),
      "content-type": "application/octet-stream",
    });
  }

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The objects with the times at which they arrived. */
    files: (): Map<string, number> => new Map([...objects].map(([name, { at }]) => [name, at.getTime()])),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
