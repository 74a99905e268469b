import { consentPages } from "#shop/customers/consent-pages.ts";
import { AlertBox } from "./alert-box.tsx";
import type { RefusedAlert } from "./alert-form.server.ts";

/** While the exchange is closed: one letter when it opens, so that the cart can be ordered then. */
export const OpeningAlert = ({ refused }: { refused?: RefusedAlert }) => (
  <AlertBox
    summary="Написать, когда торги откроются"
    button="Написать мне"
    accepted="Подтвердите в письме, что просили вы. Когда торги откроются, пришлём ссылку на корзину."
    refused={refused}
    note={
      <>
        Пришлём письмо для подтверждения и одно письмо при открытии, корзина останется. Нажимая кнопку, вы даёте{" "}
        <a href={consentPages.newsletter}>согласие на эти письма</a>.
      </>
    }
  >
    {() => (
      <>
        <input type="hidden" name="course" value="XAU_RUB" />
        <input type="hidden" name="condition" value="marketOpen" />
      </>
    )}
  </AlertBox>
);
