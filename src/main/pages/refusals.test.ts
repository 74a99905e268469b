import { data, type LoaderFunctionArgs, type RouterContextProvider } from "react-router";
import { afterAll, beforeAll, expect, test } from "vitest";
import { host, openHttpBench, type HttpBench } from "#http/testing.ts";
import { pageContext } from "#web/context.server.ts";
import { createPages } from "./pages.ts";
import { buildOf } from "./testing.ts";

const loader = async () => new Response("page", { headers: { "content-type": "text/plain" } });
async function brokenLoader(): Promise<Response> {
  throw new Error("the table is gone");
}
async function action({ request }: LoaderFunctionArgs): Promise<Response> {
  const form = await request.formData();
  return new Response(JSON.stringify([...form]), { headers: { "content-type": "text/plain" } });
}
async function limitedAction({ context }: LoaderFunctionArgs): Promise<Response> {
  (context as RouterContextProvider).get(pageContext).retryAfter?.(59.2);
  return new Response("later", { status: 429, headers: { "content-type": "text/plain" } });
}
async function missingLoader(): Promise<Response> {
  throw data(null, { status: 404 });
}
async function missingTextLoader(): Promise<Response> {
  throw new Response(null, { status: 404 });
}
const build = buildOf({
  "missing-text": { path: "missing.xml", module: { loader: missingTextLoader, handle: { isPublic: true } } },
  missing: { path: "missing.pdf", module: { loader: missingLoader } },
  "missing-public": { path: "missing.txt", module: { loader: missingLoader, handle: { isPublic: true } } },
  limited: { path: "limited", module: { loader, action: limitedAction } },
  form: { path: "form", module: { loader, action } },
  text: { path: "text", module: { loader, handle: { isPublic: true } } },
  broken: { path: "broken", module: { loader: brokenLoader, handle: { isPublic: true } } },
});

let pages: ReturnType<typeof createPages>;
let bench: HttpBench;
beforeAll(async () => {
  bench = await openHttpBench({ deps: { renderPage: (...given) => pages.serve(...given) } });
  pages = createPages({ ctx: bench.ctx, build, styleSheet: () => undefined, inlinePicture: () => undefined, headers: () => ({}) });
});
afterAll(() => bench.close());

async function post(url: string, type: string | null, payload?: string) {
  const { statusCode, headers, body } = await bench.app.inject({
    method: "POST",
    url,
    headers: { host, origin: "http://localhost:3000", ...(type === null ? {} : { "content-type": type }) },
    ...(payload === undefined ? {} : { payload }),
  });
  return { statusCode, allow: headers.allow, retryAfter: headers["retry-after"], body };
}

test("a page reads forms as browsers send them, also one without fields", async () => {
  const multipart = '--b\r\nContent-Disposition: form-data; name="id"\r\n\r\n2\r\n--b--\r\n';
  const answers = [
    await post("/form", "application/x-www-form-urlencoded;charset=UTF-8", "id=1"),
    await post("/form", "multipart/form-data; boundary=b", multipart),
    await post("/form", null),
  ];
  expect(answers.map(({ statusCode, body }) => [statusCode, body])).toEqual([
    [200, '[["id","1"]]'],
    [200, '[["id","2"]]'],
    [200, "[]"],
  ]);
});

test("a body that is not a form is refused, without a fault", async () => {
  for (const [type, payload, statusCode] of [
    ["application/json", '{"id":1}', 415],
    ["text/plain", "id=1", 415],
    ["application/x-www-form-urlencodedx", "id=1", 415],
    [null, "id=1", 415],
    ["multipart/form-data; boundary=b", "no parts", 400],
    ["multipart/form-data", "id=1", 400],
  ] as const)
    expect([type, (await post("/form", type, payload)).statusCode]).toEqual([type, statusCode]);
  expect(bench.faults).toEqual([]);
});

test("a form that is refused for now says when to try again", async () => {
  expect(await post("/limited", null)).toMatchObject({ statusCode: 429, body: "later", retryAfter: "60" });
  expect((await post("/form", null)).retryAfter).toBeUndefined();
});

test("a page without a form says which methods it takes", async () => {
  expect(await post("/text", "application/x-www-form-urlencoded", "id=1")).toMatchObject({ statusCode: 405, allow: "GET, HEAD" });
  expect(bench.faults).toEqual([]);
});

test("a fault of a page without a frame is 503 in Russian, also of the data of a page", async () => {
  const get = (url: string, accept: string) => bench.app.inject({ url, headers: { host, accept } });
  const file = await get("/broken", "*/*");
  expect([file.statusCode, file.json()]).toMatchObject([503, { code: "service.unavailable", message: "Сервис временно недоступен" }]);
  expect((await get("/broken", "text/html")).body).toContain("Сервис временно недоступен");
  const faults = [file, await get("/broken", "text/html"), await get("/broken.data", "*/*")];
  expect(faults.map(({ statusCode, headers }) => [statusCode, headers["retry-after"]])).toEqual(faults.map(() => [503, "2"]));
  expect(bench.faults).toHaveLength(4);
});

test("a file that is not there is a page for a browser and JSON for a program, in Russian", async () => {
  const get = (url: string, accept: string) => bench.app.inject({ url, headers: { host, accept } });
  for (const url of ["/missing.pdf?key=k", "/missing.txt", "/missing.xml"]) {
    const page = await get(url, "text/html,*/*");
    expect([page.statusCode, page.headers["content-type"], page.headers["cache-control"]]).toEqual([
      404,
      "text/html; charset=utf-8",
      "private, no-store",
    ]);
    expect(page.body).toContain("Такой страницы нет");
    const program = await get(url, "*/*");
    expect([program.statusCode, program.json()]).toMatchObject([404, { code: "request.not_found", message: "Такой страницы нет" }]);
  }
});
