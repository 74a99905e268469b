import { consentHrefs } from "../../shared/document-links.ts";

/** What stands beside the consent of every request. */
export const requestConsent = (
  <>
    Разрешаю{" "}
    <a href={consentHrefs.request} target="_blank" rel="noopener">
      обработку персональных данных
    </a>{" "}
    для ответа на заявку
  </>
);
