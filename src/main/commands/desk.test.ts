import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pgliteFolder } from "../database/configured-database.ts";
import { lockFolder } from "../process/folder-lock.ts";

/** Stands in for a running shop: records the desk's requests and answers them. */
const requests: { path: string; body: unknown }[] = [];
const users: unknown[] = [];
const hosts: unknown[] = [];
const shop = createServer((request, response) => {
  let text = "";
  request
    .on("data", (chunk: Buffer) => {
      text += chunk.toString();
    })
    .on("end", () => {
      users.push(request.headers["x-desk-user"]);
      hosts.push(request.headers.host);
      requests.push({ path: request.url ?? "", body: text === "" ? null : JSON.parse(text) });
      const data =
        request.url === "/_demo/refunds"
          ? [
              {
                id: "r1",
                orderId: "o1",
                why: "stuck",
                amount: 45_123,
                cause: "cancelled",
                createdAt: "2026-11-20T12:00:00+03:00",
                unansweredSince: "2026-11-20T12:00:00+03:00",
              },
            ]
          : request.url === "/_demo/transfers"
            ? text.includes("Иванов")
              ? { kind: "counted", orderNumber: 10_005, state: "paid" }
              : { kind: "left", why: "no_order_number" }
            : text.includes("seal")
              ? { status: "assembled", seal: (JSON.parse(text) as { seal: string }).seal, insured: 1000 }
              : { status: "paid" };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ data }));
    });
});
const folder = mkdtempSync(join(tmpdir(), "desk-"));
beforeAll(async () => {
  await lockFolder(pgliteFolder(folder)); // the running shop has locked the embedded database
  await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve));
});
afterAll(() => shop.close());

const desk = (...words: string[]) => deskWithInput("", ...words);
const deskWithInput = (input: string | Buffer, ...words: string[]) => run(input, words);
const run = (input: string | Buffer, words: readonly string[], settings: Record<string, string> = {}) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    const env = { ...process.env, DATA_DIR: folder, PORT: String((shop.address() as AddressInfo).port), DATABASE_URL: "", ...settings };
    const child = execFile(process.execPath, [join(import.meta.dirname, "desk.ts"), ...words], { env }, (error, out, err) =>
      resolve({ code: typeof error?.code === "number" ? error.code : 0, output: `${out}${err}` }),
    );
    child.stdin?.on("error", () => {}); // a command that does not read it may have ended
    child.stdin?.end(input);
  });

test("beside a running shop the desk sends requests to it: a transfer by its reference, a statement entry by entry", async () => {
  const statement = join(import.meta.dirname, "../../integrations/bank-statement/example-statement.txt");
  const [paid, read] = [await desk("order", "o1", "pay", "5000,50", "--ref", "125/20.11.2026"), await desk("statement", statement)];
  expect(paid).toEqual({ code: 0, output: "order o1: paid\n" });
  expect(requests).toContainEqual({
    path: "/_demo/orders/o1",
    body: { event: "pay", amount: 5000.5, reference: { number: "125", date: "2026-11-20" } },
  });
  expect(read.code).toBe(1); // one of the documents cannot be parsed
  expect(read.output).toContain("counted  № 125 of 2026-11-20, 451230 roubles: order 10005, paid");
  expect(read.output).toContain("FAULT    line 58: cannot be read: Дата, Сумма");
  expect(read.output).toContain("1 counted, 0 known before, 3 left to a person, 0 not money for the shop's account");
});

test("a statement may come from the standard input; a file that cannot be read is named", async () => {
  const bytes = readFileSync(join(import.meta.dirname, "../../integrations/bank-statement/example-statement.txt"));
  const read = await deskWithInput(bytes, "statement", "-");
  expect(read.output).toContain("1 counted, 0 known before, 3 left to a person, 0 not money for the shop's account");
  const missing = await desk("statement", "/there/is/none.txt");
  expect([missing.code, missing.output.split("\n")]).toEqual([2, [expect.stringContaining("cannot read /there/is/none.txt"), ""]]);
});

test("the desk enters the seal at packing and prints what was stored; an impossible number is not sent", async () => {
  const [packed, ...refused] = await Promise.all([
    desk("order", "o1", "assemble", "--seal", "0041 2345"),
    desk("order", "o1", "assemble", "--seal", "12"),
    desk("order", "o1", "seal"),
    desk("order", "o1", "ship", "--seal", "00412345"),
    desk("order", "o1", "seal", "12"),
  ]);
  expect(packed).toEqual({ code: 0, output: "order o1: assembled, seal 00412345, insured for 1000 roubles\n" });
  expect(requests.filter(({ body }) => JSON.stringify(body).includes("seal"))).toEqual([
    { path: "/_demo/orders/o1", body: { event: "assemble", seal: "00412345" } },
  ]);
  expect(refused.map(({ code }) => code)).toEqual([2, 2, 2, 2]);
  expect(refused.map(({ output }) => output.split("\n")[0])).toEqual([
    "--seal: 12 is not the number of a seal: 5 to 20 letters, digits and hyphens, at least four of them digits",
    "usage: npm run desk -- <one of these>",
    "--seal: goes with assemble",
    "12 is not the number of a seal: 5 to 20 letters, digits and hyphens, at least four of them digits",
  ]);
});

test("the desk names the member of staff who acts, and refuses a malformed name", async () => {
  await desk("order", "o1", "assemble", "--as", "ivanova");
  expect(users.at(-1)).toBe("ivanova");
  const before = requests.length;
  const { code, output } = await desk("order", "o1", "assemble", "--as", "no name");
  expect([code, output.includes("--as: no name is not a name"), requests.length]).toEqual([2, true, before]);
});

test("the desk lists the waiting refunds and what to do about each", async () => {
  expect((await desk("refunds")).output).toBe(
    "refund r1  order o1  2026-11-20T12:00:00+03:00  45123 roubles, cancelled  " +
      "no answer of the provider since 2026-11-20T12:00:00+03:00\n1 refunds wait\n",
  );
});

test("a sum without its reference changes nothing and prints the correct syntax", async () => {
  const before = requests.length;
  const { code, output } = await desk("order", "o1", "pay", "5000");
  expect([code, output.includes("usage:"), requests.length]).toEqual([2, true, before]);
});

test("a demo shop with an address of its own gets the desk's requests under the host of that address", async () => {
  const own = { PUBLIC_URL: "https://shop.example" };
  expect((await run("", ["order", "o1", "pay"], own)).output).toBe("order o1: paid\n");
  expect((await run("", ["refunds"], own)).output).toContain("o1");
  expect(hosts.slice(-2)).toEqual(["shop.example", "shop.example"]);
});
