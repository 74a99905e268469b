import { isSecure, type HttpConfig } from "./config.ts";

/** Our own hosts and origins: the public address when there is one, else this machine's names with the port. */
export type Own = { isHost(host: string | undefined): boolean; isOrigin(origin: string): boolean; isSecure: boolean };

/** `portOf` is asked each time: with port 0 the number is known only once the server listens. */
export function createOwn(config: HttpConfig, portOf: () => number): Own {
  const names = (port: number) => ["localhost", "127.0.0.1", "[::1]"].map((name) => new URL(`http://${name}:${port}`));
  const urls = () => (config.publicUrl ? [new URL(config.publicUrl)] : names(portOf()));
  return {
    isSecure: isSecure(config),
    isHost(host) {
      const asked = hostOf(host, isSecure(config));
      return asked !== null && urls().some((url) => url.host === asked);
    },
    isOrigin: (origin) => urls().some((url) => url.origin === origin),
  };
}

/** The host as the URL standard spells it: lower case, without the scheme's own port; null for anything that is not a host. */
function hostOf(host: string | undefined, secure: boolean): string | null {
  if (!host || !/^[A-Za-z0-9.\-[\]:]{1,255}$/.test(host)) return null;
  try {
    return new URL(`${secure ? "https" : "http"}://${host}`).host;
  } catch {
    return null;
  }
}
