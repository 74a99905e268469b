import { randomUUID } from "node:crypto";
import Fastify, { type FastifyInstance, type InjectOptions, type LightMyRequestResponse } from "fastify";
import * as z from "zod";
import type { ProblemBody } from "#contract/problems.ts";
import type { StaffCall } from "#contract/staff/call.ts";
import { silentLog } from "#kit/log.ts";
import type { Ctx } from "#shop/context.ts";
import type { Limits } from "#shop/settings.ts";
import type { Role } from "#shop/staff/role.ts";
import type { StaffMember } from "#shop/staff/staff.ts";
import { aMember, aSession } from "#shop/staff/testing.ts";
import { testShop, type TestShop } from "#tests/shop.ts";
import type { HttpConfig } from "../config.ts";
import { serverOptions } from "../server/server-options.ts";
import type { StaffEndpoint } from "./endpoint.ts";
import { registerStaffHttp, type StaffHttpDeps } from "./staff-http.ts";

/** What a staff call is sent with in a test. `key`: the `Idempotency-Key`, a new one for each call unless given; null: none. */
type Sent<C extends StaffCall> = {
  params?: Readonly<Record<string, string | number>>;
  query?: Readonly<Record<string, string>>;
  body?: C["body"] extends z.ZodType ? z.input<C["body"]> : undefined;
  key?: string | null;
  headers?: Record<string, string>;
};

/** What came back: `data` of a success, `problem` of a refusal, `approval` of a call that waits for a second person. */
export type Answered<C extends StaffCall> = {
  status: number;
  data: C["answer"] extends z.ZodType ? z.output<C["answer"]> : undefined;
  problem: (Omit<ProblemBody, "code"> & { code: string }) | null;
  approval: { id: string; reason: string } | null;
  response: LightMyRequestResponse;
};

/** A member of staff at the browser. */
export type StaffClient = {
  member: StaffMember;
  /** The cookie of the session; empty: not signed in. Answers change it. */
  cookie: string;
  call<C extends StaffCall>(call: C, sent?: Sent<C>): Promise<Answered<C>>;
};

export type StaffBench = TestShop & {
  app: FastifyInstance;
  /** Signs in with these roles, the second factor entered just now; a new member each time. */
  as(...roles: Role[]): Promise<StaffClient>;
  /** A browser without a session. */
  visitor(): Omit<StaffClient, "member">;
  /** The same office in a second process: own database connections, own memory. */
  secondProcess(): Promise<(client: Pick<StaffClient, "cookie">) => Omit<StaffClient, "member">>;
  /** What was logged as an error, oldest first. */
  faults: object[];
};

const host = "localhost:3001";

/** The back office over a shop on PostgreSQL. `routes`: these instead of all calls; `shop`: this one instead of an empty one. */
export async function openStaffBench(
  options: {
    routes?: readonly StaffEndpoint[];
    limits?: Partial<Limits>;
    config?: Partial<HttpConfig>;
    deps?: Partial<StaffHttpDeps>;
    gateways?: Partial<Ctx["gateways"]>;
    isDemo?: boolean;
    shop?: TestShop;
  } = {},
): Promise<StaffBench> {
  const shop =
    options.shop ??
    (await testShop({
      limits: { writesPerMinute: 100_000, requestsPerMinute: 100_000, ...options.limits },
      ...(options.gateways ? { gateways: options.gateways } : {}),
      ...(options.isDemo === undefined ? {} : { isDemo: options.isDemo }),
    }));
  const faults: object[] = [];
  shop.ctx.log = { ...silentLog, error: (fields) => faults.push(fields) };
  const config: HttpConfig = {
    port: 3001,
    publicUrl: undefined,
    trustProxy: [],
    isDemo: options.isDemo ?? true,
    metricsToken: undefined,
    version: "test",
    ...options.config,
  };
  const open = async (ctx: Ctx): Promise<FastifyInstance> => {
    const app = Fastify(serverOptions(config));
    registerStaffHttp(app, { ctx, config, ...(options.routes ? { routes: options.routes } : {}), ...options.deps });
    await app.ready();
    return app;
  };
  const app = await open(shop.ctx);
  const others: FastifyInstance[] = [];
  return {
    ...shop,
    app,
    faults,
    async as(...roles) {
      const member = await aMember(shop.ctx, roles);
      const { sid } = await aSession(shop.ctx, member);
      return Object.assign(client(app, `staff=${sid}`), { member });
    },
    visitor: () => client(app, ""),
    async secondProcess() {
      const second = await open(await shop.another());
      others.push(second);
      return ({ cookie }) => client(second, cookie);
    },
    async close() {
      for (const each of [app, ...others]) await each.close();
      await shop.close();
    },
  };
}

function client(app: FastifyInstance, cookie: string): Omit<StaffClient, "member"> {
  const self: Omit<StaffClient, "member"> = {
    cookie,
    async call(call, sent = {}) {
      const response = await app.inject(requestOf(call, sent, self.cookie));
      const set = response.cookies.find(({ name }) => name === "staff");
      if (set) self.cookie = set.value === "" ? "" : `staff=${set.value}`;
      const body = /json/.test(String(response.headers["content-type"])) ? response.json<Record<string, unknown>>() : {};
      const isRefused = response.statusCode >= 400;
      if (isRefused) checkRefusal(call, body);
      return {
        status: response.statusCode,
        data: body.data as never,
        problem: isRefused ? (body as never) : null,
        approval: response.statusCode === 202 ? (body.approval as never) : null,
        response,
      };
    },
  };
  return self;
}

function requestOf(call: StaffCall, { params = {}, query = {}, body, key = randomUUID(), headers = {} }: Sent<StaffCall>, cookie: string) {
  const path = call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const search = new URLSearchParams(query).toString();
  const isBytes = (body as unknown) instanceof Uint8Array;
  return {
    method: call.method,
    url: search === "" ? path : `${path}?${search}`,
    headers: {
      host,
      "sec-fetch-site": "same-origin",
      "sec-fetch-mode": "cors",
      "sec-fetch-dest": "empty",
      ...(cookie === "" ? {} : { cookie }),
      ...(call.method === "GET" || key === null ? {} : { "idempotency-key": key }),
      ...(body === undefined ? {} : { "content-type": isBytes ? "application/octet-stream" : "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { payload: isBytes ? Buffer.from(body) : JSON.stringify(body) }),
  } satisfies InjectOptions;
}

/** Refusals that any staff call can have. */
const common = [
  "staff.sign_in_required",
  "staff.verify_again",
  "staff.forbidden",
  "staff.key_missing",
  "staff.key_reused",
  "staff.not_found",
  "service.unavailable",
];

/** Throws when a call was refused with a code or with data that its entry does not declare. */
function checkRefusal(call: StaffCall, { code, data }: Record<string, unknown>): void {
  const name = String(code);
  if (!name.startsWith("request.") && !common.includes(name) && !call.problems.includes(name as never))
    throw new Error(`${call.method} ${call.path} does not declare ${name}`);
  const schema = call.refusalData?.[name as keyof typeof call.refusalData] ?? z.undefined();
  const checked = schema.safeParse(data);
  if (!checked.success) throw new Error(`${call.method} ${call.path} brings other data with ${name}: ${checked.error.message}`);
}
