import { data } from "react-router";
import { pagePdf } from "#shop/content/pdf.service.ts";
import { pageContext } from "#web/context.server.ts";
import type { Route } from "./+types/privacy-policy-resource.ts";
import type { PageHandle } from "../page/page-handle.ts";

export const handle: PageHandle = { isPublic: true };

/** The privacy policy as a PDF, made from the text of its page. */
export async function loader({ context }: Route.LoaderArgs) {
  const bytes = await pagePdf(context.get(pageContext).ctx, "/privacy-policy");
  if (!bytes) throw data(null, { status: 404 });
  return new Response(new Uint8Array(bytes), {
    headers: { "content-type": "application/pdf", "content-disposition": 'inline; filename="privacy-policy.pdf"' },
  });
}
