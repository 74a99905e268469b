import * as z from "zod";
import type { Exception } from "./exceptions.ts";

/** The output of `npm audit --json`, version 2; an error of the registry has no `vulnerabilities`. */
const report = z.object({
  vulnerabilities: z.record(
    z.string(),
    z.object({
      via: z.array(z.union([z.string(), z.object({ name: z.string(), severity: z.string(), title: z.string(), url: z.string() })])),
    }),
  ),
});

type Rules = {
  advisories: Readonly<Record<string, Exception>>;
  silence: Exception | null;
  /** In CI an unreachable registry is a failure. */
  isCi: boolean;
  /** `YYYY-MM-DD`, UTC. */
  today: string;
};

/** The audit's output (`lines`) and failures (`faults`; empty: it passes). Only high and critical advisories count. */
export function verdict(printed: string, { advisories, silence, isCi, today }: Rules): { lines: string[]; faults: string[] } {
  const holds = (exception: Exception | null | undefined): boolean =>
    exception !== null && exception !== undefined && today <= exception.until;
  const { data } = report.safeParse(parsed(printed));
  if (!data) {
    const silent = "the registry did not answer: dependencies were not audited";
    if (!isCi) return { lines: [silent], faults: [] };
    if (silence && holds(silence)) return { lines: [`${silent}; accepted until ${silence.until}: ${silence.reason}`], faults: [] };
    return { lines: [], faults: [silence ? `${silent}, and the exception ended on ${silence.until}` : silent] };
  }
  const found = Object.values(data.vulnerabilities)
    .flatMap(({ via }) => via)
    .filter((each) => typeof each !== "string");
  const open = found
    .filter(({ severity, url }) => (severity === "high" || severity === "critical") && !holds(advisories[url]))
    .map(({ name, title, url }) => `${name}: ${title} (${url})`);
  const faults = [...new Set(open)];
  return { lines: [`${faults.length} high or critical advisories without an exception`], faults };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
