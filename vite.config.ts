import { reactRouter } from "@react-router/dev/vite";
import { defineConfig, type Plugin } from "vite";
import { pagesStamp } from "./src/main/build-stamps.ts";
import { firstViewChunks, nameExports } from "./src/web/chunks.build.ts";
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

/**
 * Vite and React Router load the style sheets of a chunk unless the page links them. They also find those that `page-styles.tsx` wrote into
 * the document: Vite only while they apply, the router always, because it will switch them on.
 */
function findInlineStyles(): Plugin {
  const inFiles = [
    {
      file: /vite\/preload-helper/,
      found: /const links = document\.getElementsByTagName\("link"\);/,
      replaced: `$& for (const style of document.querySelectorAll("style[data-href]:not([media])"))
        preloadedHrefs.styles.add(new URL(style.dataset.href, location.href).href);`,
    },
    {
      file: /react-router\/dist\/[^?]*\/ssr\/links\.m?js/,
      found: /document\.querySelector\(`link\[rel="stylesheet"\]\[href="\$\{descriptor\.href\}"\]`\)/,
      replaced:
        'document.querySelector(`link[rel="stylesheet"][href="${descriptor.href}"],' +
        'style[data-href="${descriptor.href.replace("#", "")}"]`)',
    },
  ];
  return {
    name: "find-inline-styles",
    transform(code, id) {
      const rule = inFiles.find(({ file }) => file.test(id));
      if (!rule) return null;
      if (!rule.found.test(code)) throw new Error(`${id} no longer looks for linked style sheets this way: see page-styles.tsx`);
      return { code: code.replace(rule.found, rule.replaced), map: null };
    },
  };
}

const stamp = pagesStamp().slice(0, 8);

export default defineConfig({
  plugins: [nameExports(), reactRouter(), pagePaths(), reportLostChunks(), findInlineStyles()],
  build: {
    // The page's policy is `'self'` only: a font or picture inlined as data: would be refused.
    assetsInlineLimit: 0,
    sourcemap: false,
    // The names of API calls (contract/calls.ts) are inlined where they are used, instead of in one script that every page loads.
    rolldownOptions: { optimization: { inlineConst: { mode: "all", pass: 1 } } },
  },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: { groups: firstViewChunks(`${import.meta.dirname}/src/web`) },
            // Contains the router's manifest, which names it (`joinManifest` in src/main/build.ts), so its name is no hash of its content.
            chunkFileNames: ({ name }) => `assets/[name]-${name === "shell" ? stamp : "[hash]"}.js`,
          },
        },
      },
    },
    ssr: {
      build: {
        // The server imports these modules itself; bundled, they would exist twice, each copy with its own keys and caches.
        rollupOptions: { external: [/^#(shop|kit|contract)\//, "#web/context.server.ts"] },
      },
    },
  },
});
