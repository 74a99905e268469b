/** What the HTTP side needs to know of the configuration. */
export type HttpConfig = {
  /** 0: whatever the server got. */
  port: number;
  /** `PUBLIC_URL` when it is set: then the only origin that is ours, and HTTPS there means secure cookies. */
  publicUrl: string | undefined;
  /** Addresses of proxies whose forwarded headers are believed. */
  trustProxy: readonly string[];
  isDemo: boolean;
  metricsToken: string | undefined;
  /** Addresses and networks that a payment provider's webhooks come from; empty or absent: anywhere, since none is believed anyway. */
  webhookSenders?: readonly string[];
  /** The running build, asked each hour by open pages. */
  version: string;
};

export const isSecure = (config: HttpConfig): boolean => config.publicUrl?.startsWith("https:") ?? false;
