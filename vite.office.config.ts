import { join } from "node:path";
import { defineConfig } from "vite";

/** The back office: an app for browsers only, apart from the pages of the shop (vite.config.ts). */
export default defineConfig({
  root: join(import.meta.dirname, "src/web/office"),
  base: "/",
  build: {
    outDir: join(import.meta.dirname, "build/office"),
    emptyOutDir: true,
    // The policy of the listener is `'self'` only: a font or picture inlined as data: would be refused.
    assetsInlineLimit: 0,
    sourcemap: false,
    modulePreload: { polyfill: false },
    manifest: "manifest.json",
    rolldownOptions: {
      optimization: { inlineConst: { mode: "all", pass: 1 } },
      // Base UI marks its modules for servers that render React; a bundle for browsers has no use for the marks.
      onLog: (level, log, pass) => (log.code === "MODULE_LEVEL_DIRECTIVE" ? undefined : pass(level, log)),
    },
  },
});
