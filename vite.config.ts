import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [reactRouter()],
  build: {
    // The page's policy is `'self'` only: a font or picture inlined as data: would be refused.
    assetsInlineLimit: 0,
    sourcemap: false,
  },
  environments: {
    ssr: {
      build: {
        // The server imports these modules itself; bundled a second time they would be a second shop with keys and caches of its own.
        rollupOptions: { external: [/^#(shop|kit|contract)\//, "#web/context.server.ts"] },
      },
    },
  },
});
