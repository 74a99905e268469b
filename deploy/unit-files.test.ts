import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
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
