import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DemoControls, DemoMessage, DemoProvider } from "#http/demo/controls.ts";
import { startCdekSimulator } from "#integrations/cdek/simulator.ts";
import { startSmtpSimulator } from "#integrations/email/simulator.ts";
import { startRateSourceSimulator } from "#integrations/rate-source/simulator.ts";
import { startSmsSimulator } from "#integrations/sms/simulator.ts";
import { startMapsSimulator } from "#integrations/yandex-maps/simulator.ts";
import { startYookassaSimulator } from "#integrations/yookassa/simulator.ts";
import { fromRoubles } from "#kit/money.ts";
import type { RateCode } from "#shop/rates/rate.ts";
import { taxSystemCodeOf } from "#shop/tax.ts";
import type { Config } from "./config.ts";
import type { Providers } from "./gateways.ts";

export type Demo = {
  providers: Providers;
  controls: DemoControls;
  mapScriptUrl: string;
  /** Called when `/_demo/faults` repairs a provider, so that the circuit breaker is reset at once and not after half a minute. */
  onRepaired(listener: (provider: DemoProvider) => void): void;
  /** Where the payment simulator sends its webhooks; known once the shop listens. */
  listenAt(shopUrl: string): void;
  stop(): Promise<void>;
};

/** Starts simulators of all providers on loopback. They speak the providers' protocols, so the production adapters are used unchanged. */
export async function startDemo(config: Config, now: () => Date): Promise<Demo> {
  const memory = stateFile(join(config.dataDir, "simulators.json"));
  const remembered = memory.read();
  const shop = { shopId: "100500", secretKey: "test_demo" };
  const [payment, sms, delivery, rates, mail, maps] = await Promise.all([
    startOnPort(remembered.paymentPort, (port) =>
      startYookassaSimulator({ port, now, ...shop, statePath: join(config.dataDir, "payment-simulator.json") }),
    ),
    startSmsSimulator({ now }),
    startCdekSimulator({ now, statePath: join(config.dataDir, "courier-simulator.json") }),
    startRateSourceSimulator({ now, opening: remembered.rates }),
    startSmtpSimulator({ now }),
    startMapsSimulator(),
  ]);
  memory.write({ paymentPort: Number(new URL(payment.url).port) });
  const rememberRates = () => memory.write({ rates: rates.rates() });
  const remembering = setInterval(rememberRates, 30_000);
  remembering.unref();
  let notifyRepaired: (provider: DemoProvider) => void = () => {};
  const faults = { payment: payment.setFault, sms: sms.setFault, delivery: delivery.setFault, rates: rates.setFault };
  return {
    providers: {
      yookassa: {
        baseUrl: `${payment.url}/v3`,
        ...shop,
        confirmationOrigin: payment.url,
        taxSystemCode: taxSystemCodeOf(config.seller.tax),
      },
      smsRu: { baseUrl: sms.url, apiId: "demo" },
      cdek: { baseUrl: delivery.url, clientId: "demo", clientSecret: "demo" },
      rates: { moexBaseUrl: rates.moexUrl, cbrBaseUrl: rates.cbrUrl },
      smtp: { url: mail.url, from: config.MAIL_FROM },
    },
    controls: {
      outbox(to) {
        const messages: DemoMessage[] = [
          ...sms.messages(to).map((each) => ({ ...each, channel: "sms" as const })),
          ...mail.messages(to).map((each) => ({ ...each, channel: "email" as const })),
        ];
        return messages.sort((a, b) => b.at.getTime() - a.at.getTime());
      },
      setRates(wanted) {
        if (rates.setRates(wanted) !== null) return false;
        rememberRates();
        return true;
      },
      setMarket: (isOpen) => rates.setMarket(isOpen),
      setFault(provider, mode) {
        if (provider === "rates") rates.setFrozen(mode === "frozen");
        faults[provider](mode === "frozen" ? "ok" : mode);
        if (mode === "ok") notifyRepaired(provider);
      },
      moveParcel: (orderNumber, code, city) => delivery.moveNewest(orderNumber, code, city),
      payments: () =>
        payment.payments().map((each) => ({ ...each, amount: fromRoubles(each.amount), refunded: fromRoubles(each.refunded) })),
    },
    mapScriptUrl: `${maps.url}/2.1/?apikey=demo&lang=ru_RU&coordorder=latlong&csp=true`,
    onRepaired: (listener) => {
      notifyRepaired = listener;
    },
    listenAt: (shopUrl) => payment.setNotificationUrl(`${shopUrl}/api/payments/yookassa/webhook`),
    async stop() {
      clearInterval(remembering);
      rememberRates();
      await Promise.allSettled([payment, sms, delivery, rates, mail, maps].map((simulator) => simulator.close()));
    },
  };
}

type DemoState = { paymentPort?: number; rates?: Partial<Record<RateCode, number>> };

/**
 * State that survives a restart of the demo. The ports, because payment links contain them; the market, because a fall back to its opening
 * values would be a jump that the sanity rules refuse.
 */
function stateFile(path: string): { read: () => DemoState; write: (part: DemoState) => void } {
  const read = (): DemoState => (existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as DemoState) : {});
  return { read, write: (part) => writeFileSync(path, JSON.stringify({ ...read(), ...part })) };
}

async function startOnPort<T>(port: number | undefined, start: (port: number) => Promise<T>): Promise<T> {
  try {
    return await start(port ?? 0);
  } catch {
    return start(0); // another process has taken the port meanwhile
  }
}
