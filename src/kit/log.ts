/**
 * What the program may log through: pino's shape, so that pino itself fits.
 * Fields are from an allow list (see main/log.ts); nothing personal ever goes in.
 */
export type Log = {
  debug(fields: object, message?: string): void;
  info(fields: object, message?: string): void;
  warn(fields: object, message?: string): void;
  error(fields: object, message?: string): void;
};

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
