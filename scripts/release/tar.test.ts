import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { gzipOf, tarOf, type TarFile } from "./tar.ts";

const date = new Date("2026-11-22T10:00:00Z");
const long = `chekan/${"folder/".repeat(15)}${"n".repeat(90)}.js`;
const files: TarFile[] = [
  { path: "chekan/b.txt", mode: 0o644, bytes: Buffer.from("б".repeat(700)) },
  { path: "chekan/bin/node", mode: 0o755, bytes: Buffer.from("#!/bin/sh\n") },
  { path: long, mode: 0o644, bytes: Buffer.alloc(0) },
];

test("tar unpacks an archive with its contents, permissions and date", () => {
  const folder = mkdtempSync(join(tmpdir(), "chekan-tar-"));
  writeFileSync(join(folder, "a.tar.gz"), gzipOf(tarOf(files, date)));
  expect(spawnSync("tar", ["-xzf", "a.tar.gz"], { cwd: folder }).status).toBe(0);
  for (const { path, bytes } of files) expect(readFileSync(join(folder, path))).toEqual(bytes);
  expect([statSync(join(folder, "chekan/bin/node")).mode & 0o777, statSync(join(folder, "chekan/b.txt")).mtime]).toEqual([0o755, date]);
});

test("equal files give equal archives, in whatever order they are named", () => {
  expect(gzipOf(tarOf(files.toReversed(), date)).equals(gzipOf(tarOf(files, date)))).toBe(true);
});
