import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import type { Endpoint } from "../endpoint.ts";
import { openApi, type OpenApi, type Operation } from "./openapi.ts";
import { escapeHtml, htmlPage } from "../plain-html.ts";

/** Long addresses break, and schemas scroll on their own, so that a phone shows the page without scrolling sideways. */
const style = "h2{overflow-wrap:anywhere}pre{overflow-x:auto}";
const styleHash = `'sha256-${createHash("sha256").update(style).digest("base64")}'`;

/** `/api/openapi.json` and the page `/api/docs`, both generated once from the calls. */
export function registerDocs(scope: FastifyInstance, endpoints: readonly Endpoint[], version: string): void {
  let made: { json: string; html: string } | null = null;
  const documents = () => {
    if (made === null) {
      const document = openApi(endpoints, version);
      made = { json: JSON.stringify(document), html: page(document) };
    }
    return made;
  };
  const policy = `default-src 'none'; style-src ${styleHash}; base-uri 'none'; frame-ancestors 'none'`;
  const headers = { "cache-control": "no-cache", "content-security-policy": policy };
  scope.get("/api/openapi.json", { exposeHeadRoute: true }, async (_, reply) =>
    reply.headers(headers).type("application/json; charset=utf-8").send(documents().json),
  );
  scope.get("/api/docs", { exposeHeadRoute: true }, async (_, reply) =>
    reply.headers(headers).type("text/html; charset=utf-8").send(documents().html),
  );
}

function page(document: OpenApi): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, each]) => section(method, path, each)),
  );
  return htmlPage(
    "Чекан: HTTP-контракт",
    `<style>${style}</style><main><h1>HTTP-контракт</h1><p>Тело запроса и ответа — JSON в UTF-8, суммы в рублях, время ISO 8601 со смещением. ` +
      `Машиночитаемая форма: <a href="/api/openapi.json">/api/openapi.json</a>.</p>\n${operations.join("\n")}</main>`,
  );
}

function section(method: string, path: string, each: Operation): string {
  const parts = [
    each.parameters.length > 0 ? details("Параметры", each.parameters) : "",
    each.requestBody ? details("Тело запроса", each.requestBody) : "",
    ...Object.entries(each.responses).map(([status, response]) => {
      const { description } = response as { description: string };
      return Number(status) < 300 ? details(`Ответ ${status}`, response) : `<p>${status}: ${escapeHtml(description)}</p>`;
    }),
  ];
  const heading = `<h2><code>${method.toUpperCase()} ${escapeHtml(path)}</code></h2><p>${escapeHtml(each.summary)}</p>`;
  return `<section>${heading}${parts.join("")}</section><hr>`;
}

const details = (title: string, content: unknown): string =>
  `<details><summary>${escapeHtml(title)}</summary><pre>${escapeHtml(JSON.stringify(content, null, 2))}</pre></details>`;
