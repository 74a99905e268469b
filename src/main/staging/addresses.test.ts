import { expect, test } from "vitest";
import { readAddresses } from "./addresses.ts";

const addresses = { from: "postgres://chekan:s%40cret=@db/shop?sslmode=require", to: "postgres://copy@db/empty" };
const noInput = () => Promise.reject(new Error("the standard input was read"));

test("addresses come from the standard input, where no other account sees them", async () => {
  const input = `# the shop\nfrom=${addresses.from}\r\n\nto=${addresses.to}\n`;
  expect(await readAddresses([], async () => input)).toEqual(addresses);
  expect(await readAddresses([], async () => `to=${addresses.to}\nfrom=${addresses.from}`)).toEqual(addresses);
});

test("addresses may be arguments, and then nothing is read", async () => {
  expect(await readAddresses(["--from", addresses.from, `--to=${addresses.to}`], noInput)).toEqual(addresses);
});

test("a missing address and an unknown argument are refused", async () => {
  expect(await readAddresses(["--from", addresses.from], noInput)).toBeNull();
  expect(await readAddresses(["--form", addresses.from, "--to", addresses.to], noInput)).toBeNull();
  expect(await readAddresses([], async () => `from=${addresses.from}\nto=\n`)).toBeNull();
  expect(await readAddresses([], async () => "")).toBeNull();
});
