import type { FastifyInstance } from "fastify";
import { maxWebhookBytes } from "../guards/guards.ts";

/** Within this scope every body is read as text, whatever its content type, because providers have their own protocols. */
export function acceptAnyBody(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", { parseAs: "string", bodyLimit: maxWebhookBytes }, (_, body, done) => done(null, body));
}
