import { matchRoutes } from "react-router";
import { expect, test } from "vitest";
import { waitingGroups } from "#contract/staff/waiting/waiting.ts";
import { areas } from "./areas.ts";

const hasScreen = (path: string): boolean =>
  matchRoutes(
    areas.flatMap(({ routes }) => routes),
    path.replace(/\?.*/, ""),
  ) !== null;

test("what waits, each section and each action of the palette open a screen that exists", () => {
  const paths = [
    ...Object.values(waitingGroups).flatMap(({ path }) => path ?? []),
    ...areas.flatMap(({ sections }) => sections.map(({ path }) => path)),
    ...areas.flatMap(({ commands = [] }) => commands.map(({ path }) => path)),
  ];
  expect(paths.filter((path) => !hasScreen(path))).toEqual([]);
});
