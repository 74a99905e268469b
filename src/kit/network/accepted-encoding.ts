/** A coding in `Accept-Encoding` that is not refused by `q=0` (RFC 9110, 12.5.3). */
const accepted = (coding: string): RegExp => new RegExp(`(?:^|[\\s,])${coding}(?=[\\s,;]|$)(?!\\s*;\\s*q=0(?:\\.0{0,3})?\\s*(?:,|$))`, "i");
const [br, gzip] = [accepted("br"), accepted("gzip")];

export const acceptsBr = (header: string): boolean => br.test(header);
export const acceptsGzip = (header: string): boolean => gzip.test(header);
