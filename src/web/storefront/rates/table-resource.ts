import { pageContext } from "#web/context.server.ts";
import { shownRateCodes } from "./rates-view.ts";
import { choiceOf, ratesCsv } from "./rates-view.server.ts";
import type { Route } from "./+types/table-resource.ts";
import type { PageHandle } from "../page/page-handle.ts";

export const handle: PageHandle = { isPublic: true, parameters: ["code"], values: { code: shownRateCodes } };

/** Five years of one rate by day, as a CSV file. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const { code } = choiceOf(new URL(request.url).searchParams);
  const text = await ratesCsv(context.get(pageContext).ctx, code);
  return new Response(text, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${code.toLowerCase().replace("_", "-")}-by-day.csv"`,
    },
  });
}
