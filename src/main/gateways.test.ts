import { mkdtempSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { kopecks } from "#kit/money.ts";
import { realEnvironment } from "#tests/real-settings.ts";
import { readConfig } from "./config.ts";
import { connectGateways, realProviders, type Providers } from "./gateways.ts";

const folder = mkdtempSync(join(tmpdir(), "chekan-gateways-"));
const config = readConfig(realEnvironment(folder));

// Simulators take any base address, so only here base addresses and paths are joined as in production.
test("without addresses in the environment, calls go to the addresses that the providers publish", async () => {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push((request.url ?? "").split("?", 1)[0] ?? "");
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const here = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const moved = (address: string): string => address.replace(new URL(address).origin, here);
  const real = realProviders(config);
  const providers: Providers = {
    ...real,
    yookassa: { ...real.yookassa, baseUrl: moved(real.yookassa.baseUrl) },
    smsRu: { ...real.smsRu, baseUrl: moved(real.smsRu.baseUrl) },
    cdek: { ...real.cdek, baseUrl: moved(real.cdek.baseUrl) },
    rates: { moexBaseUrl: moved(real.rates.moexBaseUrl), cbrBaseUrl: moved(real.rates.cbrBaseUrl) },
  };
  const { gateways, close } = connectGateways(providers, { now: () => new Date("2026-11-20T09:00:00Z"), onCall: () => {} });
  const calledBy = async (base: string, call: () => Promise<unknown>): Promise<string> => {
    paths.length = 0;
    await call().catch(() => {});
    return `${new URL(base).origin}${paths.join(" ")}`;
  };
  expect([
    await calledBy(real.yookassa.baseUrl, () => gateways.payment.find("1")),
    await calledBy(real.smsRu.baseUrl, () => gateways.sms.send({ to: "+79161234567", text: "1234" })),
    await calledBy(real.cdek.baseUrl, () => gateways.delivery.courierPrice(137, { weightGrams: 300, declaredValue: kopecks(100_00) })),
    await calledBy(real.rates.moexBaseUrl, () => gateways.rates.readMarket()),
    await calledBy(real.rates.cbrBaseUrl, () => gateways.rates.readDollar("2026-11-20")),
    await calledBy(real.rates.cbrBaseUrl, () => gateways.rates.readOfficialMetals("2026-11-19", "2026-11-20")),
  ]).toEqual([
    "https://api.yookassa.ru/v3/payments/1",
    "https://sms.ru/sms/send",
    "https://api.cdek.ru/v2/oauth/token",
    "https://iss.moex.com/iss/engines/currency/markets/selt/boards/CETS/securities.json",
    "https://www.cbr.ru/scripts/XML_daily.asp",
    "https://www.cbr.ru/scripts/xml_metall.asp",
  ]);
  await close();
  server.close();
});
