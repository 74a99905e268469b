import { expect, test } from "vitest";
import { isPrivateAddress } from "./private-address.ts";

test.each([
  "127.0.0.1",
  "127.255.255.254",
  "0.0.0.0",
  "10.1.2.3",
  "100.64.0.1",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "192.0.2.1",
  "198.18.0.1",
  "224.0.0.1",
  "255.255.255.255",
  "::1",
  "::",
  "::ffff:127.0.0.1",
  "::ffff:10.0.0.1",
  "::ffff:a9fe:a9fe",
  "::127.0.0.1",
  "fe80::1",
  "fc00::1",
  "fd12::1",
  "fec0::1",
  "ff02::1",
  "64:ff9b::7f00:1",
  "2002:7f00:1::",
  "2001:0:0:1::",
  "2001:db8::1",
  "100::1",
  "localhost",
  "",
])("%s is not an address to fetch from", (address) => expect(isPrivateAddress(address)).toBe(true));

test.each(["8.8.8.8", "93.184.216.34", "172.32.0.1", "100.128.0.1", "::ffff:8.8.8.8", "2a00:1450:4010:c0f::8a", "2606:4700::1111"])(
  "%s is a public address",
  (address) => expect(isPrivateAddress(address)).toBe(false),
);
