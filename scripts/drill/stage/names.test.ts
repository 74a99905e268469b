import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { drillCommand, drillNames, drillsNamed } from "./names.ts";

const root = join(import.meta.dirname, "../../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

test("`npm run test:drills` and `npm run test:long` run every resilience test that there is", () => {
  expect(drillNames.map(drillCommand).toSorted()).toEqual(globSync("scripts/drill/*.ts", { cwd: root }).toSorted());
  expect(drillsNamed([])).toEqual(drillNames);
  expect(read("scripts/test-long.ts")).toContain("...drillNames.map((name) => ({ name: `drill:${name}`, command: [drillCommand(name)] }))");
  for (const script of ["test-previous", "test-release"])
    expect(read("scripts/test-long.ts")).toContain(`command: ["scripts/${script}.ts"]`);
});

test("every resilience test has its command and its row in the runbook", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const runbook = read("docs/runbook.md");
  for (const name of drillNames) {
    expect(scripts[`drill:${name}`]).toBe(`node ${drillCommand(name)}`);
    expect(runbook).toContain(`| \`npm run drill:${name}\` |`);
  }
});

test("the full form of the restore begins with the number of orders for which its time is promised", () => {
  const source = read("scripts/drill/restore.ts");
  expect(source).toContain('orders: { type: "string", default: isShort ? "0" : "100000" }');
  expect(source.match(/tooLong\("/g)).toHaveLength(2); // to a moment, and to the end
});

test("named resilience tests run in their order; an unknown name is a failure and not an empty run", () => {
  expect(drillsNamed(["update", "kill"])).toEqual(["kill", "update"]);
  expect(() => drillsNamed(["kill", "updaet"])).toThrow("no such test: updaet; there are kill, ");
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/test-drills.ts", "updaet"], { cwd: root, encoding: "utf8" });
  expect([status, stdout, stderr]).toEqual([1, "", expect.stringContaining("no such test: updaet")]);
});
