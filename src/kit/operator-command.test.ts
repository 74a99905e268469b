import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ledgerCheckOf, operatorCommand } from "./operator-command.ts";

const source = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

test("from the sources a command is an npm script", () => {
  expect(operatorCommand("desk", "review 5 approve")).toBe("npm run desk -- review 5 approve");
  expect(ledgerCheckOf("postgres://copy/shop")).toBe("DATABASE_URL=postgres://copy/shop npm run check:ledger");
});

test("an installed release has no npm: a command is one that deploy/command accepts", () => {
  expect(operatorCommand("desk", "review 5 approve", true)).toBe("/opt/chekan/current/deploy/command desk review 5 approve");
  const accepted = [...source("deploy/command").matchAll(/^([a-z:| -]+)\) (?:exec|program)/gm)].flatMap(([, names = ""]) =>
    names.split(" | "),
  );
  const named = [
    "src/main/commands/desk.ts",
    "src/main/commands/staging-copy.ts",
    "src/main/commands/import.ts",
    "db/seed/many.ts",
  ].flatMap((path) => [...source(path).matchAll(/operatorCommand\("([^"]+)"/g)].map(([, name]) => name));
  expect(named.length).toBeGreaterThanOrEqual(4);
  expect(accepted).toEqual(expect.arrayContaining(named));
});

test("the ledger of a copy is not checked in the database of the shop's settings", () => {
  expect(ledgerCheckOf("postgres://db/copy", true)).toBe(
    "DATABASE_URL=postgres://db/copy DATA_DIR=/tmp/check-ledger /opt/chekan/current/bin/node /opt/chekan/current/build/app/check-ledger.js",
  );
});
