import { data, type LoaderFunctionArgs } from "react-router";
import { invoiceFile } from "#shop/orders/invoices/invoice.service.ts";
import { pageContext } from "#web/context.server.ts";
import type { PageHandle } from "../../../page/page-handle.ts";

export const handle: PageHandle = { isPublic: false, hasSecretAddress: true };

/** The invoice of an order as a PDF, for its customer or by the key of its link; 404 for all others. */
export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const { ctx, visitor } = context.get(pageContext);
  const key = new URL(request.url).searchParams.get("key");
  const id = params.id ?? "";
  const own = visitor.customerId ? await invoiceFile(ctx, id, { customerId: visitor.customerId }) : null;
  const file = own ?? (key === null ? null : await invoiceFile(ctx, id, { guestKey: key }));
  if (!file) throw data(null, { status: 404 });
  return new Response(new Uint8Array(file.bytes), {
    headers: {
      "content-type": "application/pdf",
      "content-disposition": `inline; filename="${file.name}"`,
      "cache-control": "private, no-store",
      "referrer-policy": "no-referrer",
    },
  });
}
