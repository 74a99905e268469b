import { brotliDecompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { compressPage } from "./compress-page.ts";

test("pages that are compressed side by side come back whole, each in memory of its own size", async () => {
  const pages = Array.from({ length: 5 }, (_, n) => `<p>Сеятель ${n}</p>`.repeat(3_000));
  const compressed = await Promise.all(pages.map((page) => compressPage(Buffer.from(new TextEncoder().encode(page)), 3)));
  for (const [n, bytes] of compressed.entries()) {
    expect(brotliDecompressSync(bytes).toString()).toBe(pages[n]);
    expect(bytes.buffer.byteLength).toBe(bytes.length);
  }
});

test("a page is handed over, a small one in shared memory is copied", async () => {
  const whole = Buffer.alloc(100_000, "о");
  const small = Buffer.from("монета");
  await Promise.all([compressPage(whole, 3), compressPage(small, 3)]);
  expect(whole.length).toBe(0);
  expect(small.toString()).toBe("монета");
});

test("a body that would make pages wait is compressed beside them", async () => {
  const large = Buffer.alloc(700_000, "слово ");
  const bytes = await compressPage(large, 3);
  expect(brotliDecompressSync(bytes).equals(large)).toBe(true);
  expect(bytes.buffer.byteLength).toBe(bytes.length);
});
