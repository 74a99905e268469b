import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

type Manifest = { dependencies: Record<string, string>; devDependencies: Record<string, string> };
type Lock = { packages: Record<string, Partial<Manifest> & { version?: string }> };
const read = <T>(name: string): T => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), "utf8")) as T;

test("the lock file is valid JSON, agrees with package.json and has an entry for each package, so that a clean install works", () => {
  const { dependencies, devDependencies } = read<Manifest>("package.json");
  const { packages } = read<Lock>("package-lock.json");
  expect(packages[""]).toMatchObject({ dependencies, devDependencies });
  const missing = Object.entries({ ...dependencies, ...devDependencies }).filter(
    ([name, version]) => packages[`node_modules/${name}`]?.version !== version.replace(/^npm:.*@/, ""),
  );
  expect(missing).toEqual([]);
});
