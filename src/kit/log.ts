/**
 * The logger's interface, compatible with pino. Fields are limited to an allow list (see main/log/log.ts); personal data are never logged.
 */
export type Log = {
  debug(fields: object, message?: string): void;
  info(fields: object, message?: string): void;
  warn(fields: object, message?: string): void;
  error(fields: object, message?: string): void;
};

/** A logger that drops everything. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
