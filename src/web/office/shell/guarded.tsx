import { Outlet } from "react-router";
import type { Permission } from "#shop/staff/role.ts";
import { isAllowed } from "../area.ts";
import { useStaff } from "../session.ts";
import { NoRight } from "./no-right.tsx";

/** A screen for members of staff with this permission; the others see who has access. */
export function Guarded({ permission }: { permission: Permission | "signed_in" }) {
  const { grants } = useStaff();
  if (permission === "signed_in" || isAllowed(grants, [permission])) return <Outlet />;
  return <NoRight key={permission} permission={permission} />;
}
