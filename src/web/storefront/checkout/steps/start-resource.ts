import { redirect, type LoaderFunctionArgs } from "react-router";
import { pageContext } from "#web/context.server.ts";
import { stepPath } from "./step-names.ts";
import { firstOpenStep } from "./step-rules.server.ts";
import { openAny } from "./steps.server.ts";
import type { PageHandle } from "../../page/page-handle.ts";

export const handle: PageHandle = { isPublic: false };

/** Redirects to the first unfinished step of the checkout without scripts. */
export async function loader({ context }: LoaderFunctionArgs) {
  const { entries } = await openAny(context.get(pageContext));
  return redirect(stepPath(firstOpenStep(entries)), 303);
}
