import { STATUS_CODES } from "node:http";
import * as z from "zod";
import { commonProblems, type Call } from "#contract/call.ts";
import { priceListHeader } from "#contract/public/price-list.ts";
import { problems, type ProblemCode } from "#contract/problems.ts";
import type { Endpoint } from "../endpoint.ts";
import { backgrounds, fits, formats, qualities, sides } from "../images/encoding/modifiers.ts";

type Schema = Record<string, unknown>;
export type OpenApi = { openapi: "3.1.0"; info: object; paths: Record<string, Record<string, Operation>>; components: object };
export type Operation = {
  summary: string;
  operationId: string;
  parameters: object[];
  requestBody?: object;
  responses: Record<string, object>;
  "x-changes-state": boolean;
  "x-asker": string;
};

/** The contract as OpenAPI 3.1, generated from the schemas that check the requests. */
export function openApi(endpoints: readonly Endpoint[], version: string): OpenApi {
  const paths: OpenApi["paths"] = {};
  for (const { call } of endpoints) {
    const path = (paths[call.path] ??= {});
    path[call.method.toLowerCase()] = operation(call, call.method);
    if (call.isLegacyGet) path.get = operation(call, "GET");
  }
  Object.assign(paths, besideCalls);
  return {
    openapi: "3.1.0",
    info: {
      title: "Чекан",
      version,
      description: "Amounts are roubles, times ISO 8601 with offset. Generated from the schemas that check the requests.",
    },
    paths,
    components: { schemas: { Problem: problemSchema } },
  };
}

const plain = (summary: string, statuses: readonly number[], parameters: object[] = []): Operation => ({
  summary,
  operationId: summary.toLowerCase().replaceAll(/[^a-z]+(\w)/g, (_, next: string) => next.toUpperCase()),
  parameters,
  responses: Object.fromEntries(statuses.map((status) => [String(status), { description: STATUS_CODES[status] }])),
  "x-changes-state": false,
  "x-asker": "anybody",
});

const imageParameter = (name: string, schema: Schema, required = false): object => ({ in: "query", name, required, schema });

/** Routes that are not calls. */
const besideCalls: OpenApi["paths"] = {
  "/api/payments/{provider}/webhook": {
    post: plain(
      "Notification of a payment provider",
      [200, 413, 421, 503],
      [{ in: "path", name: "provider", required: true, schema: { type: "string" } }],
    ),
  },
  "/api/courses/stream": {
    get: plain(
      "Accepted rates as text/event-stream: event `courses` with the body of /api/courses, event `work` with that of /api/work",
      [200, 429, 503],
      [{ in: "header", name: "Last-Event-ID", required: false, schema: { type: "string" } }],
    ),
  },
  "/api/openapi.json": { get: plain("This document", [200]) },
  "/api/docs": { get: plain("This document for people", [200]) },
  "/_image": {
    get: plain(
      "A variant of a picture of the shop or of the configured foreign origin",
      [200, 304, 400, 404, 413, 415, 502, 503],
      [
        imageParameter(
          "url",
          {
            type: "string",
            maxLength: 1000,
            description: "/media/coins/….webp, /media/scenes/….webp; with IMAGE_ORIGIN a path there or its full address",
          },
          true,
        ),
        imageParameter("format", { enum: formats, description: "else AVIF where accepted, WebP elsewhere" }),
        ...["width", "height"].map((name) =>
          imageParameter(name, { type: "integer", minimum: 1, maximum: 10_000, description: `becomes the nearest of ${sides.join(", ")}` }),
        ),
        imageParameter("resize", { type: "string", pattern: String.raw`^\d+x\d+$`, description: "width and height in one" }),
        imageParameter("fit", { enum: fits, default: "cover" }),
        imageParameter("quality", {
          type: "integer",
          minimum: 1,
          maximum: 100,
          description: `becomes the nearest of ${qualities.join(", ")}`,
        }),
        imageParameter("background", {
          type: "string",
          enum: Object.entries(backgrounds).flatMap(([name, colour]) => (colour === null ? [name] : [name, colour])),
        }),
      ],
    ),
  },
  "/healthz": { get: plain("Alive", [200]) },
  "/readyz": { get: plain("Ready to serve", [200, 503]) },
  "/metrics": { get: plain("Figures for Prometheus", [200, 404]) },
};

const problemSchema: Schema = {
  type: "object",
  required: ["statusCode", "statusMessage", "code", "message"],
  properties: {
    statusCode: { type: "integer" },
    statusMessage: { type: "string" },
    code: { type: "string" },
    message: { type: "string" },
    fields: { type: "object", additionalProperties: { type: "string" } },
    data: {},
  },
};

const seenPriceList = {
  in: "header",
  name: priceListHeader,
  required: false,
  schema: { type: "integer", minimum: 1 },
  description: "The newest version of the price list that the client has seen (the second number of an event's id): prices are not older",
};

function operation(call: Call, method: string): Operation {
  const takesBody = method !== "GET" && call.body;
  return {
    summary: call.summary,
    operationId: `${method.toLowerCase()} ${call.path}`.replaceAll(/[^A-Za-z]+(\w?)/g, (_, next: string) => next.toUpperCase()),
    parameters: [
      ...parameters("path", call.params),
      ...parameters("query", call.query),
      ...(call.needsKey
        ? [{ in: "header", name: "Idempotency-Key", required: true, schema: { type: "string", minLength: 1, maxLength: 64 } }]
        : []),
      ...(method === "GET" ? [seenPriceList] : []),
    ],
    ...(takesBody
      ? { requestBody: { required: !call.isBodyOptional, content: { "application/json": { schema: inputSchema(takesBody) } } } }
      : {}),
    responses: { ...successes(call), ...refusals(call) },
    "x-changes-state": call.changes,
    "x-asker": call.asker,
  };
}

function parameters(place: "path" | "query", schema: z.ZodType | undefined): object[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = inputSchema(schema) as { properties?: Record<string, Schema>; required?: string[] };
  return Object.entries(properties).map(([name, each]) => ({
    in: place,
    name,
    required: place === "path" || required.includes(name),
    schema: each,
  }));
}

function successes(call: Call): Record<string, object> {
  const schema = outputSchema(call.answer);
  const body = call.isBare ? schema : { type: "object", required: ["data"], properties: { data: schema } };
  return Object.fromEntries(
    (call.statuses ?? [200]).map((status) => [
      String(status),
      { description: STATUS_CODES[status], content: { "application/json": { schema: body } } },
    ]),
  );
}

/** By status, with the possible codes: the call's own and those shared by all calls of its kind. */
function refusals(call: Call): Record<string, object> {
  const byStatus = Map.groupBy(new Set([...call.problems, ...commonProblems(call)]), (code) => problems[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: codes.map((code) => `\`${code}\` ${problems[code].message}`).join("; "),
        content: { "application/json": { schema: { $ref: "#/components/schemas/Problem", ...dataOf(call, codes) } } },
      },
    ]),
  );
}

/** The `data` of each code that has any. */
function dataOf(call: Call, codes: readonly ProblemCode[]): Schema {
  if (codes.every((code) => !call.refusalData?.[code])) return {};
  const cases = codes.map((code) => {
    const schema = call.refusalData?.[code];
    return { properties: { code: { const: code }, ...(schema ? { data: outputSchema(schema) } : {}) } };
  });
  return { anyOf: cases };
}

function outputSchema(schema: z.ZodType): Schema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "output", unrepresentable: "any" }) as Schema;
  return rest;
}

function inputSchema(schema: z.ZodType): Schema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Schema;
  return rest;
}
