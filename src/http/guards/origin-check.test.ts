import type { IncomingHttpHeaders } from "node:http";
import { describe, expect, test } from "vitest";
import { isJson, isAllowedOrigin, type OriginCheckKind } from "./origin-check.ts";
import { createAllowedOrigins } from "./allowed-origins.ts";

const config = { port: 3000, publicUrl: undefined, trustProxy: [], isDemo: true, metricsToken: undefined, version: "1" };
const own = createAllowedOrigins(config, () => 3000);
const allows = (kind: OriginCheckKind, headers: IncomingHttpHeaders) => isAllowedOrigin(headers, kind, own);
const json = { "content-type": "application/json" };
const ours = "http://localhost:3000";

test("our own page may change state", () => {
  const fromPage = { "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty", origin: ours, ...json };
  expect(allows("call", fromPage)).toBe(true);
  expect(allows("legacy_get", { ...fromPage, origin: undefined, accept: "*/*" })).toBe(true);
  expect(
    allows("page_action", { "sec-fetch-site": "same-origin", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document", origin: ours }),
  ).toBe(true);
});

describe("a foreign page may change nothing", () => {
  test.each([
    ["another site", { "sec-fetch-site": "cross-site" }],
    ["a neighbouring subdomain", { "sec-fetch-site": "same-site" }],
    ["an address typed by hand", { "sec-fetch-site": "none" }],
    ["a foreign origin", { origin: "https://evil.example" }],
    ["a foreign origin behind an own mark", { "sec-fetch-site": "same-origin", origin: "https://evil.example" }],
    ["an origin without a name", { origin: "null" }],
    ["our host on another port", { origin: "http://localhost:3001" }],
    ["our host by another scheme", { origin: "https://localhost:3000" }],
    ["a foreign referer", { referer: "https://evil.example/localhost:3000" }],
    ["a referer that is no address", { referer: "localhost:3000" }],
  ])("%s", (_, headers) => {
    for (const kind of ["call", "legacy_get", "page_action"] as const) expect(allows(kind, { ...json, ...headers })).toBe(false);
  });
});

test("a navigation, an embedded load and a prefetch change nothing, also from our own page", () => {
  const same = { "sec-fetch-site": "same-origin" };
  for (const kind of ["call", "legacy_get"] as const) {
    expect(allows(kind, { ...same, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" })).toBe(false);
    for (const destination of ["image", "iframe", "script", "style", "document", "embed"])
      expect(allows(kind, { ...same, "sec-fetch-dest": destination })).toBe(false);
    for (const purpose of [
      { "sec-purpose": "prefetch" },
      { "sec-purpose": "prefetch;prerender" },
      { purpose: "prefetch" },
      { "x-moz": "prefetch" },
    ]) {
      expect(allows(kind, { ...same, "sec-fetch-dest": "empty", ...purpose })).toBe(false);
    }
  }
});

test("on the legacy GETs a browser without Sec-Fetch headers that accepts HTML counts as a navigation", () => {
  expect(allows("legacy_get", { accept: "text/html,application/xhtml+xml" })).toBe(false);
  expect(allows("legacy_get", { accept: "text/html", referer: `${ours}/cart` })).toBe(false);
  expect(allows("legacy_get", { accept: "application/json" })).toBe(true);
  expect(allows("legacy_get", {})).toBe(true);
});

test("a plain client may call the API, but not post a page's form", () => {
  expect(allows("call", json)).toBe(true);
  expect(allows("call", {})).toBe(true);
  expect(allows("call", { referer: `${ours}/cart`, ...json })).toBe(true);
  expect(allows("page_action", { "content-type": "application/x-www-form-urlencoded" })).toBe(false);
});

test("a form without a referrer on our page is accepted by the browser's Sec-Fetch-Site", () => {
  const form = { "sec-fetch-site": "same-origin", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document", origin: "null" };
  expect(allows("page_action", form)).toBe(true);
  expect(allows("page_action", { ...form, "sec-fetch-site": "cross-site" })).toBe(false);
  expect(allows("call", { "sec-fetch-site": "same-origin", "sec-fetch-dest": "empty", origin: "null" })).toBe(false);
});

test("with a public address only that origin is ours", () => {
  const shop = createAllowedOrigins({ ...config, publicUrl: "https://shop.example" }, () => 3000);
  expect(shop.isSecure).toBe(true);
  expect([shop.isHost("shop.example"), shop.isHost("SHOP.example:443"), shop.isOrigin("https://shop.example")]).toEqual([true, true, true]);
  for (const host of [
    "localhost:3000",
    "shop.example:3000",
    "shop.example.evil.example",
    "evil@shop.example",
    "shop.example/..",
    "",
    undefined,
  ])
    expect(shop.isHost(host)).toBe(false);
  for (const origin of ["http://shop.example", "https://localhost:3000", "null"]) expect(shop.isOrigin(origin)).toBe(false);
});

test("without a public address the names of this machine with the port are ours", () => {
  for (const host of ["localhost:3000", "127.0.0.1:3000", "[::1]:3000", "LOCALHOST:3000"]) expect(own.isHost(host)).toBe(true);
  for (const host of ["localhost", "localhost:3001", "example.com:3000", "0.0.0.0:3000"]) expect(own.isHost(host)).toBe(false);
});

test("only application/json is JSON", () => {
  for (const type of [
    "application/json",
    "Application/JSON",
    "application/json; charset=utf-8",
    "application/json;charset=UTF-8",
    ' application/json ; charset="utf-8" ',
  ])
    expect(isJson(type)).toBe(true);
  for (const type of [
    "text/json",
    "application/jsonp",
    "application/json; charset=utf-16",
    "application/json, text/plain",
    "application/json; x=1",
    "application/ json",
    "",
    "json",
    "application/json;charset=utf-8;charset=utf-7",
  ]) {
    expect(isJson(type)).toBe(false);
  }
});
