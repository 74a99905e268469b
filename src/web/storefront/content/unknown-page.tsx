import { data } from "react-router";
import type { PageHandle } from "../page/page-handle.ts";

export const handle: PageHandle = { isPublic: true };

/** An address of five segments and more is none of ours. */
export function loader(): never {
  throw data("Page not found", { status: 404, statusText: "Page not found" });
}

/** Never drawn: the loader always refuses. A route without a component would be taken for a resource and answered without the frame. */
export default function UnknownPage() {
  return null;
}
