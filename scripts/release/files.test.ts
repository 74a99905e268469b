import { dirname, join, posix } from "node:path";
import { expect, test } from "vitest";
import { filesOf } from "./files.ts";

const files = filesOf(join(import.meta.dirname, "../.."), []);
const pages = files.filter(({ path }) => /^(deploy|docs)\/.*\.md$/.test(path)).map(({ path, bytes }) => ({ path, text: bytes.toString() }));

/** As GitHub makes it from a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");

test("a page of a release links only to what is in the release", () => {
  const anchors = new Map(
    pages.map(({ path, text }) => [path, [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading))]),
  );
  const shipped = new Set(files.map(({ path }) => path));
  const links = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link = ""]) => ({ path, link })),
  );
  const dead = links.filter(({ path, link }) => {
    const [target = "", anchor] = link.split("#");
    const to = target === "" ? path : posix.join(dirname(path), target);
    return !shipped.has(to) || (anchor !== undefined && anchors.has(to) && !anchors.get(to)?.includes(anchor));
  });
  expect(links.length).toBeGreaterThan(20);
  expect(dead).toEqual([]);
});

test("a release has the instructions of its operation and the decisions that they name", () => {
  const shipped = pages.map(({ path }) => path);
  expect(shipped).toEqual(expect.arrayContaining(["deploy/README.md", "docs/runbook.md", "docs/retention.md"]));
  expect(shipped).toContain("docs/decisions/0078-backups.md");
});
