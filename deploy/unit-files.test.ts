import { mkdirSync, mkdtempSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { platform, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { copyUnitFiles } from "./unit-files.ts";

test("an update brings what a release adds to the unit of PostgreSQL, and keeps what the owner has changed there", () => {
  const folder = mkdtempSync(join(tmpdir(), "chekan-unit-files-"));
  const name = "postgresql@.service.d/chekan.conf";
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write(`first/deploy/systemd/${name}`, "RestartSec=5");
  write(`second/deploy/systemd/${name}`, "RestartSec=10");
  const use = (release: string, before: string | null) =>
    copyUnitFiles(join(folder, release), before === null ? null : join(folder, before), join(folder, "systemd"));

  expect(use("first", null)).toEqual({ changed: [name], kept: [] });
  expect(use("second", "first")).toEqual({ changed: [name], kept: [] });
  expect(readFileSync(join(folder, "systemd", name), "utf8")).toBe("RestartSec=10");
  write(`systemd/${name}`, "the owner's");
  expect(use("first", "second")).toEqual({ changed: [], kept: [name] });
});

test.skipIf(platform() !== "linux")("a unit file that a full disk does not take stays as it was", () => {
  const folder = mkdtempSync(join(tmpdir(), "chekan-unit-files-"));
  const release = (name: string): string => {
    mkdirSync(join(folder, name, "deploy/systemd"), { recursive: true });
    writeFileSync(join(folder, name, "deploy/systemd/chekan.target"), name);
    return join(folder, name);
  };
  const installed = join(folder, "systemd");
  mkdirSync(installed);
  const [first, second] = [release("first"), release("second")];
  copyUnitFiles(first, null, installed);
  symlinkSync("/dev/full", join(installed, "chekan.target.part"));
  expect(() => copyUnitFiles(second, first, installed)).toThrow("ENOSPC");
  expect([readdirSync(installed), readFileSync(join(installed, "chekan.target"), "utf8")]).toEqual([["chekan.target"], "first"]);
  expect(copyUnitFiles(second, first, installed)).toEqual({ changed: ["chekan.target"], kept: [] });
});
