import { afterEach, beforeEach, expect, test } from "vitest";
import { createS3Storage } from "./adapter.ts";
import { startS3Simulator } from "./simulator.ts";

const access = { keyId: "KEYOFTHESHOP", secretKey: "secret+of/the=shop" };
const now = (): Date => new Date("2026-11-20T09:00:00Z");
let simulator: Awaited<ReturnType<typeof startS3Simulator>>;
const open = (given: Partial<Parameters<typeof createS3Storage>[0]> = {}) =>
  createS3Storage({ url: simulator.url, region: "ru-central1", ...access, ...given }, { now, timeoutMs: 300 });
let storage: ReturnType<typeof open>;

beforeEach(async () => {
  simulator = await startS3Simulator({ bucket: "pictures", ...access });
  storage = open();
});
afterEach(async () => {
  await storage.close();
  await simulator.close();
});

const bytes = Buffer.from([1, 0, 255, 13, 10]);

test("what one machine stored another one reads, byte for byte and with its type", async () => {
  await storage.put("0a1b", bytes, "image/webp");
  expect([...simulator.objects]).toEqual([["/pictures/0a1b", { bytes, type: "image/webp" }]]);
  const other = open();
  expect(await other.get("0a1b")).toEqual(bytes);
  await other.close();
});

test("a name that was never stored is not a fault", async () => {
  expect(await storage.get("unknown")).toBeNull();
});

test("a bucket may be shared: names are put into the folder of the address", async () => {
  const inFolder = open({ url: `${simulator.url}/shop/cache/` });
  await inFolder.put("0a1b", bytes, "image/webp");
  expect([...simulator.objects.keys()]).toEqual(["/pictures/shop/cache/0a1b"]);
  await inFolder.close();
});

test.each([
  { what: "secret", given: { secretKey: "another" } },
  { what: "key", given: { keyId: "ANOTHER" } },
])("a wrong $what is refused by the storage and thrown", async ({ given }) => {
  const stranger = open(given);
  await expect(stranger.put("0a1b", bytes, "image/webp")).rejects.toThrow("s3: status 403");
  await expect(stranger.get("0a1b")).rejects.toThrow("s3: status 403");
  expect(simulator.objects.size).toBe(0);
  await stranger.close();
});

test("a storage that is slow or out of order is given up, and after five failures left alone for a while", async () => {
  simulator.setFault("timeout");
  await expect(storage.get("0a1b")).rejects.toThrow("s3: timeout");
  simulator.setFault("error");
  for (let n = 0; n < 4; n += 1) await expect(storage.put("0a1b", bytes, "image/webp")).rejects.toThrow("s3: status 5");
  const before = simulator.requests.length;
  await expect(storage.get("0a1b")).rejects.toThrow("s3: breaker_open");
  expect(simulator.requests).toHaveLength(before);
});
