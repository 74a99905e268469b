/**
 * `npm run test:drills`: the short resilience tests, one after another, or the named ones (`npm run test:drills -- kill restart`). The gate
 * (`.ci/run`) runs some of them after `npm test`. Builds the pages first. Stops at the first failure, and at once for an unknown name; the
 * last line names those that this machine cannot run. The full forms run in `npm run test:long`.
 */
import { drillCommand, drillsNamed } from "./drill/stage/names.ts";
import { runInTurn, startWith } from "./drill/stage/in-turn.ts";

const drills = chosen();

function chosen(): ReturnType<typeof drillsNamed> {
  try {
    return drillsNamed(process.argv.slice(2));
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}

process.exitCode = runInTurn(
  [
    { name: "pages", command: ["src/main/build.ts"], isPreparation: true },
    ...drills.map((name) => ({ name: `drill:${name}`, command: [drillCommand(name), "--short"] })),
  ],
  startWith(),
);
