/** Documents that forms refer to beside their consents. */
export const privacyHref = "/privacy-policy.pdf";
export const saleTermsHref = "/return";
