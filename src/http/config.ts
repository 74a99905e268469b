/** The configuration of the HTTP side. */
export type HttpConfig = {
  /** 0: the port that the server got. */
  port: number;
  /** `PUBLIC_URL` when set: then the only own origin. With https, cookies are secure. */
  publicUrl: string | undefined;
  /** Addresses of proxies whose forwarded headers are trusted. */
  trustProxy: readonly string[];
  isDemo: boolean;
  metricsToken: string | undefined;
  /** Addresses and networks of a payment provider's webhooks. Empty or absent: any, since no webhook is trusted anyway. */
  webhookSenders?: readonly string[];
  /** Login and password of the accounting system (1C); null: the exchange is off. */
  accounting?: { login: string; password: string } | null;
  /** The running build, compared by open pages every hour. */
  version: string;
};

/** Whether visitors reach the shop over HTTPS; false without a public address. */
export const isSecure = (config: Pick<HttpConfig, "publicUrl">): boolean => config.publicUrl?.startsWith("https:") ?? false;
