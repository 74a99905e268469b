/**
 * Paths of personal pages, by which the browser knows them before their code has come: they are not fetched ahead, because the browser does
 * not store them. The rules themselves stand in the handles of the routes; `main/pages/page-rules.test.ts` compares both.
 */
export const personalPaths =
  /^\/(cart|checkout|thanks|payment-error|wishlist|product-comparison|my|alerts|newsletter|order|cabinet|api|_demo)(\/|$)/;
