/**
 * `npm run test:long`: tests that are too long for the gate: 1,000 sequences, 1,000 interleavings, 1,000 pages under changing rates, the
 * service tests of the release before on the schema of this tree, two builds of one release compared byte for byte, and all resilience
 * tests in full. Stops at the first failure; the last line names those that this machine cannot run.
 */
import { drillCommand, drillNames } from "./drill/stage/names.ts";
import { runInTurn, startWith } from "./drill/stage/in-turn.ts";

process.exitCode = runInTurn(
  [
    { name: "services", command: ["node_modules/vitest/vitest.mjs", "run", "--project", "services", "--testTimeout", "3600000"] },
    { name: "previous", command: ["scripts/test-previous.ts"] },
    { name: "release", command: ["scripts/test-release.ts"] },
    { name: "pages", command: ["src/main/build.ts"], isPreparation: true },
    { name: "journeys", command: ["node_modules/@playwright/test/cli.js", "test", "one-price", "forged", "--reporter=list"] },
    ...drillNames.map((name) => ({ name: `drill:${name}`, command: [drillCommand(name)] })),
  ],
  startWith({ TEST_ROUNDS: "long" }),
);
