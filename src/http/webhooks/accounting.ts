import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isSameSecret } from "#kit/security/secrets.ts";
import type { Ctx } from "#shop/context.ts";
import { sessionTypes, takesArchives, type SessionType, type Verdict } from "#shop/exchange/accounting/accounting.ts";
import * as accounting from "#shop/exchange/accounting/accounting.service.ts";
import type { Limits } from "#shop/settings.ts";
import { maxWebhookBytes } from "../guards/guards.ts";
import { createSharedRateLimiter } from "../guards/rate-limit.ts";
import { addressOf } from "../request/session.ts";
import { jsonPolicy } from "../server/headers.ts";

/** Login and password of the accounting system. */
type AccountingAccess = { login: string; password: string };

export const accountingPath = "/api/exchange/1c";
const cookieName = "exchange";
/** What one `file` may hold: less than the server accepts of any webhook. */
const partBytes = 200 * 1024;

type Query = { type?: string; mode?: string; filename?: string; version?: string };
type Asked = { type: SessionType; mode: string; query: Query };

/**
 * The exchange with 1C (docs/decisions/0066). Exists only when its login is configured; otherwise its address is unknown. It has a login, a
 * session and rate limits of its own, and reads no cookie of the shop. The first line of an answer is the verdict.
 */
export function registerAccounting(app: FastifyInstance, { ctx, access }: { ctx: Ctx; access: AccountingAccess | null }): void {
  if (!access) return;
  const limiter = createSharedRateLimiter(ctx, "accounting", limitsOf(ctx));
  const inside: Ctx = { ...ctx, actor: { kind: "provider", name: "1c" } };
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: maxWebhookBytes }, (_, bytes, done) => done(null, bytes));
    scope.route({
      method: ["GET", "POST"],
      url: accountingPath,
      bodyLimit: maxWebhookBytes,
      exposeHeadRoute: false,
      config: { kind: { webhook: true } },
      handler: async (request, reply) => {
        // A parameter given twice has its last value, never a list.
        const query: Query = Object.fromEntries(new URL(request.url, "http://shop.invalid").searchParams);
        const type = sessionTypes.find((each) => each === query.type);
        const sent = { type: type ?? "catalog", mode: query.mode ?? "", query };
        const isSignIn = sent.mode === "checkauth";
        const who = { visitor: null, address: addressOf(request) };
        if ((await limiter.take(isSignIn ? "write" : "request", who)) > 0)
          return send(inside, reply.code(429), { verdict: "failure", detail: "Слишком много обращений" });
        if (isSignIn) return signIn(inside, access, sent, request, reply);
        return inSession(inside, sent, request, reply);
      },
    });
  });
}

/** The limits of the rate limiter: its own, as the settings have them at each call. */
const limitsOf = ({ settings }: Ctx): Limits => ({
  ...settings.limits,
  get requestsPerMinute() {
    return settings.limits.accountingCallsPerMinute;
  },
  get addressRequestsPerMinute() {
    return settings.limits.accountingCallsPerMinute;
  },
  get writesPerMinute() {
    return settings.limits.accountingSignInsPerMinute;
  },
  get addressWritesPerMinute() {
    return settings.limits.accountingSignInsPerMinute;
  },
});

async function signIn(
  ctx: Ctx,
  access: AccountingAccess,
  { type }: Asked,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!isAllowed(request.headers.authorization, access)) {
    await accounting.noteCall(ctx, { type, mode: "checkauth", verdict: "failure", detail: "Неверный логин или пароль" });
    return send(ctx, reply.code(401).header("www-authenticate", 'Basic realm="1c"'), {
      verdict: "failure",
      detail: "Неверный логин или пароль",
    });
  }
  const token = await accounting.begin(ctx, type);
  await accounting.noteCall(ctx, { type, mode: "checkauth", verdict: "success", detail: "" });
  return send(ctx, reply, { verdict: "success", detail: `${cookieName}\n${token}` });
}

/** `Authorization: Basic …` with login and password in UTF-8 or windows-1251. */
function isAllowed(header: string | undefined, { login, password }: AccountingAccess): boolean {
  const [, encoded = ""] = /^Basic ([A-Za-z0-9+/=]{1,1000})$/i.exec(header ?? "") ?? [];
  const bytes = Buffer.from(encoded, "base64");
  const wanted = `${login}:${password}`;
  return ["utf-8", "windows-1251"].some((encoding) => isSameSecret(new TextDecoder(encoding).decode(bytes), wanted));
}

async function inSession(ctx: Ctx, sent: Asked, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const [, token = null] = new RegExp(`(?:^|;)\\s*${cookieName}=([A-Za-z0-9_-]{10,64})(?:;|$)`).exec(request.headers.cookie ?? "") ?? [];
  const session = token === null ? null : await accounting.findSession(ctx, token);
  if (!session) return send(ctx, reply.code(401), { verdict: "failure", detail: "Сеанса нет: начните с checkauth" });
  const { mode, query } = sent;
  const type = session.type;
  if (mode === "query") {
    const { bytes, orders } = await accounting.query(ctx, session);
    await accounting.noteCall(ctx, { type, mode, verdict: "success", detail: `заказов ${orders}` });
    return secured(reply).type(xmlType).send(bytes);
  }
  if (mode === "info") {
    await accounting.noteCall(ctx, { type, mode, verdict: "success", detail: "" });
    return secured(reply).type(xmlType).send(accounting.info(ctx));
  }
  const verdict = await answerOf(ctx, session, { ...sent, filename: query.filename ?? "", body: request.body });
  // Parts of a large file would push everything else out of the list.
  if (mode !== "file" || verdict.verdict === "failure" || verdict.detail !== "") await accounting.noteCall(ctx, { type, mode, ...verdict });
  return send(ctx, reply, mode === "init" ? { ...verdict, detail: parametersFor(type, query.version ?? null) } : verdict);
}

const xmlType = "text/xml; charset=windows-1251";

const parametersFor = (type: SessionType, version: string | null): string =>
  `zip=${takesArchives(type, version) ? "yes" : "no"}\nfile_limit=${partBytes}`;

type Session = NonNullable<Awaited<ReturnType<typeof accounting.findSession>>>;

async function answerOf(
  ctx: Ctx,
  session: Session,
  { mode, query, filename, body }: Asked & { filename: string; body: unknown },
): Promise<Verdict> {
  switch (mode) {
    case "init":
      await accounting.init(ctx, session, query.version ?? null);
      return { verdict: "success", detail: "" };
    case "file":
      return accounting.receivePart(ctx, session, filename, Buffer.isBuffer(body) ? body : Buffer.alloc(0));
    case "import":
      return accounting.importFile(ctx, session, filename);
    case "success":
      return { verdict: "success", detail: `подтверждено заказов ${await accounting.confirm(ctx, session)}` };
    // Nothing is hidden because a file did not name it: the shop decides what is on sale.
    case "deactivate":
    case "complete":
      return { verdict: "success", detail: "" };
    default:
      return { verdict: "failure", detail: `Неизвестная команда ${mode.slice(0, 30)}` };
  }
}

const secured = (reply: FastifyReply): FastifyReply =>
  reply.header("cache-control", "no-store").header("content-security-policy", jsonPolicy).header("x-robots-tag", "noindex");

/** `init` answers with its parameters only; every other call begins with the verdict. */
function send(ctx: Ctx, reply: FastifyReply, { verdict, detail }: Verdict): FastifyReply {
  const text = detail.startsWith("zip=") ? detail : [verdict, detail].filter(Boolean).join("\n");
  return secured(reply)
    .type("text/plain; charset=windows-1251")
    .send(ctx.gateways.accounting.text(`${text}\n`));
}
