import { expect, test } from "vitest";
import { verdict } from "./verdict.ts";

const hole = (name: string, severity: string, url: string) => ({ source: 1, name, dependency: name, title: "reads what it should not", url, severity, range: "<2" });
const told = JSON.stringify({
  auditReportVersion: 2,
  vulnerabilities: {
    server: { name: "server", severity: "high", isDirect: true, via: [hole("server", "high", "https://advisories.example/1"), "parser"] },
    parser: { name: "parser", severity: "critical", isDirect: false, via: [hole("parser", "critical", "https://advisories.example/2"), hole("parser", "low", "https://advisories.example/3")] },
  },
});

test("a known hole is named once, a small one is not, and one that was accepted in writing no more", () => {
  expect(verdict(told, {})).toEqual({ isHeard: true, open: ["server: reads what it should not (https://advisories.example/1)", "parser: reads what it should not (https://advisories.example/2)"] });
  expect(verdict(told, { "https://advisories.example/2": "not reached: we parse nothing of others" }).open).toHaveLength(1);
});

test("a registry without advisories is not taken for a clean house", () => {
  for (const silence of ["", "{bad", '{"message":"405 Method Not Allowed","error":{"summary":""}}']) expect(verdict(silence, {})).toEqual({ isHeard: false, open: [] });
});
