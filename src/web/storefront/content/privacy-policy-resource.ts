import { redirect } from "react-router";
import policy from "../../documents/privacy-policy.pdf";

/** One lasting address for a file whose own name changes with its content. */
export const loader = () => redirect(policy);
