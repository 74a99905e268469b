import type { FastifyInstance } from "fastify";
import { longestWebhook } from "../gates.ts";

/** Outsiders post what their protocol says: within this scope every body is taken as text, whatever type it claims. */
export function takeAnyBody(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", { parseAs: "string", bodyLimit: longestWebhook }, (_, body, done) => done(null, body));
}
