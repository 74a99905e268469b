import { data } from "react-router";
import type { PageHandle } from "../page/page-handle.ts";

export const handle: PageHandle = { isPublic: true };

/** An address of five or more segments does not exist. */
export function loader(): never {
  throw data("Page not found", { status: 404, statusText: "Page not found" });
}

/** Never rendered: the loader always throws. Without a component the route would be a resource and the 404 would have no frame. */
export default function UnknownPage() {
  return null;
}
