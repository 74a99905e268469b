import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { createInserts } from "#web/fragments/inserts.ts";
import { pageBody } from "./page-body.ts";

const mark = "UWH8Zi0dpI6tiGl1Ne72Sw";
const own1 = "'sha256-HR7iaask9daLMRRskMI++QeJtjWDOjyPA6lGzYGzKW4='"; // hash of `one()`
const ownStyle = "'sha256-6hWWMOcF+mJesSJGYhmK2lkIIEw9Xc5XKGLPVzh8yxs='";

test("the page's own inline scripts and styles are approved; those in its data are not, whatever nonce it guesses", () => {
  const html = [
    `<script nonce="${mark}">one()</script>`,
    "<script>stolen()</script>",
    '<script nonce="">stolen()</script>',
    '<script nonce="guess">stolen()</script>',
    '<script type="application/ld+json">{}</script>',
    `<script nonce="${mark}" src="/assets/a.js"></script>`,
    `<style nonce="${mark}" data-href="/assets/a.css">a{color:red}</style>`,
    "<style>body{display:none}</style>",
    '<style nonce="guess">body{display:none}</style>',
  ].join("");
  const { body, scriptHashes, styleHashes } = pageBody({ html, inserts: [] }, mark);
  expect([scriptHashes, styleHashes]).toEqual([[own1], [ownStyle]]);
  expect(body.toString()).toBe(html.replaceAll(` nonce="${mark}"`, ""));
});

test("inserts take the places of their placeholders, wherever they are, and their bytes are not searched", () => {
  const { inserts, add } = createInserts(mark);
  const bytes = (text: string) => ({ bytes: Buffer.from(text) });
  const html = [
    `<style nonce="${mark}">${add(bytes("a{color:red}"))}</style>`,
    `<img srcset="${add(bytes("data:image/avif;base64,AA="))} 200w">`,
    `<li class="card">${add(bytes(`Монета [[${mark}:0]]`))}</li>`,
    `<script nonce="${mark}">one(${add(bytes('"два"'))},3)</script>[[guess:0]]`,
  ].join("");
  const { body, scriptHashes, styleHashes } = pageBody({ html, inserts }, mark);
  expect(body.toString()).toBe(
    '<style>a{color:red}</style><img srcset="data:image/avif;base64,AA= 200w">' +
      `<li class="card">Монета [[${mark}:0]]</li><script>one("два",3)</script>[[guess:0]]`,
  );
  expect([scriptHashes, styleHashes]).toEqual([[hashOf('one("два",3)')], [ownStyle]]);
});

test("the digest is that of the page and its inserts, whatever its nonce", () => {
  const digestOf = (nonce: string, { insert = "Монета", text = "25 рублей" } = {}) => {
    const { inserts, add } = createInserts(nonce);
    const html = `<script nonce="${nonce}">one()</script><p>${add({ bytes: Buffer.from(insert) })}</p>${text}`;
    return pageBody({ html, inserts }, nonce).digest;
  };
  const digest = digestOf(mark);
  expect(digestOf("another")).toBe(digest);
  expect(new Set([digest, digestOf(mark, { insert: "Футляр" }), digestOf(mark, { text: "50 рублей" })]).size).toBe(3);
});

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

test("a page without one of its inserts is a fault, not a page with a gap", () => {
  expect(() => pageBody({ html: `<p>[[${mark}:1]]</p>`, inserts: [{ bytes: Buffer.from("a") }] }, mark)).toThrow("no insert 1");
});
