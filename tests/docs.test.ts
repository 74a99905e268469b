import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const decisions = globSync("docs/decisions/0*.md", { cwd: root }).toSorted();
const guides = ["README.md", ...globSync(["docs/*.md", "deploy/*.md"], { cwd: root })];

/** The anchor of a heading as GitHub makes it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");

test("links between documents lead to files and headings that exist", () => {
  const broken = [...guides, "CHANGELOG.md", "docs/decisions/README.md", ...decisions].flatMap((page) =>
    [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = ""]) => {
      if (/^https?:/.test(link)) return [];
      const [path = "", anchor] = link.split("#");
      const target = path === "" ? page : join(dirname(page), path);
      if (!existsSync(join(root, target))) return [`${page}: ${link}`];
      if (anchor === undefined) return [];
      const headings = [...read(target).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => anchorOf(heading));
      return headings.includes(anchor) ? [] : [`${page}: ${link}`];
    }),
  );
  expect(broken).toEqual([]);
});

test("every npm script is described, and the scripts that are described exist", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const text = guides.map(read).join("\n");
  const named = [...text.matchAll(/npm run ([a-z]+(?:[:-][a-z]+)*)(?![\w:…])/g)].map(([, name = ""]) => name);
  expect([...new Set(named)].filter((name) => !(name in scripts))).toEqual([]);
  const isDescribed = (name: string): boolean => {
    const [, part = name] = name.split(":");
    return new RegExp(`npm (run )?${name}(?![\\w:])|\`(npm run )?${name}\`|\`:${part}\``).test(text);
  };
  expect(Object.keys(scripts).filter((name) => !isDescribed(name))).toEqual([]);
});

test("every decision record has a date, a status and a line with its title in the list of records", () => {
  const list = read("docs/decisions/README.md");
  for (const path of decisions) {
    const [, number, title] = /^# (\d+)\. (.+)\n/.exec(read(path)) ?? [];
    const [, successor] = /^Status: superseded by \[0*(\d+)\]/m.exec(read(path)) ?? [];
    expect(read(path)).toMatch(/\nDate: 2\d{3}-\d\d-\d\d.*\nStatus: (accepted|superseded by )/);
    expect(basename(path)).toMatch(new RegExp(`^0*${number}-`));
    expect(list).toContain(`- [${number}](${basename(path)}) ${title}${successor === undefined ? "" : ` (superseded by ${successor})`}\n`);
  }
});
