import type { FastifyInstance } from "fastify";
import { sendProblem } from "../problems.ts";

/** HEAD is answered where its GET is, and is 404 elsewhere. */
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
const isKnownCall = (url: string): boolean => url.startsWith("/api/") && !url.includes("*");

/** Collects the methods of every call that is registered on the server after it. */
export function collectMethods(app: FastifyInstance): ReadonlyMap<string, ReadonlySet<string>> {
  const known = new Map<string, Set<string>>();
  app.addHook("onRoute", ({ url, method }) => {
    if (isKnownCall(url)) known.set(url, new Set([...(known.get(url) ?? []), ...[method].flat()]));
  });
  return known;
}

/**
 * Answers the methods that a call or a page does not have with 405 and `Allow`, before the body is read. Must be registered after all calls
 * (`known`). A page takes a POST only where it has a form; the others answer that with 405 themselves.
 */
export function registerOtherMethods(app: FastifyInstance, known: ReadonlyMap<string, ReadonlySet<string>>, hasPages: boolean): void {
  app.register(async (scope) => {
    const refuse = (url: string, allowed: ReadonlySet<string>) => {
      const allow = [...allowed].toSorted().join(", ");
      scope.route({
        method: methods.filter((method) => !allowed.has(method)),
        url,
        onRequest: async (request, reply) =>
          isFile.test(request.url)
            ? sendProblem(reply, { code: "request.not_found" })
            : sendProblem(reply.header("allow", allow), { code: "request.bad_method" }),
        handler: async () => {},
      });
    };
    for (const [url, allowed] of known) refuse(url, allowed);
    if (hasPages) refuse("/*", new Set(["GET", "HEAD", "POST"]));
  });
}

/** Below these paths only files are served, never a page. */
export const isFile = /^\/(media|assets)(\/|$)/;
