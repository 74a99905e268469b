import { expect, test } from "vitest";
import { verdict } from "./verdict.ts";

const advisory = (name: string, severity: string, url: string) => ({
  source: 1,
  name,
  dependency: name,
  title: "reads what it should not",
  url,
  severity,
  range: "<2",
});
const report = JSON.stringify({
  auditReportVersion: 2,
  vulnerabilities: {
    server: {
      name: "server",
      severity: "high",
      isDirect: true,
      via: [advisory("server", "high", "https://advisories.example/1"), "parser"],
    },
    parser: {
      name: "parser",
      severity: "critical",
      isDirect: false,
      via: [advisory("parser", "critical", "https://advisories.example/2"), advisory("parser", "low", "https://advisories.example/3")],
    },
  },
});
const rules = { advisories: {}, silence: null, isCi: true, today: "2026-11-22" };
const exception = (until: string) => ({ reason: "we parse nothing of others", until });

test("a known vulnerability is named once; a small one and one with a valid exception are not", () => {
  const faults = [
    "server: reads what it should not (https://advisories.example/1)",
    "parser: reads what it should not (https://advisories.example/2)",
  ];
  expect(verdict(report, rules).faults).toEqual(faults);
  const accepted = (until: string) =>
    verdict(report, { ...rules, advisories: { "https://advisories.example/2": exception(until) } }).faults;
  expect([accepted("2026-11-22"), accepted("2026-11-21")]).toEqual([faults.slice(0, 1), faults]);
});

test("an unreachable registry fails the audit in CI without an exception; elsewhere the output says that nothing was audited", () => {
  for (const silence of ["", "{bad", '{"message":"405 Method Not Allowed","error":{"summary":""}}']) {
    expect(verdict(silence, rules).faults).toHaveLength(1);
    expect(verdict(silence, { ...rules, isCi: false })).toEqual({ lines: [expect.stringContaining("not audited")], faults: [] });
    expect(verdict(silence, { ...rules, silence: exception("2026-11-22") })).toEqual({
      lines: [expect.stringContaining("we parse nothing of others")],
      faults: [],
    });
    expect(verdict(silence, { ...rules, silence: exception("2026-11-21") }).faults).toEqual([
      expect.stringContaining("ended on 2026-11-21"),
    ]);
  }
});

test("an empty report passes", () => {
  expect(verdict('{"auditReportVersion":2,"vulnerabilities":{}}', rules).faults).toEqual([]);
});
