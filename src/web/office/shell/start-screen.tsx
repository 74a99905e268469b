import { Navigate } from "react-router";
import { useStaff } from "../session.ts";
import { startPath } from "./sections.ts";

/** The address without a path leads to the start screen of the role. */
export function StartScreen() {
  const { roles, grants } = useStaff();
  return <Navigate to={startPath(roles, grants)} replace />;
}
