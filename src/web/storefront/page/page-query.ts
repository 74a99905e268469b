/** The query that a page was asked with, for whoever is sent on: without the marks that the router and the cache of pages put there. */
export function pageQuery(request: Request): string {
  const { searchParams } = new URL(request.url);
  for (const mark of ["_routes", "other"]) searchParams.delete(mark);
  const query = searchParams.toString();
  return query === "" ? "" : `?${query}`;
}
