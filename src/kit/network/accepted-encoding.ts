/** A coding in `Accept-Encoding` that is not refused by `q=0` (RFC 9110, 12.5.3). */
const accepted = (coding: string): RegExp => new RegExp(`(?:^|[\\s,])${coding}(?=[\\s,;]|$)(?!\\s*;\\s*q=0(?:\\.0{0,3})?\\s*(?:,|$))`, "i");
const [br, gzip] = [accepted("br"), accepted("gzip")];

/** Whether the value of `Accept-Encoding` allows Brotli. */
export const acceptsBr = (header: string): boolean => br.test(header);
/** Whether the value of `Accept-Encoding` allows gzip. */
export const acceptsGzip = (header: string): boolean => gzip.test(header);
