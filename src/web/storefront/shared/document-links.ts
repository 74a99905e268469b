/** Documents that forms link to beside their consents. */
export const privacyHref = "/privacy-policy.pdf";
export const saleTermsHref = "/return";
export const documentsHref = "/documents";
