import type { Connection, Outbound, OutboundOptions } from "#kit/network/outbound.ts";
import { createOutbound } from "#kit/network/outbound.ts";
import type { RatesGateway } from "#shop/rates/gateway.ts";
import { InvalidRatesError } from "#shop/rates/gateway.ts";
import { dailyPath, metalsPath, readDaily, readMetals } from "./wire-cbr.ts";
import { readSecurities, securitiesPath } from "./wire-moex.ts";

/**
 * Metals from the Moscow Exchange, the dollar and the official metal prices from the Bank of Russia.
 * `moexBaseUrl` ends in `/iss`, `cbrBaseUrl` in `/scripts`. Each call has 3 s. An answer that cannot be right is `InvalidRatesError`.
 */
export function createRateSourceGateway(options: {
  moexBaseUrl: string;
  cbrBaseUrl: string;
  now: () => Date;
  onCall?: OutboundOptions["onCall"];
}): RatesGateway & Connection {
  const shared = { timeoutMs: 3000, now: options.now, onCall: options.onCall };
  const moex = createOutbound({ ...shared, provider: "moex", baseUrl: options.moexBaseUrl });
  const cbr = createOutbound({ ...shared, provider: "cbr", baseUrl: options.cbrBaseUrl });
  // The value before a rate never changes, so it is requested once per effective date.
  const before = new Map<string, number>();

  async function dollarBefore(effectiveOn: string): Promise<number> {
    const known = before.get(effectiveOn);
    if (known !== undefined) return known;
    const { valueE4 } = readDaily(await bytes(cbr, "dollar_before", dailyPath(dayBefore(effectiveOn))));
    before.clear();
    before.set(effectiveOn, valueE4);
    return valueE4;
  }

  return {
    async readMarket() {
      const text = (await bytes(moex, "securities", securitiesPath)).toString("utf8");
      return readSecurities(json(text));
    },
    async readDollar(day) {
      const { valueE4, effectiveOn } = readDaily(await bytes(cbr, "dollar", dailyPath(day)));
      return { valueE4, effectiveOn, previousE4: await dollarBefore(effectiveOn) };
    },
    readOfficialMetals: async (from, to) => readMetals(await bytes(cbr, "metals", metalsPath(from, to))),
    async close() {
      await Promise.all([moex.close(), cbr.close()]);
    },
    resetBreaker() {
      moex.resetBreaker();
      cbr.resetBreaker();
    },
  };
}

// The bank's site refuses clients without a browser-like user agent.
const headers = { accept: "*/*", "user-agent": "Mozilla/5.0 (compatible; shop rates reader)" };

async function bytes(source: Outbound, op: string, path: string): Promise<Buffer> {
  const answer = await source.call({ op, path, headers });
  if (answer.status !== 200) throw new Error(`rate source, ${op}: status ${answer.status}`);
  return answer.bytes;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new InvalidRatesError("moex: not JSON");
  }
}

const dayBefore = (day: string): string => new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
