import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Fastify from "fastify";
import { expect, test } from "vitest";
import { buildFiles } from "./build-files.ts";
import { sharedFiles } from "./shared-assets.ts";

const [own, shared] = ["own", "shared"].map((name) => mkdtempSync(join(tmpdir(), `chekan-${name}-`))) as [string, string];
for (const name of ["a-11111111.js", "a-11111111.js.br", "b-11111111.css", ".hidden"]) writeFileSync(join(own, name), `own ${name}`);
mkdirSync(join(sharedFiles(shared), "folder"), { recursive: true });
for (const name of ["a-11111111.js", "c-22222222.js", "folder/d.js", ".hidden"])
  writeFileSync(join(sharedFiles(shared), name), `shared ${name}`);

test("files of the build and of other builds are served by one route, compressed where a variant exists", async () => {
  const app = Fastify();
  let routes = 0;
  app.addHook("onRoute", () => {
    routes += 1;
  });
  app.register(buildFiles(own, shared));
  const get = async (name: string, method: "GET" | "HEAD" = "GET", headers = {}) => {
    const { statusCode, body } = await app.inject({ method, url: `/assets/${name}`, headers });
    return `${statusCode} ${statusCode === 200 ? body : ""}`;
  };
  expect(await get("a-11111111.js")).toBe("200 own a-11111111.js");
  expect(await get("a-11111111.js", "GET", { "accept-encoding": "gzip, br" })).toBe("200 own a-11111111.js.br");
  expect(await get("a-11111111.js", "HEAD")).toBe("200 ");
  expect(await get("b-11111111.css", "GET", { "accept-encoding": "br" })).toBe("200 own b-11111111.css");
  expect(await get("c-22222222.js")).toBe("200 shared c-22222222.js");
  for (const name of [".hidden", "folder/d.js", "folder%2fd.js", "folder", "", "none.js", "a-11111111.js%00", "..", "%2e%2e%2fc"])
    expect([name, await get(name)]).toEqual([name, "404 "]);
  expect(routes).toBe(1);
  await app.close();
});

test("a range beyond the end of a file is 416 with the file's size, an unmet precondition 412, both without a body", async () => {
  const app = Fastify();
  app.register(buildFiles(own, shared));
  const get = (headers: Record<string, string>) => app.inject({ url: "/assets/a-11111111.js", headers });
  const part = await get({ range: "bytes=4-5" });
  expect([part.statusCode, part.headers["content-range"], part.body]).toEqual([206, "bytes 4-5/17", "a-"]);
  const beyond = await get({ range: "bytes=99-" });
  expect([beyond.statusCode, beyond.headers["content-range"], beyond.body]).toEqual([416, "bytes */17", ""]);
  const another = await get({ "if-match": '"another"' });
  expect([another.statusCode, another.body]).toEqual([412, ""]);
  for (const { headers } of [beyond, another]) expect(headers["cache-control"]).toBe("no-store");
  await app.close();
});
