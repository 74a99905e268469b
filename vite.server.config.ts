import { join, relative } from "node:path";
import { defineConfig, type Plugin } from "vite";
import { asciiCode } from "./src/kit/text/ascii-code.ts";

const root = import.meta.dirname;
const outDir = join(root, "build/app");

/** Files that run on their own: commands of the operator, the rendered pages, threads and child processes. */
const entries = {
  start: "src/main/start-built.ts",
  pages: "build/server/index.js",
  desk: "src/main/commands/desk.ts",
  migrate: "src/main/commands/migrate.ts",
  update: "deploy/update.ts",
  "check-ledger": "src/main/commands/check-ledger.ts",
  import: "src/main/commands/import.ts",
  seed: "db/seed/many.ts",
  "staging-copy": "src/main/commands/staging-copy.ts",
  "spreadsheet-thread": "src/kit/documents/spreadsheet/thread.ts",
  "commerceml-thread": "src/integrations/commerceml/thread.ts",
  "encode-process": "src/http/images/encoding/encode-process.ts",
  "compress-thread": "src/main/pages/compress-thread.ts",
  "pdf-thread": "src/shop/orders/invoices/pdf-thread.ts",
};
const entryNames = new Map(Object.entries(entries).map(([name, path]) => [join(root, path), name]));

/**
 * Sources find their data files and their threads beside themselves. In the bundle a folder is still that of the source, seen from the
 * bundle (migrations, fonts and seed data are at the same places in a release), and a thread is its entry of the bundle.
 */
function placesOfSources(): Plugin {
  return {
    name: "places-of-sources",
    transform(code, id) {
      if (id.includes("node_modules") || !code.includes("import.meta.")) return null;
      const folder = relative(outDir, join(id, ".."));
      const threaded = code.replaceAll(/new URL\("(\.\/[^"]+\.ts)", import\.meta\.url\)/g, (_, path: string) => {
        const name = entryNames.get(join(id, "..", path));
        if (name === undefined) this.error(`${path} of ${id} is started on its own: list it in vite.server.config.ts`);
        return `new URL("./${name}.js", import.meta.url)`;
      });
      return { code: threaded.replaceAll("import.meta.dirname", `(import.meta.dirname + ${JSON.stringify(`/${folder}`)})`), map: null };
    },
  };
}

/** Lists the folders of the packages whose code is in the bundle, for the licences of a release. */
function listPackages(): Plugin {
  return {
    name: "list-packages",
    generateBundle(_, bundle) {
      const folders = new Set<string>();
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk") continue;
        for (const id of Object.keys(chunk.modules)) {
          const [, folder] = /^.*?(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)/.exec(relative(root, id)) ?? [];
          if (folder !== undefined) folders.add(folder);
        }
      }
      this.emitFile({ type: "asset", fileName: "packages.json", source: `${JSON.stringify([...folders].toSorted(), null, 1)}\n` });
    },
  };
}

/** V8 keeps the text of a module with two bytes a character if one of them needs it, as the texts of the shop do. */
function oneByteCode(): Plugin {
  return {
    name: "one-byte-code",
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk") continue;
        // An escape means another text there.
        const [raw] = /String\.raw`[^`]*[^\0-\u007f`]/.exec(chunk.code) ?? [];
        if (raw !== undefined)
          this.error(`${chunk.fileName}: write the characters of this raw string as \\uXXXX, or without String.raw: ${raw}`);
        chunk.code = asciiCode(chunk.code);
      }
    },
  };
}

/** The server with everything it needs but a few packages, so that a built shop starts without build tools and reads few files. */
export default defineConfig({
  plugins: [placesOfSources(), oneByteCode(), listPackages()],
  define: { "process.env.NODE_ENV": '"production"' },
  publicDir: false,
  ssr: {
    noExternal: true,
    // Native code, and packages with data files of their own. A release ships these and what they need (scripts/release/packages.ts).
    external: ["sharp", "@electric-sql/pglite", "pdfkit", "pg-native"],
  },
  build: {
    ssr: true,
    outDir,
    emptyOutDir: true,
    target: "node26",
    minify: false,
    sourcemap: false,
    rolldownOptions: {
      input: Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(root, path)])),
      output: {
        entryFileNames: "[name].js",
        // Those that tools read; licences stay.
        comments: { jsdoc: false, annotation: false, legal: true },
        chunkFileNames: ({ name }) => `${name.split("~", 1)[0]}-[hash].js`,
      },
    },
  },
});
