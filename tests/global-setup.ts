import type { TestProject } from "vitest/node";
import { startPostgres } from "./postgres.ts";

/** One PostgreSQL server for the run; test files clone their databases from its migrated template. */
export default async function setup(project: TestProject) {
  const server = await startPostgres({ autovacuum: false });
  project.provide("postgresUrl", server.url);
  return () => server.stop();
}

declare module "vitest" {
  export interface ProvidedContext {
    postgresUrl: string;
  }
}
