import { createUploadReader } from "#http/images/encoding/upload-reader.ts";
import { readStatement } from "#integrations/bank-statement/client-bank-exchange.ts";
import { createCdekGateway } from "#integrations/cdek/adapter.ts";
import { commerceMl } from "#integrations/commerceml/adapter.ts";
import { createSmtpGateway } from "#integrations/email/adapter.ts";
import { createRateSourceGateway } from "#integrations/rate-source/adapter.ts";
import { createSmsRuGateway } from "#integrations/sms/adapter.ts";
import { createYookassaGateway } from "#integrations/yookassa/adapter.ts";
import { pauseDeadline } from "#kit/concurrency/deadline.ts";
import type { OutboundOptions } from "#kit/network/outbound.ts";
import type { Ctx } from "#shop/context.ts";
import { taxSystemCodeOf } from "#shop/tax.ts";
import type { Config } from "./config.ts";

/** Addresses and credentials of the providers: all that differs between real providers and simulators. */
export type Providers = {
  yookassa: {
    baseUrl: string;
    shopId: string;
    secretKey: string;
    confirmationOrigin: string;
    taxSystemCode?: number;
    acceptsTestPayments?: boolean;
  };
  smsRu: { baseUrl: string; apiId: string; from?: string };
  /** Parcels leave from a city (the carrier's code), or are handed over at a point. */
  cdek: { baseUrl: string; clientId: string; clientSecret: string; fromCity?: number; shipmentPoint?: string };
  rates: { moexBaseUrl: string; cbrBaseUrl: string };
  smtp: { url: string; from: string };
};

/** The real providers, from the environment. `readConfig` has already refused missing credentials. */
export function realProviders(config: Config): Providers {
  return {
    yookassa: {
      baseUrl: config.YOOKASSA_BASE_URL,
      shopId: config.YOOKASSA_SHOP_ID ?? "",
      secretKey: config.YOOKASSA_SECRET_KEY ?? "",
      confirmationOrigin: config.YOOKASSA_PAYMENT_PAGE_ORIGIN,
      taxSystemCode: taxSystemCodeOf(config.seller.tax),
      acceptsTestPayments: config.YOOKASSA_TEST_SHOP,
    },
    smsRu: { baseUrl: config.SMSRU_BASE_URL, apiId: config.SMSRU_API_ID ?? "", from: config.SMSRU_FROM },
    cdek: {
      baseUrl: config.CDEK_BASE_URL,
      clientId: config.CDEK_CLIENT_ID ?? "",
      clientSecret: config.CDEK_CLIENT_SECRET ?? "",
      fromCity: config.CDEK_FROM_CITY,
      shipmentPoint: config.CDEK_SHIPMENT_POINT,
    },
    rates: { moexBaseUrl: config.MOEX_ISS_BASE_URL, cbrBaseUrl: config.CBR_BASE_URL },
    smtp: { url: config.SMTP_URL ?? "", from: config.MAIL_FROM },
  };
}

/** The gateway with calls whose time is not counted as time of the request: each provider has time limits of its own. */
const outsideDeadline = <G extends object>(gateway: G): G =>
  new Proxy(gateway, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? (...args: unknown[]) => pauseDeadline((): unknown => value.apply(target, args)) : value;
    },
  });

/** The same adapters in demo and in production; only addresses and credentials differ. */
export function connectGateways(providers: Providers, shared: { now: () => Date; onCall: NonNullable<OutboundOptions["onCall"]> }) {
  const payment = createYookassaGateway({ ...providers.yookassa, ...shared });
  const sms = createSmsRuGateway({ ...providers.smsRu, ...shared });
  const delivery = createCdekGateway({ ...providers.cdek, ...shared });
  const rates = createRateSourceGateway({ ...providers.rates, ...shared });
  const pictures = createUploadReader();
  const email = createSmtpGateway({ ...providers.smtp, ...shared });
  const gateways: Ctx["gateways"] = {
    payment: outsideDeadline(payment),
    sms: outsideDeadline(sms),
    delivery: outsideDeadline(delivery),
    rates: outsideDeadline(rates),
    email: outsideDeadline(email),
    bankStatements: { read: readStatement },
    pictures: outsideDeadline(pictures),
    accounting: commerceMl,
  };
  return {
    gateways,
    /** Closes the circuit breakers of a provider, so that its next call is sent whatever failed before. */
    resetBreaker: (provider: "payment" | "sms" | "delivery" | "rates"): void =>
      ({ payment, sms, delivery, rates })[provider].resetBreaker(),
    async close(): Promise<void> {
      pictures.close();
      await Promise.allSettled([payment.close(), sms.close(), delivery.close(), rates.close(), email.close()]);
    },
  };
}
