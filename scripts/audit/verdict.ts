import * as z from "zod";

/** What `npm audit --json` prints, version 2; an error of the registry has no `vulnerabilities`. */
const report = z.object({
  vulnerabilities: z.record(z.string(), z.object({
    via: z.array(z.union([z.string(), z.object({ name: z.string(), severity: z.string(), title: z.string(), url: z.string() })])),
  })),
});

/** Every high or critical hole once, but those that somebody accepted with a reason. `isHeard`: whether the registry answered at all. */
export function verdict(printed: string, accepted: Readonly<Record<string, string>>): { isHeard: boolean; open: string[] } {
  const { data } = report.safeParse(parsed(printed));
  if (!data) return { isHeard: false, open: [] };
  const holes = Object.values(data.vulnerabilities).flatMap(({ via }) => via).filter((each) => typeof each !== "string");
  const open = holes.filter(({ severity, url }) => (severity === "high" || severity === "critical") && !(url in accepted)).map(({ name, title, url }) => `${name}: ${title} (${url})`);
  return { isHeard: true, open: [...new Set(open)] };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
