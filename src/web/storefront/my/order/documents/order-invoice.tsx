import { useState } from "react";
import { Icon } from "../../../../ui/icon.tsx";
import { Price } from "../../../../ui/price.tsx";
import { QrCode } from "../../../../ui/qr-code.tsx";
import { showToast } from "../../../../ui/toasts.tsx";
import type { OrderPageView } from "../order-view.ts";

/** How to pay an invoice: a code for the bank's app, the bank details to copy, the PDF to print. */
export function OrderInvoice({
  href,
  toPay: { missing, received, qr, requisites },
}: {
  href: string;
  toPay: NonNullable<NonNullable<OrderPageView["invoice"]>["toPay"]>;
}) {
  const [isCopied, setCopied] = useState(false);

  async function copy() {
    try {
      await navigator.clipboard.writeText(requisites.map(({ name, value }) => `${name}: ${value}`).join("\n"));
      setCopied(true);
    } catch {
      showToast("Браузер не дал скопировать: выделите реквизиты и скопируйте их сами", "refusal");
    }
  }

  return (
    <section className="invoice" aria-labelledby="invoice-h">
      <h2 id="invoice-h">Счёт на оплату</h2>
      {received > 0 ? (
        <p className="invoice__came" role="status">
          Поступило <Price amount={received} />, осталось{" "}
          <b>
            <Price amount={missing} />
          </b>
          . Код и реквизиты ниже уже на остаток.
        </p>
      ) : null}
      <div className="invoice__body">
        <div className="invoice__code">
          <QrCode qr={qr} label="Код для приложения банка с реквизитами и суммой" />
          <small>Наведите камеру приложения банка: реквизиты, сумма и назначение заполнятся сами</small>
        </div>
        <dl className="invoice__requisites">
          {requisites.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      <p className="invoice__actions">
        <a className="button button--line button--small" href={href} target="_blank" rel="noopener">
          Счёт на оплату (PDF)
        </a>
        <button className="text-button script-only" type="button" onClick={() => void copy()}>
          {isCopied ? (
            <>
              Скопировано <Icon name="check" />
            </>
          ) : (
            "Скопировать реквизиты"
          )}
        </button>
      </p>
    </section>
  );
}
