import { globSync, readFileSync } from "node:fs";
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

test("a section and its screen are open to the same members of staff, and so is what lies below it or to fewer", () => {
  const sections = areas.flatMap((area) => area.sections);
  const screens = areas.flatMap(({ routes }) => routes);
  const permissionOf = (path: string) => screens.find((screen) => screen.path.replace(/\/:id\?$/, "") === path)?.permission;
  for (const { path, permission } of sections)
    expect({ path, permission: permissionOf(path) }).toEqual({ path, permission: permission === "signed_in" ? permission : permission[0] });
  const openToAll = screens.filter(({ permission }) => permission === "signed_in").map(({ path }) => path);
  expect(openToAll).toEqual(["/waiting", "/approvals", "/alarms", "/devices"]);
});

/** Screens that keep their list or their groups when another record is opened beside it; the record itself has its key. */
const besideList = ["requests-page.tsx", "settings-page.tsx", "text-page.tsx"];

test("the screen of a record begins afresh for another record", () => {
  const screens = globSync("src/web/office/**/*-page.tsx")
    .map((path) => ({ path, source: readFileSync(path, "utf8") }))
    .filter(({ path, source }) => source.includes("useParams()") && !besideList.some((name) => path.endsWith(name)));
  expect(screens.length).toBeGreaterThan(10);
  const isKeyed = (source: string): boolean => /return [^;]*<\w+ key=\{id\} id=\{id\} \/>/.test(source);
  expect(screens.filter(({ source }) => !isKeyed(source)).map(({ path }) => path)).toEqual([]);
});
