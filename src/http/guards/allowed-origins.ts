import { isSecure, type HttpConfig } from "../config.ts";

/** The allowed hosts and origins: the public address if configured, else the names of this machine with the port. */
export type AllowedOrigins = { isHost(host: string | undefined): boolean; isOrigin(origin: string): boolean; isSecure: boolean };

const maxCachedHosts = 50;

/** `portOf` is called each time, because with port 0 the number is known only after the server listens. */
export function createAllowedOrigins(config: HttpConfig, portOf: () => number): AllowedOrigins {
  const names = (port: number) => ["localhost", "127.0.0.1", "[::1]"].map((name) => new URL(`http://${name}:${port}`));
  let known: { port: number; urls: URL[]; spellings: Set<string> } | null = null;
  const ours = () => {
    const port = portOf();
    if (known?.port !== port) known = { port, urls: config.publicUrl ? [new URL(config.publicUrl)] : names(port), spellings: new Set() };
    return known;
  };
  return {
    isSecure: isSecure(config),
    isHost(host) {
      const { urls, spellings } = ours();
      if (host !== undefined && spellings.has(host)) return true;
      const requested = hostOf(host, isSecure(config));
      const isOurs = requested !== null && urls.some((url) => url.host === requested);
      // parsing it as an address costs more than the other guards
      if (isOurs && host !== undefined && spellings.size < maxCachedHosts) spellings.add(host);
      return isOurs;
    },
    isOrigin: (origin) => ours().urls.some((url) => url.origin === origin),
  };
}

/** The host in its URL form: lower case, without the default port; null if it is malformed. */
function hostOf(host: string | undefined, secure: boolean): string | null {
  if (!host || !/^[A-Za-z0-9.\-[\]:]{1,255}$/.test(host)) return null;
  try {
    return new URL(`${secure ? "https" : "http"}://${host}`).host;
  } catch {
    return null;
  }
}
