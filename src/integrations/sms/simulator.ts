import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { moscow } from "#kit/moscow-time.ts";
import { createFault } from "#integrations/faults.ts";
import { accepted, refusalTexts, type SendAnswer } from "./wire.ts";

export type SimulatedMessage = { at: Date; to: string; text: string };
/** `day` is stored with the message, because limits are counted by it on every send. */
type Sent = SimulatedMessage & { id: string; day: string };
export type SmsSimulatorLimits = { perNumberDay: number; samePerMinute: number; samePerDay: number; perDay: number };
export type SmsSimulator = Awaited<ReturnType<typeof startSmsSimulator>>;

/** Bounds the inbox of a demo that runs for weeks. */
const maxMessages = 5_000;
const pricePerPart = 4.5;

/**
 * SMS.ru on loopback: `/sms/send`, `/sms/cost`, `/sms/status`, `/my/balance`, `/my/limit`, `/auth/check`; forms or queries, HTTP 200 with
 * refusals in the body, a decreasing balance, limits 206 and 230–232, `test=1`, mixed answers for several numbers. `messages` is what all
 * phones received. Any `api_id` is accepted unless one is configured.
 */
export async function startSmsSimulator(options: {
  port?: number;
  now: () => Date;
  apiId?: string;
  limits?: Partial<SmsSimulatorLimits>;
  balance?: number;
}) {
  const limits: SmsSimulatorLimits = { perNumberDay: 1_000, samePerMinute: 3, samePerDay: 50, perDay: 100_000, ...options.limits };
  const inbox: Sent[] = [];
  const requests: { path: string; form: Record<string, string> }[] = [];
  let balance = options.balance ?? 1_000_000;
  const fault = createFault();
  let serial = 0;
  let omitsIds = false;

  const today = (): Sent[] => {
    const day = dayOf(options.now());
    return inbox.filter((message) => message.day === day);
  };

  function refusalFor(number: string, text: string): number | null {
    if (!/^7[0-9]{10}$/.test(number)) return 202;
    const toNumber = today().filter((message) => message.to === `+${number}`);
    const same = toNumber.filter((message) => message.text === text);
    if (toNumber.length >= limits.perNumberDay) return 230;
    if (same.length >= limits.samePerDay) return 232;
    if (same.filter((message) => options.now().getTime() - message.at.getTime() < 60_000).length >= limits.samePerMinute) return 231;
    if (today().length >= limits.perDay) return 206;
    if (balance < costOf(text)) return 201;
    return null;
  }

  function sendOne(number: string, text: string, isTest: boolean): NonNullable<SendAnswer["sms"]>[string] {
    const code = refusalFor(number, text);
    if (code !== null) return { status: "ERROR", status_code: code, status_text: refusalTexts[code] };
    serial += 1;
    const id = `000000-${10_000_000 + serial}`;
    if (!isTest) {
      balance = Math.round((balance - costOf(text)) * 100) / 100;
      inbox.push({ id, at: options.now(), day: dayOf(options.now()), to: `+${number}`, text });
      if (inbox.length > maxMessages) inbox.shift();
    }
    return { status: "OK", status_code: accepted, ...(omitsIds ? {} : { sms_id: id }) };
  }

  function send(form: URLSearchParams): object {
    const text = form.get("msg") ?? "";
    const numbers = (form.get("to") ?? "").split(",").filter(Boolean);
    if (numbers.length === 0) return whole(202);
    if (numbers.length > 100) return whole(213);
    if (text === "") return whole(203);
    if (partsOf(text) > 8) return whole(205);
    const sms = Object.fromEntries(numbers.map((number) => [number, sendOne(number, text, form.get("test") === "1")]));
    return { status: "OK", status_code: accepted, sms, balance };
  }

  /** Queued, handed to the operator, delivered: three and six seconds after it was sent. */
  function status(form: URLSearchParams): object {
    const ids = (form.get("sms_id") ?? "").split(",");
    const sms = Object.fromEntries(
      ids.map((id) => {
        const message = inbox.find((each) => each.id === id);
        if (!message) return [id, { status: "ERROR", status_code: -1, status_text: "Сообщение не найдено" }];
        const age = options.now().getTime() - message.at.getTime();
        return [id, { status: "OK", status_code: age < 3_000 ? 100 : age < 6_000 ? 102 : 103, cost: String(costOf(message.text)) }];
      }),
    );
    return { status: "OK", status_code: accepted, sms, balance };
  }

  function cost(form: URLSearchParams): object {
    const text = form.get("msg") ?? "";
    const numbers = (form.get("to") ?? "").split(",").filter(Boolean);
    const sms = Object.fromEntries(
      numbers.map((number) => [number, { status: "OK", status_code: accepted, cost: String(costOf(text)), sms: partsOf(text) }]),
    );
    return {
      status: "OK",
      status_code: accepted,
      sms,
      total_cost: numbers.length * costOf(text),
      total_sms: numbers.length * partsOf(text),
    };
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://loopback");
    const form = new URLSearchParams(await bodyOf(request));
    for (const [name, value] of url.searchParams) form.set(name, value);
    requests.push({ path: url.pathname, form: Object.fromEntries(form) });
    if (requests.length > maxMessages) requests.shift();
    if (await fault.apply(response)) return;
    const reply = (body: object): void =>
      void response.writeHead(200, { "content-type": "application/json; charset=utf-8" }).end(JSON.stringify(body));
    const apiId = form.get("api_id");
    if (!apiId || (options.apiId !== undefined && apiId !== options.apiId)) return reply(whole(200));
    switch (url.pathname) {
      case "/sms/send":
        return reply(send(form));
      case "/sms/cost":
        return reply(cost(form));
      case "/sms/status":
        return reply(status(form));
      case "/my/balance":
        return reply({ status: "OK", status_code: accepted, balance });
      case "/my/limit":
        return reply({ status: "OK", status_code: accepted, total_limit: limits.perDay, used_today: today().length });
      case "/auth/check":
        return reply({ status: "OK", status_code: accepted });
      default:
        response.writeHead(404).end();
    }
  }

  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    setFault: fault.set,
    setBalance(roubles: number): void {
      balance = roubles;
    },
    balance: (): number => balance,
    /** Whether accepted messages are answered without their id. */
    omitIds(isOn: boolean): void {
      omitsIds = isOn;
    },
    /** What arrived on phones, newest first; `to` is `+7` and ten digits. */
    messages: (to?: string): SimulatedMessage[] =>
      inbox
        .filter((message) => to === undefined || message.to === to)
        .map(({ at, to: phone, text }) => ({ at, to: phone, text }))
        .reverse(),
    /** The shop's requests, oldest first, for tests that check fields. */
    requests: (): { path: string; form: Record<string, string> }[] => [...requests],
  };
}

const whole = (code: number): object => ({ status: "ERROR", status_code: code, status_text: refusalTexts[code] });

/** Cyrillic: 70 characters in one message, 67 in each part of a longer one; Latin alone: 160 and 153. */
function partsOf(text: string): number {
  const [one, each] = /^\p{ASCII}*$/u.test(text) ? [160, 153] : [70, 67];
  return text.length <= one ? 1 : Math.ceil(text.length / each);
}
const dayOf = (at: Date): string => moscow(at).date;
const costOf = (text: string): number => partsOf(text) * pricePerPart;

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) {
    body += chunk as string;
    if (body.length > 1_000_000) throw new Error("too large");
  }
  return body;
}
