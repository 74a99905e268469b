import { expect, test } from "vitest";
import { grantsOf, roles } from "#shop/staff/role.ts";
import { startPath, startSection } from "./sections.ts";

test("the sign-in page names the screen on which each role begins", () => {
  const begins = (role: (typeof roles)[number]) => [startSection([role], grantsOf([role]))?.label, startPath([role], grantsOf([role]))];
  for (const role of roles)
    expect([role, ...begins(role)]).toEqual(role === "packing" ? [role, "Упаковка", "/packing"] : [role, "Ждёт", "/waiting"]);
});
