import type { FastifyInstance } from "fastify";

/** The port on which the server listens; 0 before it does. */
export function boundPort(app: FastifyInstance): number {
  const address = app.server.address();
  return typeof address === "object" && address ? address.port : 0;
}
