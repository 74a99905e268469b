import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { request } from "undici";
import { totpCodeAt } from "#kit/security/totp.ts";

const root = join(import.meta.dirname, "../../..");
const password = "длинный пароль лавки";

export type Clerk = { read(path: string): Promise<{ status: number; text: string }> };

/**
 * Invites the owner at the server with the shop's environment, as the instructions say, accepts the invitation and signs in with a code.
 */
export async function signInAsOwner(officeUrl: string, env: Record<string, string>): Promise<Clerk> {
  const command = ["src/main/commands/desk.ts", "staff", "invite", "owner@chekan.trial", "owner"];
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: root, env: { ...process.env, ...env } });
  const token = /#(\S+)/.exec(stdout)?.[1] ?? "";
  let cookie = "";
  async function send(method: "GET" | "POST", path: string, body?: object): Promise<{ status: number; text: string }> {
    const answer = await request(officeUrl + path, {
      method,
      headers: { cookie, origin: new URL(officeUrl).origin, ...(body ? { "content-type": "application/json" } : {}) },
      body: body ? JSON.stringify(body) : null,
    });
    for (const each of [answer.headers["set-cookie"] ?? []].flat()) cookie = each.split(";", 1)[0] ?? "";
    return { status: answer.statusCode, text: await answer.body.text() };
  }
  const opened = await send("POST", "/api/staff/invitations/open", { token });
  const { data } = JSON.parse(opened.text) as { data?: { totp: { secret: string } } };
  const secret = data?.totp.secret.replaceAll(" ", "") ?? "";
  const accepted = await send("POST", "/api/staff/invitations/accept", {
    token,
    login: "owner",
    name: "Мария Седова",
    factor: { by: "password", password, code: totpCodeAt(secret, new Date()) },
  });
  if (accepted.status !== 200) throw new Error(`the invitation was not accepted: ${accepted.status} ${accepted.text.slice(0, 200)}`);
  return { read: (path) => send("GET", path) };
}
