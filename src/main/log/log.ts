import pino, { type DestinationStream, type Logger } from "pino";

/** Fields that may stand in a log line. Everything else is dropped, so that a new field is a decision and never a leak. */
const allowed = new Set([
  "requestId",
  "method",
  "route",
  "status",
  "milliseconds",
  "visitor",
  "provider",
  "op",
  "outcome",
  "job",
  "sweep",
  "code",
  "alarm",
  "event",
  "count",
  "version",
  "source",
  "reason",
  "engine",
  "port",
  "orderId",
  "paymentId",
  "attempt",
  "limit",
  "percent",
  "kind",
  "state",
  "failure",
]);

/** The key of an order's link opens the order: where an address gets into a text of ours or of a provider's, it goes without. */
export const withoutKeys = (text: string): string => text.replaceAll(/\bkey=[\w-]+/g, "key=<key>");

/** JSON lines on stdout, or where a test reads them; an error is its type, message and stack, since messages of ours carry no personal data. */
export function createLog(level: string, destination: DestinationStream = pino.destination(1)): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: (described: object) => described }, // already described; pino's own would rename it
      formatters: { level: (label) => ({ level: label }), log: keepAllowed },
    },
    destination,
  );
}

/** Exported for its test. */
export function keepAllowed(fields: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (name === "err") kept.err = describeError(value);
    else if (allowed.has(name) && typeof value === "string") kept[name] = withoutKeys(value);
    else if (allowed.has(name) && (typeof value === "number" || typeof value === "boolean")) kept[name] = value;
  }
  return kept;
}

/** Drivers put the failed statement's values into the message after `params:`; they may be personal. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: "not an error object" };
  const message = withoutKeys(error.message.split(/\nparams:/i)[0] ?? "").slice(0, 500);
  const cause = error.cause instanceof Error ? withoutKeys(error.cause.message.split("\n")[0] ?? "").slice(0, 300) : undefined;
  return {
    type: error.name,
    message,
    cause,
    code: (error as { code?: unknown }).code,
    stack: error.stack
      ?.split("\n")
      .filter((each) => /^\s+at /.test(each))
      .slice(0, 8)
      .join("\n"),
  };
}
