import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

/** Prints the packages, and the folders of own sources, that are loaded with modules. */
const listPackages = `
  import { registerHooks } from "node:module";
  const packages = new Set();
  registerHooks({
    load(url, context, next) {
      packages.add((/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url) ?? /\\/src\\/(\\w+\\/\\w+)/.exec(url))?.[1]);
      return next(url, context);
    },
  });
  for (const module of process.argv.slice(1)) await import(module);
  console.log([...packages].join("\\n"));
  process.exit(0);`;

test("a start does without the back office, and the packages that only mail, passkeys, documents and pictures need", () => {
  const modules = ["run.ts", "server.ts", "site.ts"].map((name) => join(import.meta.dirname, name));
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", listPackages, ...modules], { encoding: "utf8" });
  const loaded = stdout.split("\n");
  expect([stderr, loaded.includes("fastify"), loaded.includes("http/api")]).toEqual(["", true, true]);
  const seldom = [
    "nodemailer",
    "@simplewebauthn/server",
    "pdfkit",
    "sharp",
    "read-excel-file",
    "write-excel-file",
    "@sentry/node",
    "http/staff",
  ];
  expect(seldom.filter((name) => loaded.includes(name))).toEqual([]);
});
