import type { Log } from "#kit/log.ts";
import { removeOrderKeys } from "./log.ts";

export type FaultReports = { log: Log; flush(): Promise<void> };

/**
 * Sends every logged error to an error-reporting service as well (Sentry's protocol: Sentry or GlitchTip), without the request's headers,
 * addresses or bodies: only what the log itself contains. Without a DSN nothing is loaded.
 */
export async function reportFaults(log: Log, dsn: string | undefined, release: string): Promise<FaultReports> {
  if (!dsn) return { log, flush: async () => {} };
  const sentry = await import("@sentry/node");
  sentry.init({
    dsn,
    release,
    defaultIntegrations: false,
    maxBreadcrumbs: 0,
    beforeSend: (event) => ({
      ...event,
      request: undefined,
      user: undefined,
      server_name: undefined,
      message: event.message?.split(/\nparams:/i)[0],
    }),
  });
  return {
    log: {
      debug: log.debug.bind(log),
      info: log.info.bind(log),
      warn: log.warn.bind(log),
      error(fields, message) {
        log.error(fields, message);
        const { err, alarm } = fields as { err?: unknown; alarm?: string };
        if (err instanceof Error) sentry.captureException(withoutValues(err), { tags: { kind: (fields as { kind?: string }).kind } });
        else sentry.captureMessage(alarm ? `alarm: ${alarm}` : (message ?? "error"), "error");
      },
    },
    flush: async () => {
      await sentry.flush(2_000);
    },
  };
}

/** The message of a failed statement ends with its values: removes them. */
function withoutValues(error: Error): Error {
  const clean = new Error(removeOrderKeys(error.message.split(/\nparams:/i)[0] ?? "").slice(0, 500));
  clean.name = error.name;
  clean.stack = error.stack
    ?.split("\n")
    .filter((line) => /^\s+at /.test(line))
    .join("\n");
  return clean;
}
