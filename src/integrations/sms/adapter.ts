import { createOutbound, OutboundError, type Connection, type OutboundAnswer, type OutboundOptions } from "#kit/network/outbound.ts";
import { kopecks } from "#kit/money.ts";
import { AccountRefused, MessageOutcomeUnknown, MessageRefused, type SmsAccepted, type SmsGateway } from "#shop/notifications/gateway.ts";
import { accepted, accountRefusals, finalRefusals, sendAnswer } from "./wire.ts";

/** SMS.ru treats the same text to the same number within a minute as spam and has no idempotency key, so no call is repeated here. */
const timeoutMs = 5_000;

/**
 * SMS.ru: one form POST per message, credentials in the body, never in the URL. `from` is a sender name that SMS.ru has approved.
 * Throws `MessageRefused` when this number or text will never be accepted, `MessageOutcomeUnknown` when the message may have been sent,
 * and other errors when it certainly was not, `AccountRefused` among them.
 */
export function createSmsRuGateway(options: {
  baseUrl: string;
  apiId: string;
  from?: string;
  now: () => Date;
  onCall?: OutboundOptions["onCall"];
}): SmsGateway & Connection {
  const outbound = createOutbound({
    provider: "sms",
    baseUrl: options.baseUrl,
    timeoutMs,
    maxBytes: 256 * 1024,
    now: options.now,
    onCall: options.onCall,
  });
  return {
    close: outbound.close,
    resetBreaker: outbound.resetBreaker,
    async send({ to, text, address }) {
      const number = to.replace(/^\+/, "");
      const form = new URLSearchParams({ api_id: options.apiId, to: number, msg: text, json: "1" });
      if (options.from !== undefined) form.set("from", options.from);
      if (address !== undefined) form.set("ip", address);
      const answer = await request(() =>
        outbound.call({
          op: "send",
          method: "POST",
          path: "/sms/send",
          headers: { "content-type": "application/x-www-form-urlencoded; charset=utf-8" },
          body: form.toString(),
        }),
      );
      return readAnswer(answer, number);
    },
  };
}

async function request(call: () => Promise<OutboundAnswer>): Promise<OutboundAnswer> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof OutboundError && error.isOutcomeUnknown) throw new MessageOutcomeUnknown(error.message, { cause: error });
    throw error;
  }
}

/** Error messages contain codes only: the vendor's text may contain the number. */
function readAnswer(answer: OutboundAnswer, number: string): SmsAccepted {
  if (answer.status === 429) throw new Error("sms: status 429");
  // Behind a proxy's 502 the message may have been sent.
  if (answer.status !== 200) throw new MessageOutcomeUnknown(`sms: status ${answer.status}`);
  const parsed = sendAnswer.safeParse(parseJson(answer));
  if (!parsed.success) throw new MessageOutcomeUnknown("sms: the answer makes no sense");
  const { status_code: whole, sms, balance } = parsed.data;
  if (whole !== accepted) throw refusal(whole);
  const one = sms?.[number];
  if (!one) throw new MessageOutcomeUnknown("sms: the answer leaves the number out");
  if (one.status_code !== accepted) throw refusal(one.status_code);
  return { providerId: one.sms_id ?? null, ...(balance === undefined ? {} : { balance: kopecks(Math.round(balance * 100)) }) };
}

function parseJson(answer: OutboundAnswer): unknown {
  try {
    return answer.json();
  } catch {
    return null;
  }
}

function refusal(code: number): Error {
  const words = `sms: refused with ${code}`;
  if (accountRefusals.has(code)) return new AccountRefused(words);
  return finalRefusals.has(code) ? new MessageRefused(words) : new Error(words);
}
