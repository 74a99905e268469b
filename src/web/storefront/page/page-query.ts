/** The query of the page's URL, for redirects: without the parameters that the router and the page cache add. */
export function pageQuery(request: Request): string {
  const { searchParams } = new URL(request.url);
  for (const mark of ["_routes", "other"]) searchParams.delete(mark);
  const query = searchParams.toString();
  return query === "" ? "" : `?${query}`;
}
