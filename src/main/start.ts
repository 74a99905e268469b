/** The shop from its sources: builds the pages when they are not up to date, then starts. */
import { enableCompileCache } from "node:module";

// Compiled code is cached on disk for the next start.
enableCompileCache();
const [{ run }, { buildIfNeeded }] = await Promise.all([import("./run.ts"), import("./build.ts")]);
await run({ prepare: buildIfNeeded });
