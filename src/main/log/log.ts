import pino, { type DestinationStream, type Logger } from "pino";

/** Fields that a log line may contain. All others are dropped, so that a new field is a decision and never a leak. */
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

/** Removes the keys of orders from addresses in a text: such a key opens its order. */
export const removeOrderKeys = (text: string): string => text.replaceAll(/\bkey=[\w-]+/g, "key=<key>");

/**
 * JSON lines on stdout, or to `destination` in tests. An error is logged as type, message and stack: the shop's own messages contain no
 * personal data.
 */
export function createLog(level: string, destination: DestinationStream = pino.destination(1)): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: (described: object) => described }, // already described; pino's serializer would rename it
      formatters: { level: (label) => ({ level: label }), log: pickAllowedFields },
    },
    destination,
  );
}

/** Exported for its test. */
export function pickAllowedFields(fields: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (name === "err") kept.err = describeError(value);
    else if (allowed.has(name) && typeof value === "string") kept[name] = removeOrderKeys(value);
    else if (allowed.has(name) && (typeof value === "number" || typeof value === "boolean")) kept[name] = value;
  }
  return kept;
}

/** Removes the values that drivers append to a message after `params:`; they may be personal data. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: "not an error object" };
  const message = removeOrderKeys(error.message.split(/\nparams:/i)[0] ?? "").slice(0, 500);
  const cause = error.cause instanceof Error ? removeOrderKeys(error.cause.message.split("\n")[0] ?? "").slice(0, 300) : undefined;
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
