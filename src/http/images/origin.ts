import { lookup as systemLookup, type LookupAddress, type LookupAllOptions } from "node:dns";
import { isIP } from "node:net";
import { Agent, request } from "undici";
import { isPrivateAddress } from "./private-address.ts";

export type OriginOptions = {
  /** `https://pictures.example`, nothing behind it. */
  origin: string;
  /** For an origin on this machine or in our own network. */
  allowPrivate?: boolean;
  /** The system's name resolution unless given. */
  resolve?: typeof systemLookup;
};
export type OriginFault = "missing" | "too_large" | "unreachable";

const mostBytes = 15 * 1024 * 1024;
const patienceMs = 5_000;

/**
 * The one foreign place pictures may come from. Its name is resolved at each connect and every address it has must be public;
 * nothing of the visitor goes along, redirects are not followed, and at most 15 MB are read, within five seconds.
 */
export function createOrigin({ origin, allowPrivate = false, resolve = systemLookup }: OriginOptions) {
  const own = new URL(origin);
  const literal = own.hostname.replace(/^\[|\]$/g, "");
  // A literal address is connected to without any resolution.
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
          // With `all`, Node takes the list in the place of one address; its types know only the latter.
          return options.all ? done(null, addresses as never, 4) : done(null, first.address, first.family);
        }),
    },
  });

  /** The bytes at a path that `pathAt` made, or why there are none. */
  async function read(path: string): Promise<Buffer | OriginFault> {
    if (isForbidden) return "unreachable";
    try {
      const { statusCode, headers, body } = await request(new URL(path, own), {
        dispatcher: agent,
        headers: { accept: "image/avif,image/webp,image/png,image/jpeg", "user-agent": "chekan-pictures" },
        signal: AbortSignal.timeout(patienceMs),
      });
      if (statusCode !== 200 || Number(headers["content-length"] ?? 0) > mostBytes) {
        body.on("error", () => {}).destroy(); // what is cut off complains of it, to nobody in particular
        return statusCode === 200 ? "too_large" : statusCode === 404 || statusCode === 410 ? "missing" : "unreachable";
      }
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of body as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > mostBytes) return "too_large";
        chunks.push(chunk);
      }
      return Buffer.concat(chunks);
    } catch {
      return "unreachable";
    }
  }

  return { read, pathAt: (address: string) => pathAt(own, address), close: () => agent.destroy() };
}
export type Origin = ReturnType<typeof createOrigin>;

/** Letters that mean something to a server or a file system when they come out of an encoding. */
const hidden = /%(?:2e|2f|5c|00|25|0d|0a)/i;

/**
 * The path of `address` below an origin: a path that begins with one slash, or a full address whose origin is exactly this one.
 * Null for everything else: user names, other ports, dots, doubled or encoded slashes, queries.
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

/** A path of plain segments; null when it could be read as anything else. */
export function plainPath(path: string | null): string | null {
  if (path === null || path.length > 1_000 || !path.startsWith("/") || hidden.test(path) || /[\\?#\p{Cc}]/u.test(path)) return null;
  return path
    .slice(1)
    .split("/")
    .every((segment) => segment !== "" && segment !== "." && segment !== "..")
    ? path
    : null;
}
