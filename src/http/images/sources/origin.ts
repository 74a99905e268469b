import { lookup as systemLookup, type LookupAddress, type LookupAllOptions } from "node:dns";
import { isIP } from "node:net";
import { Agent, request } from "undici";
import { isPrivateAddress } from "./private-address.ts";

export type OriginOptions = {
  /** `https://pictures.example`, without a path. */
  origin: string;
  /** Permits an origin on this machine or in a private network. */
  allowPrivate?: boolean;
  /** Name resolution; the system's by default. */
  resolve?: typeof systemLookup;
};
export type OriginFault = "missing" | "too_large" | "unreachable";

const maxBytes = 15 * 1024 * 1024;
const downloadTimeoutMs = 5_000;

/**
 * The one foreign origin of pictures. Its name is resolved at each connection and all of its addresses must be public. No data of the
 * visitor is sent, redirects are not followed, and at most 15 MB are read within five seconds.
 */
export function createOrigin({ origin, allowPrivate = false, resolve = systemLookup }: OriginOptions) {
  const own = new URL(origin);
  const literal = own.hostname.replace(/^\[|\]$/g, "");
  // A literal address is used without name resolution.
  const isForbidden = !allowPrivate && isIP(literal) !== 0 && isPrivateAddress(literal);
  const agent = new Agent({
    connections: 4,
    pipelining: 1,
    connect: {
      timeout: 1_000,
      lookup: (name, options, done) =>
        resolve(name, { ...options, all: true } as LookupAllOptions, (error, addresses: LookupAddress[]) => {
          if (error) return done(error, "", 4);
          if (!allowPrivate && addresses.some(({ address }) => isPrivateAddress(address)))
            return done(new Error(`${name} resolves to a private address`), "", 4);
          const [first] = addresses;
          if (!first) return done(new Error(`${name} has no address`), "", 4);
          // With `all`, Node expects a list of addresses; its types know only a single one.
          return options.all ? done(null, addresses as never, 4) : done(null, first.address, first.family);
        }),
    },
  });

  /** The bytes at a path that `pathAt` returned, or why there are none. */
  async function read(path: string): Promise<Buffer | OriginFault> {
    if (isForbidden) return "unreachable";
    try {
      const { statusCode, headers, body } = await request(new URL(path, own), {
        dispatcher: agent,
        headers: { accept: "image/avif,image/webp,image/png,image/jpeg", "user-agent": "chekan-pictures" },
        signal: AbortSignal.timeout(downloadTimeoutMs),
      });
      if (statusCode !== 200 || Number(headers["content-length"] ?? 0) > maxBytes) {
        body.on("error", () => {}).destroy(); // an aborted body emits an error that needs no handling
        return statusCode === 200 ? "too_large" : statusCode === 404 || statusCode === 410 ? "missing" : "unreachable";
      }
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of body as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > maxBytes) return "too_large";
        chunks.push(chunk);
      }
      return Buffer.concat(chunks);
    } catch {
      return "unreachable";
    }
  }

  return { read, pathAt: (address: string) => pathAt(own, address), close: () => agent.destroy() };
}
export type ImageOrigin = ReturnType<typeof createOrigin>;

/** Characters with a meaning for servers or file systems once they are decoded. */
const encodedSpecialCharacters = /%(?:2e|2f|5c|00|25|0d|0a)/i;

/**
 * The path of `address` below an origin: a path with one leading slash, or a full address of exactly this origin. Null for everything else:
 * user names, other ports, dots, double or encoded slashes, queries.
 */
function pathAt(own: URL, address: string): string | null {
  const path = plainPath(address.startsWith("/") ? address : withoutOrigin(own, address));
  if (path === null) return null;
  const target = new URL(own);
  target.pathname = path;
  return target.origin === own.origin ? target.pathname : null;
}

function withoutOrigin(own: URL, address: string): string | null {
  const parsed = URL.canParse(address) ? new URL(address) : null;
  return parsed?.origin === own.origin &&
    parsed.username === "" &&
    parsed.password === "" &&
    /^https?:\/\/[^/\\]+\//i.test(address) &&
    parsed.search === "" &&
    parsed.hash === ""
    ? address.replace(/^https?:\/\/[^/\\]+/i, "")
    : null;
}

/** A path of plain segments; null if it could be read as anything else. */
export function plainPath(path: string | null): string | null {
  if (path === null || path.length > 1_000 || !path.startsWith("/") || encodedSpecialCharacters.test(path) || /[\\?#\p{Cc}]/u.test(path))
    return null;
  return path
    .slice(1)
    .split("/")
    .every((segment) => segment !== "" && segment !== "." && segment !== "..")
    ? path
    : null;
}
