import type * as z from "zod";
import type { StaffCall } from "#contract/staff/call.ts";
import { readStepUpOptions, stepUp, type StaffCallRef, type StaffEntryOf } from "#contract/staff/calls.ts";
import type { StaffCode } from "#contract/staff/problems.ts";
import { memberHeaders, requestSignIn } from "./session.ts";

/** Why a call was refused, ready to be shown; `network.failed` when no answer of the office came back. */
export type StaffRefusal = {
  code: StaffCode | "network.failed";
  status: number;
  message: string;
  /** A message for each wrong field. */
  fields: Record<string, string>;
  data: unknown;
  /** Seconds to wait before the next try, when the server said so. */
  retryAfter: number | null;
};

type DataOf<C extends StaffCall, Code> = C extends { refusalData: infer Schemas }
  ? Code extends keyof Schemas
    ? Schemas[Code] extends z.ZodType<infer Data>
      ? Data
      : unknown
    : unknown
  : unknown;

/** The refusals that every staff call can have; `staff.not_found` also for an id in the path that cannot be one. */
type CommonCode =
  | "network.failed"
  | "staff.sign_in_required"
  | "staff.verify_again"
  | "staff.forbidden"
  | "staff.not_found"
  | "request.invalid"
  | "service.unavailable";
type CodeOf<C extends StaffCall> = C["problems"][number] | CommonCode;
/** A refusal of one call: each code of the contract has its own type of `data`. */
export type StaffRefusalOf<C extends StaffCall> = {
  [Code in CodeOf<C>]: Omit<StaffRefusal, "code" | "data"> & { code: Code; data: DataOf<C, Code> };
}[CodeOf<C>];
/** A refusal of one of several calls: `RefusalOf<typeof contract.addCoin | typeof contract.saveCoin>`. */
export type RefusalOf<Ref extends StaffCallRef> = Ref extends StaffCallRef ? StaffRefusalOf<StaffEntryOf<Ref>> : never;

/** A file that the server sent, with the name it is saved under. */
export type FileAnswer = { name: string; content: Blob };
export type AnswerOf<C extends StaffCall> = C["answer"] extends z.ZodType ? z.output<C["answer"]> : FileAnswer;
export type PendingApproval = { id: string; reason: string };

/** The result of a call. A change that waits for approval by a second person has not been executed yet. */
export type StaffResult<C extends StaffCall> =
  | { ok: true; value: AnswerOf<C> }
  | { ok: false; error: StaffRefusalOf<C>; waitsForApproval: null }
  | (C["method"] extends "GET" ? never : { ok: false; error: null; waitsForApproval: PendingApproval });

type Inputs<C extends StaffCall> = (C extends { params: infer S extends z.ZodType }
  ? { params: { [Name in keyof z.input<S>]: string | number } }
  : unknown) &
  (C extends { query: infer S extends z.ZodType } ? ({} extends z.input<S> ? { query?: z.input<S> } : { query: z.input<S> }) : unknown) &
  (C extends { body: infer S extends z.ZodType } ? { body: z.input<S> } : unknown);

/** The input of a call. `key` is the `Idempotency-Key` of a change; without it each call of `callStaff` gets a new one. */
export type StaffCallInput<C extends StaffCall> = Inputs<C> & { key?: string; signal?: AbortSignal };

type AnyInput = {
  params?: Readonly<Record<string, string | number>>;
  query?: Readonly<Record<string, string | number | undefined>>;
  body?: unknown;
  key?: string;
  signal?: AbortSignal;
};
type AnyResult =
  | { ok: true; value: unknown }
  | { ok: false; error: StaffRefusal; waitsForApproval: null }
  | { ok: false; error: null; waitsForApproval: PendingApproval };

const noAnswer: StaffRefusal = {
  code: "network.failed",
  status: 0,
  message: "Нет связи. Введённое сохранено: проверьте сеть и повторите",
  fields: {},
  data: undefined,
  retryAfter: null,
};

/** A new `Idempotency-Key`. */
export const newKey = (): string => crypto.randomUUID();

/** Calls of the second-factor overlay. They are not repeated after a new sign-in, because that would use up a code for nothing. */
const secondFactorCalls: readonly string[] = [stepUp, readStepUpOptions];

/**
 * Calls the back office's API: `callStaff(contract.changeRoles, { params: { id }, body })`, with `contract` from `contract/staff/calls.ts`.
 * When the session has ended or the second factor is needed, the overlay opens over the screen and the call is repeated under the same key.
 * Never throws: a refusal, a pending approval and a lost connection come back as values.
 */
export async function callStaff<Ref extends StaffCallRef>(
  call: Ref,
  ...[input]: {} extends StaffCallInput<StaffEntryOf<Ref>>
    ? [input?: StaffCallInput<StaffEntryOf<Ref>>]
    : [input: StaffCallInput<StaffEntryOf<Ref>>]
): Promise<StaffResult<StaffEntryOf<Ref>>>;
export async function callStaff(call: string, input: AnyInput = {}): Promise<AnyResult> {
  const key = input.key ?? newKey();
  for (;;) {
    const result = await send(call, { ...input, key });
    const code = result.ok ? null : result.error?.code;
    if (code !== "staff.sign_in_required" && code !== "staff.verify_again") return result;
    if (!(await requestSignIn(code)) || secondFactorCalls.includes(call)) return result;
  }
}

async function send(call: string, { params = {}, query = {}, body, key, signal }: AnyInput): Promise<AnyResult> {
  const [method = "", template = ""] = call.split(" ");
  const path = template.replaceAll(/{(\w+)}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const search = new URLSearchParams(Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, `${value}`]])));
  const headers: Record<string, string> = { accept: "application/json", ...memberHeaders() };
  const isFile = body instanceof Blob;
  if (body !== undefined) headers["content-type"] = isFile ? "application/octet-stream" : "application/json";
  if (method !== "GET" && key) headers["idempotency-key"] = key;
  try {
    const response = await fetch(search.size > 0 ? `${path}?${search}` : path, {
      method,
      headers,
      signal: signal ?? null,
      credentials: "same-origin",
      cache: "no-store",
      body: body === undefined ? null : isFile ? body : JSON.stringify(body),
    });
    if (response.ok && hasFile(response)) return { ok: true, value: { name: fileName(response), content: await response.blob() } };
    const answer: unknown = await response.json();
    if (!response.ok) return { ok: false, error: refusalOf(response, answer), waitsForApproval: null };
    if (response.status === 202) return { ok: false, error: null, waitsForApproval: (answer as { approval: PendingApproval }).approval };
    // The server has checked the answer against the schemas of the same contract; they do not travel to the browser.
    return { ok: true, value: isObject(answer) ? answer["data"] : undefined };
  } catch {
    return { ok: false, error: noAnswer, waitsForApproval: null };
  }
}

const isJson = (response: Response): boolean => (response.headers.get("content-type") ?? "").startsWith("application/json");

/** A file may be JSON, too: the data of a customer. Only files have a name. */
const hasFile = (response: Response): boolean => !isJson(response) || response.headers.has("content-disposition");

/** The name from `Content-Disposition`: the UTF-8 form first. */
function fileName(response: Response): string {
  const header = response.headers.get("content-disposition") ?? "";
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header)?.[1];
  return encoded ? decodeURIComponent(encoded) : (/filename="([^"]+)"/i.exec(header)?.[1] ?? "file");
}

function refusalOf(response: Response, body: unknown): StaffRefusal {
  if (!isObject(body) || typeof body["code"] !== "string" || typeof body["message"] !== "string")
    return { ...noAnswer, status: response.status };
  const wait = Number(response.headers.get("retry-after") ?? "");
  return {
    code: body["code"] as StaffCode,
    status: response.status,
    message: body["message"],
    fields: isObject(body["fields"]) ? (body["fields"] as Record<string, string>) : {},
    data: body["data"],
    retryAfter: Number.isFinite(wait) && wait > 0 ? wait : null,
  };
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** Saves a file from the server as a download of the browser. */
export function saveFile({ name, content }: FileAnswer): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
