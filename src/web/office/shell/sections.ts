import type { Role } from "#shop/staff/role.ts";
import { isAllowed, type Command, type AreaSection } from "../area.ts";
import { areas } from "../areas.ts";
import type { Me } from "../session.ts";

/** The sections of the rail that the grants open, block by block. */
export function sectionBlocks(grants: Me["grants"]): AreaSection[][] {
  const open = areas.flatMap(({ sections }) => sections).filter(({ permission }) => isAllowed(grants, permission));
  return [1, 2, 3, 4, 5]
    .map((block) => open.filter((section) => section.block === block).toSorted((a, b) => a.order - b.order))
    .filter((block) => block.length > 0);
}

/** The commands of the palette that the grants open. */
export const openCommands = (grants: Me["grants"]): Command[] =>
  areas.flatMap(({ commands = [] }) => commands).filter(({ permission }) => isAllowed(grants, permission));

/** The section where work begins: the one that names one of the roles, else the first of the rail. */
export function startSection(roles: readonly Role[], grants: Me["grants"]): AreaSection | undefined {
  const open = sectionBlocks(grants).flat();
  return open.find(({ startOf = [] }) => startOf.some((role) => roles.includes(role))) ?? open[0];
}

/** The address of that section; the member's own devices when the grants open none. */
export const startPath = (roles: readonly Role[], grants: Me["grants"]): string => startSection(roles, grants)?.path ?? "/devices";
