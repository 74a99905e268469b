import type { ServerResponse } from "node:http";

/** The carrier's answer: status, JSON or a PDF, and further headers. */
export type Answer = [status: number, content: unknown, headers?: Record<string, string>];

/** A refusal as the carrier sends it. */
export const failure = (status: number, type: string, code: string, message: string): Answer => [
  status,
  { requests: [{ type, state: "INVALID", errors: [{ code, message }] }] },
];

/** Sends an answer; a buffer is a PDF. */
export function send(response: ServerResponse, [status, content, headers]: Answer): void {
  if (Buffer.isBuffer(content)) {
    response.writeHead(status, { "content-type": "application/pdf" }).end(content);
    return;
  }
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(content));
}

/** An id that is the same in every run. */
export const uuidOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
/** The carrier's format, without a colon in the offset. */
export const stamp = (at: Date): string => at.toISOString().replace(/\.\d{3}Z$/, "+0000");
