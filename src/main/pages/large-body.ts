import { createHash } from "node:crypto";
import { pipeline } from "node:stream/promises";
import { constants, createBrotliCompress, createBrotliDecompress, createGzip, type BrotliDecompress } from "node:zlib";

/**
 * A body of which only the compressed form is in memory, a tenth of it or less if it is a large one. `length`: of the text, in bytes.
 * `gzip` is made for the first client that does not accept Brotli.
 */
export type PackedBody = { br: Buffer; length: number; etag: string; gzip: () => Promise<Buffer> };

const maxWholeBytes = 4 * 1024 * 1024;
/**
 * A megabyte for each client to whom the text is unpacked. With a quarter of it the result is twice as long, with more a few percent
 * shorter.
 */
const windowBits = 20;

/** The validator of a page with this text; weak, because the codings of one text share it. */
export const etagOf = (digest: string): string => `W/"${digest.slice(0, 22)}"`;

/**
 * Reads a body to its end: a short one as it is. A long one is compressed while it comes, and read as fast as that can take it, so that its
 * text is never in memory as a whole. Fails with the body's error.
 */
export async function readBody(body: ReadableStream<Uint8Array>): Promise<Buffer | PackedBody> {
  const parts = body[Symbol.asyncIterator]();
  const begin: Uint8Array[] = [];
  let length = 0;
  while (length <= maxWholeBytes) {
    const { done, value } = await parts.next();
    if (done) return Buffer.concat(begin);
    begin.push(value);
    length += value.byteLength;
  }
  return pack(async function* () {
    yield* begin.splice(0);
    yield* { [Symbol.asyncIterator]: () => parts };
  });
}

async function pack(text: () => AsyncGenerator<Uint8Array>): Promise<PackedBody> {
  const hash = createHash("sha256");
  let length = 0;
  const measured = async function* () {
    for await (const part of text()) {
      hash.update(part);
      length += part.byteLength;
      yield part;
    }
  };
  const params = { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_LGWIN]: windowBits };
  const compressed: Buffer[] = [];
  await pipeline(measured, createBrotliCompress({ params, chunkSize: 64 * 1024 }), collectInto(compressed));
  const br = Buffer.concat(compressed);
  return { br, length, etag: etagOf(hash.digest("base64url")), gzip: gzipOnce(br) };
}

/** The gzip variant of a text of which there is only the Brotli one: made with the first call, and the same for later ones. */
export function gzipOnce(br: Buffer): () => Promise<Buffer> {
  let gzipped: Promise<Buffer> | null = null;
  return () => (gzipped ??= gzipOf(br));
}

async function gzipOf(br: Buffer): Promise<Buffer> {
  const compressed: Buffer[] = [];
  await pipeline(unpack(br), createGzip({ level: 6 }), collectInto(compressed));
  return Buffer.concat(compressed);
}

const collectInto = (parts: Buffer[]) => async (source: AsyncIterable<Buffer>) => {
  for await (const part of source) parts.push(part);
};

/** The text of a packed body, made as fast as it is read: a slow reader costs a window and a part, one that leaves ends the work. */
export function unpack(br: Buffer): BrotliDecompress {
  const text = createBrotliDecompress({ chunkSize: 64 * 1024 });
  text.end(br);
  return text;
}
