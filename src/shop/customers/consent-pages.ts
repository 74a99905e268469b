import type { ConsentPurpose } from "./customer.ts";

/** The pages of the shop with the texts of consents. */
export const consentPages = {
  order: "/consent/order",
  account: "/consent/account",
  request: "/consent/request",
  review: "/consent/review",
  newsletter: "/consent/newsletter",
  cookies: "/consent/cookies",
} as const;

/** The page with the text that a consent of this purpose was given to. */
export const pageOfPurpose: Readonly<Record<ConsentPurpose, string>> = {
  registration: consentPages.account,
  order: consentPages.order,
  inquiry: consentPages.request,
  review: consentPages.review,
  newsletter: consentPages.newsletter,
};
