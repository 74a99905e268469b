import { afterEach, expect, test, vi } from "vitest";
import { memberHeader } from "#contract/staff/member-header.ts";
import * as contract from "#contract/staff/calls.ts";
import { callStaff } from "./client.ts";
import { signedIn, signedOut, type Me } from "./session.ts";

afterEach(() => {
  signedOut();
  vi.unstubAllGlobals();
});

test("each call names the member of staff that the window shows, once someone is signed in", async () => {
  const named: unknown[] = [];
  vi.stubGlobal("fetch", async (_: string, { headers }: { headers: Record<string, string> }) => {
    named.push(headers[memberHeader]);
    return Response.json({ data: [] });
  });
  await callStaff(contract.readWaiting);
  signedIn({ id: 7 } as Me);
  await callStaff(contract.readWaiting);
  signedOut();
  await callStaff(contract.readWaiting);
  expect(named).toEqual([undefined, "7", undefined]);
});
