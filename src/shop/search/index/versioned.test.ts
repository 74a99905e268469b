import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { createVersioned } from "./versioned.ts";

/** A making that ends when the test says so. */
function making() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let calls = 0;
  const make = (): Promise<string> => {
    calls += 1;
    return promise;
  };
  return { make, resolve, reject, calls: () => calls };
}
const never = (): Promise<string> => Promise.reject(new Error("made without need"));

test("the first value is awaited, and a value of the same version is not made again", async () => {
  const versioned = createVersioned<string>({ isAwaited: () => false });
  expect(await versioned.at("1", async () => "one")).toEqual({ version: "1", value: "one" });
  expect(await versioned.at("1", never)).toEqual({ version: "1", value: "one" });
});

test("what is awaited is never given in an earlier version", async () => {
  const versioned = createVersioned<string>({ isAwaited: () => true });
  await versioned.at("1", async () => "one");
  expect(await versioned.at("2", async () => "two")).toEqual({ version: "2", value: "two" });
});

test("what is not awaited is given in the earlier version until the new one is ready; one is made at a time", async () => {
  const versioned = createVersioned<string>({ isAwaited: () => false });
  await versioned.at("1", async () => "one");
  const second = making();
  expect(await versioned.at("2", second.make)).toEqual({ version: "1", value: "one" });
  expect(await versioned.at("3", never)).toEqual({ version: "1", value: "one" });
  second.resolve("two");
  await setImmediate();
  expect(await versioned.at("3", never)).toEqual({ version: "2", value: "two" });
  expect(second.calls()).toBe(1);
  expect(await versioned.at("3", async () => "three")).toEqual({ version: "2", value: "two" });
  await setImmediate();
  expect(await versioned.at("3", never)).toEqual({ version: "3", value: "three" });
});

test("a call gets the error of a making, and the next one tries again", async () => {
  const versioned = createVersioned<string>({ isAwaited: () => false });
  await versioned.at("1", async () => "one");
  const broken = making();
  await versioned.at("2", broken.make);
  broken.reject(new Error("no database"));
  await setImmediate();
  await expect(versioned.at("2", never)).rejects.toThrow("no database");
  expect(await versioned.at("2", async () => "two")).toMatchObject({ version: "1" });
  await setImmediate();
  expect(await versioned.at("2", never)).toEqual({ version: "2", value: "two" });
});
