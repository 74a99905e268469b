import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { RouteConfigEntry } from "@react-router/dev/routes";
import { parseSync, type Plugin } from "vite";
import routeConfig from "./routes.ts";
import type { PageHandle } from "./storefront/page/page-handle.ts";

/** Rules that are needed before the code of a page has loaded. A route writes them as `true` or `false` in its `handle`. */
const flags = ["isPublic", "showsLists", "hasSecretAddress"] as const satisfies readonly (keyof PageHandle)[];
type Flags = Partial<Record<(typeof flags)[number], boolean>>;

type DeclaredPage = { path: string; isPublic: boolean; showsLists: boolean; hasSecretAddress: boolean };

/** Reads the flags from the source of a route, because the build cannot run a page. Throws if a flag is not a literal. */
function flagsIn(file: string): Flags {
  const { program } = parseSync(file, readFileSync(file, "utf8"));
  const declarations = program.body.flatMap((node) =>
    node.type === "ExportNamedDeclaration" && node.declaration?.type === "VariableDeclaration" ? node.declaration.declarations : [],
  );
  const handle = declarations.find(({ id }) => id.type === "Identifier" && id.name === "handle")?.init;
  if (!handle) return {};
  if (handle.type !== "ObjectExpression") throw new Error(`${file}: write the handle as an object`);
  const found: Flags = {};
  for (const property of handle.properties) {
    if (property.type !== "Property" || property.key.type !== "Identifier") throw new Error(`${file}: name every rule of the handle`);
    const flag = flags.find((each) => property.key.type === "Identifier" && each === property.key.name);
    if (!flag) continue;
    if (property.value.type !== "Literal" || typeof property.value.value !== "boolean")
      throw new Error(`${file}: write ${flag} as true or false`);
    found[flag] = property.value.value;
  }
  return found;
}

/** All pages of the site with their flags; a page inherits those of the routes around it, as `rulesOf` does. */
export function declaredPages(
  routes: readonly RouteConfigEntry[] = routeConfig,
  parent: { path: string; chain: readonly Flags[] } = { path: "", chain: [] },
): DeclaredPage[] {
  return routes.flatMap(({ file, path, children = [] }) => {
    const here = {
      path: path ? `${parent.path}/${path}` : parent.path,
      chain: [...parent.chain, flagsIn(join(import.meta.dirname, file))],
    };
    if (children.length > 0) return declaredPages(children, here);
    const { isPublic = false, showsLists = false, hasSecretAddress = false } = Object.assign({}, ...here.chain) as Flags;
    const isPersonal = !isPublic || here.chain.some((each) => each.isPublic === false);
    return { path: here.path || "/", isPublic: !isPersonal, showsLists, hasSecretAddress };
  });
}

/** Matches the paths of these pages, with or without a slash at the end, and the paths of their data (`.data`). */
export function pathPattern(pages: readonly DeclaredPage[]): RegExp {
  const paths = [...new Set(pages.map(({ path }) => path.replace(/\./g, "\\.").replace(/:\w+/g, "[^/]+").replace("*", ".*")))];
  return new RegExp(`^(?:${paths.join("|")})(?:/|(?:/_)?\\.data)?$`);
}

/** The parts of the site without a public page, for robots.txt: `/my`, and `/order/` where only pages below it exist. */
export function personalSections(pages: readonly DeclaredPage[]): string[] {
  const sections = pages.filter(({ isPublic }) => !isPublic).map(({ path }) => path.split("/")[1] ?? "");
  const all = new Set(pages.map(({ path }) => path));
  return [...new Set(sections)].map((name) => (all.has(`/${name}`) ? `/${name}` : `/${name}/`));
}

const prefix = "virtual:page-paths/";

/**
 * Serves paths by the rules that the routes declare in their handles (typed in `assets.d.ts`). One module for each rule, so that the first
 * view loads only what it needs.
 */
export function pagePaths(): Plugin {
  return {
    name: "page-paths",
    resolveId: (id) => (id.startsWith(prefix) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${prefix}`)) return null;
      const pages = declaredPages();
      switch (id.slice(prefix.length + 1)) {
        case "personal":
          return `export const personalPaths = ${pathPattern(pages.filter(({ isPublic }) => !isPublic))};`;
        case "lists":
          return `export const listPaths = ${pathPattern(pages.filter(({ showsLists }) => showsLists))};`;
        case "secret":
          return `export const secretPaths = ${pathPattern(pages.filter(({ hasSecretAddress }) => hasSecretAddress))};`;
        case "sections":
          return `export const personalSections = ${JSON.stringify(personalSections(pages))};`;
        default:
          return null;
      }
    },
  };
}
