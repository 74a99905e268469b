/** The built shop: the entry of the bundle (vite.server.config.ts), for processes without sources and build tools. */
import { enableCompileCache } from "node:module";

// Compiled code is cached on disk for the next start.
enableCompileCache();
const [{ run }, { bundledPages }] = await Promise.all([import("./run.ts"), import("./pages/build-folder.ts")]);
await run({ pages: bundledPages });
