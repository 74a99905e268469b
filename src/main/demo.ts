import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DemoControls, DemoMessage } from "#http/demo/controls.ts";
import { startCdekSimulator } from "#integrations/cdek/simulator.ts";
import { startSmtpSimulator } from "#integrations/email/simulator.ts";
import { startRateSourceSimulator } from "#integrations/rate-source/simulator.ts";
import { startSmsSimulator } from "#integrations/sms/simulator.ts";
import { startYookassaSimulator } from "#integrations/yookassa/simulator.ts";
import { fromRoubles } from "#kit/money.ts";
import type { Config } from "./config.ts";
import type { Providers } from "./gateways.ts";

export type Demo = {
  providers: Providers;
  controls: DemoControls;
  /** Where the payment simulator sends its notifications; known once the shop listens. */
  listenAt(shopUrl: string): void;
  stop(): Promise<void>;
};

/** Simulators of all providers on loopback. They speak the real protocols, so the shop reaches them through its production adapters. */
export async function startDemo(config: Config, now: () => Date): Promise<Demo> {
  const ports = rememberedPorts(join(config.dataDir, "simulators.json"));
  const shop = { shopId: "100500", secretKey: "test_demo" };
  const [payment, sms, delivery, rates, mail] = await Promise.all([
    onPort(ports.payment, (port) => startYookassaSimulator({ port, now, ...shop, statePath: join(config.dataDir, "payment-simulator.json") })),
    startSmsSimulator({ now }),
    startCdekSimulator({ now }),
    startRateSourceSimulator({ now }),
    startSmtpSimulator({ now }),
  ]);
  ports.remember({ payment: Number(new URL(payment.url).port) });
  const faults = { payment: payment.setFault, sms: sms.setFault, delivery: delivery.setFault, rates: rates.setFault };
  return {
    providers: {
      yookassa: { baseUrl: `${payment.url}/v3`, ...shop, confirmationOrigin: payment.url },
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
      setRates: (wanted) => void rates.setRates(wanted),
      setMarket: (isOpen) => rates.setMarket(isOpen),
      setFault: (provider, mode) => faults[provider](mode),
      payments: () => payment.payments().map((each) => ({ ...each, amount: fromRoubles(each.amount), refunded: fromRoubles(each.refunded) })),
    },
    listenAt: (shopUrl) => payment.setNotificationUrl(`${shopUrl}/api/payments/yookassa/webhook`),
    async stop() {
      await Promise.allSettled([payment, sms, delivery, rates, mail].map((simulator) => simulator.close()));
    },
  };
}

type Ports = { payment?: number };

/** A payment link stays good over a restart only when its port does. */
function rememberedPorts(path: string): Ports & { remember(ports: Ports): void } {
  const known: Ports = existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Ports) : {};
  return { ...known, remember: (ports) => writeFileSync(path, JSON.stringify(ports)) };
}

async function onPort<T>(port: number | undefined, start: (port: number) => Promise<T>): Promise<T> {
  try {
    return await start(port ?? 0);
  } catch {
    return start(0); // somebody else has taken it meanwhile
  }
}
