import { createServer } from "node:http";
import { expect, test } from "vitest";
import { silentLog } from "#kit/log.ts";
import { reportFaults } from "./fault-reports.ts";

test("a logged fault reaches the error-reporting service without the values of a failed statement", async () => {
  const bodies: string[] = [];
  const service = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      bodies.push(body);
      response.end("{}");
    });
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => service.once("listening", resolve));
  const { port } = service.address() as { port: number };

  const { log, flush } = await reportFaults(silentLog, `http://key@127.0.0.1:${port}/1`, "test");
  log.error({ err: new Error("Failed query: insert into orders\nparams: +79161234567,Анна") }, "a call failed");
  log.error({ alarm: "payment.mismatch" }, "alarm");
  await flush();
  service.close();

  const sent = bodies.join("\n");
  expect(sent).toContain("Failed query: insert into orders");
  expect(sent).toContain("alarm: payment.mismatch");
  expect(sent).not.toMatch(/79161234567|Анна/);
});

test("without a DSN errors go to the log only", async () => {
  expect((await reportFaults(silentLog, undefined, "test")).log).toBe(silentLog);
});
