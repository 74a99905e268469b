import { reactRouter } from "@react-router/dev/vite";
import { defineConfig, type Plugin } from "vite";

/** The router reloads the present page, without end, when the code of the next one cannot be had. Here it only says so, to `use-lost-page.ts`. */
function lostChunksAreOurs(): Plugin {
  const own = /window\.location\.reload\(\);\s*return new Promise\(\(\) => \{\}\);/;
  return {
    name: "lost-chunks-are-ours",
    transform(code, id) {
      if (!/react-router\/dist\/[^?]*routeModules\.m?js/.test(id)) return null;
      if (!own.test(code)) throw new Error("react-router loads its pages in another way now: see use-lost-page.ts");
      return {
        code: code.replace(own, 'window.dispatchEvent(new CustomEvent("lostpage", { detail: error })); return new Promise(() => {});'),
        map: null,
      };
    },
  };
}

export default defineConfig({
  plugins: [reactRouter(), lostChunksAreOurs()],
  build: {
    // The page's policy is `'self'` only: a font or picture inlined as data: would be refused.
    assetsInlineLimit: 0,
    sourcemap: false,
    // The names of API calls (contract/calls.ts) go into the scripts that make them instead of into one that every page loads.
    rolldownOptions: { optimization: { inlineConst: { mode: "all", pass: 1 } } },
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
