import { data } from "react-router";

/** Every address that is none of ours ends here. */
export function loader(): never {
  throw data(null, { status: 404, statusText: "Page not found" });
}

/** Never drawn: the loader always refuses. A route without a component would be taken for a resource and answered without the frame. */
export default function UnknownPage() {
  return null;
}
