/** Documents that forms link to beside their consents. */
export const privacyHref = "/privacy-policy.pdf";
export const saleTermsHref = "/return";
export const documentsHref = "/documents";
/** The text of each consent: one per purpose. */
export const consentHrefs = {
  order: "/consent/order",
  account: "/consent/account",
  request: "/consent/request",
  review: "/consent/review",
  newsletter: "/consent/newsletter",
  cookies: "/consent/cookies",
} as const;
