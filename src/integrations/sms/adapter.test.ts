import { afterEach, beforeEach, expect, test } from "vitest";
import { AccountRefused, MessageOutcomeUnknown, MessageRefused } from "#shop/notifications/gateway.ts";
import { createSmsRuGateway } from "./adapter.ts";
import { startSmsSimulator, type SmsSimulator } from "./simulator.ts";

const now = (): Date => new Date("2026-11-20T09:00:00Z");
let simulator: SmsSimulator;
let gateway: ReturnType<typeof createSmsRuGateway>;

beforeEach(async () => {
  simulator = await startSmsSimulator({ now, apiId: "key-1" });
  gateway = createSmsRuGateway({ baseUrl: simulator.url, apiId: "key-1", from: "Chekan", now });
});
afterEach(async () => {
  await simulator.close();
  await gateway.close();
});

const message = { to: "+79161234567", text: "Чекан: код для входа 1234", address: "203.0.113.7" };

test("a message reaches the phone, with the buyer's address for the gateway's own flood limiter", async () => {
  await expect(gateway.send(message)).resolves.toMatchObject({ providerId: "000000-10000001" });
  expect(simulator.messages("+79161234567")).toEqual([{ at: now(), to: "+79161234567", text: message.text }]);
  expect(simulator.requests()).toEqual([
    { path: "/sms/send", form: { api_id: "key-1", to: "79161234567", msg: message.text, json: "1", from: "Chekan", ip: "203.0.113.7" } },
  ]);
});

test("the newest message is first, and other people's phones stay hidden", async () => {
  await gateway.send({ to: "+79161234567", text: "one" });
  await gateway.send({ to: "+79160000000", text: "two" });
  await gateway.send({ to: "+79161234567", text: "three" });
  expect(simulator.messages("+79161234567").map((each) => each.text)).toEqual(["three", "one"]);
  expect(simulator.messages()).toHaveLength(3);
});

test("a good call with a bad number is a refusal for good", async () => {
  await expect(gateway.send({ ...message, to: "+1555" })).rejects.toThrow(MessageRefused);
});

test("the same text four times in a minute is refused for good, without money in the account only for now", async () => {
  for (let round = 0; round < 3; round += 1) await gateway.send(message);
  await expect(gateway.send(message)).rejects.toThrow("refused with 231");
  simulator.setBalance(1);
  const broke = await gateway.send({ ...message, text: "another" }).catch((error: unknown) => error);
  expect(broke).toMatchObject({ message: "sms: refused with 201" });
  expect(broke).toBeInstanceOf(AccountRefused);
});

test("wrong credentials are refused in the body of a 200", async () => {
  const stranger = createSmsRuGateway({ baseUrl: simulator.url, apiId: "key-2", now });
  await expect(stranger.send(message)).rejects.toThrow(new AccountRefused("sms: refused with 200"));
  expect(simulator.messages()).toEqual([]);
  await stranger.close();
});

test.each(["error", "garbage", "html", "empty", "shape", "reset"] as const)(
  "after the answer %s of the gateway it is unknown whether the message was sent",
  async (mode) => {
    simulator.setFault(mode);
    await expect(gateway.send(message)).rejects.toThrow(MessageOutcomeUnknown);
    simulator.setFault("ok");
    await expect(gateway.send(message)).resolves.toMatchObject({ providerId: expect.any(String) });
  },
);

test("an accepted message counts as sent although the gateway gave it no id, so that it is not sent twice", async () => {
  simulator.omitIds(true);
  await expect(gateway.send(message)).resolves.toMatchObject({ providerId: null });
  expect(simulator.messages()).toHaveLength(1);
});

test("each answer says what is left on the account", async () => {
  simulator.setBalance(300);
  const { balance } = await gateway.send(message);
  expect(balance).toBe(Math.round(simulator.balance() * 100));
  expect(balance).toBeLessThan(30_000);
});

test("a silent gateway is given up after five seconds, a slow one is waited for", async () => {
  simulator.setFault("timeout");
  const started = performance.now();
  await expect(gateway.send(message)).rejects.toThrow(MessageOutcomeUnknown);
  expect(performance.now() - started).toBeLessThan(5_600);
  simulator.setFault("slow");
  await expect(gateway.send(message)).resolves.toMatchObject({ providerId: expect.any(String) });
});

test("a gateway that is not there certainly sent nothing", async () => {
  const nowhere = createSmsRuGateway({ baseUrl: "http://127.0.0.1:9", apiId: "key-1", now });
  const failure = await nowhere.send(message).catch((error: unknown) => error);
  expect(failure).toMatchObject({ failure: "unreachable" });
  expect(failure).not.toBeInstanceOf(MessageOutcomeUnknown);
  await nowhere.close();
});
