import { reactRouter } from "@react-router/dev/vite";
import { defineConfig, type Plugin } from "vite";
import { pagePaths } from "./src/web/page-paths.build.ts";

/**
 * When the code of the next page does not load, the router reloads the current page without end. Replaced by an event, which
 * `use-failed-navigation.ts` handles.
 */
function reportLostChunks(): Plugin {
  const reload = /window\.location\.reload\(\);\s*return new Promise\(\(\) => \{\}\);/;
  return {
    name: "report-lost-chunks",
    transform(code, id) {
      if (!/react-router\/dist\/[^?]*routeModules\.m?js/.test(id)) return null;
      if (!reload.test(code)) throw new Error("react-router no longer loads its pages this way: see use-failed-navigation.ts");
      return {
        code: code.replace(reload, 'window.dispatchEvent(new CustomEvent("lostpage", { detail: error })); return new Promise(() => {});'),
        map: null,
      };
    },
  };
}

export default defineConfig({
  plugins: [reactRouter(), pagePaths(), reportLostChunks()],
  build: {
    // The page's policy is `'self'` only: a font or picture inlined as data: would be refused.
    assetsInlineLimit: 0,
    sourcemap: false,
    // The names of API calls (contract/calls.ts) are inlined where they are used, instead of in one script that every page loads.
    rolldownOptions: { optimization: { inlineConst: { mode: "all", pass: 1 } } },
  },
  environments: {
    ssr: {
      build: {
        // The server imports these modules itself; bundled, they would exist twice, each copy with its own keys and caches.
        rollupOptions: { external: [/^#(shop|kit|contract)\//, "#web/context.server.ts"] },
      },
    },
  },
});
