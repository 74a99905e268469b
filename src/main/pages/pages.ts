import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { createRequestHandler, RouterContextProvider, type ServerBuild } from "react-router";
import { normalAddress } from "#http/request/request-target.ts";
import { hasCopy } from "#kit/etag.ts";
import { randomId } from "#kit/ids.ts";
import { actorOf } from "#shop/actor.ts";
import type { Ctx, Visitor } from "#shop/context.ts";
import * as pricing from "#shop/pricing/service.ts";
import * as rates from "#shop/rates/service.ts";
import { pageContext } from "#web/context.server.ts";
import { createPageCache, type RenderedPage, type StoredPage } from "./page-cache.ts";
import { createPageRules, isData, type PageRules } from "./page-rules.ts";

/** As long as any address may be: two hundred Russian letters of a query are 1 200 characters here. */
const longestQuery = 2048;
const mostRenders = 5;

export type PagesOptions = {
  ctx: Ctx;
  build: ServerBuild;
  headers: (ask: { scriptHashes: string[]; hasMap: boolean }) => Record<string, string>;
};

/** Serves every address that is not JSON, a picture or a static file: cache for public pages, a render for personal ones. */
export function createPages({ ctx, build, headers }: PagesOptions) {
  // Behind a proxy that ends TLS the router would take our own origin for a foreign one.
  const handle = createRequestHandler({ ...build, allowedActionOrigins: [new URL(ctx.settings.publicUrl).host] }, "production");
  const rulesFor = createPageRules(build.routes);
  const cache = createPageCache({ nowMs: () => ctx.now().getTime() });
  const noVisitor: Visitor = {
    owner: null,
    browser: null,
    customerId: null,
    sidHash: null,
    signedInAt: null,
    deviceHash: null,
    address: "",
    userAgent: "",
  };

  /** A form's answer is never made twice: what it changed is done. */
  function render(request: Request, visitor: Visitor): Promise<RenderedPage> {
    if (request.method !== "GET" && request.method !== "HEAD") return renderOnce(request, visitor);
    return ofOnePriceList(
      () => priceListNow(ctx),
      () => renderOnce(request, visitor),
    );
  }

  async function renderOnce(request: Request, visitor: Visitor): Promise<RenderedPage> {
    const context = new RouterContextProvider();
    const scriptNonce = randomId();
    context.set(pageContext, { ctx: { ...ctx, actor: actorOf(visitor) }, visitor, scriptNonce });
    const response = await handle(request, context);
    const isHtml = (response.headers.get("content-type") ?? "").startsWith("text/html");
    const rendered = Buffer.from(await response.arrayBuffer());
    const { body, scriptHashes } = isHtml
      ? approveOwnScripts(rendered.toString("utf8"), scriptNonce)
      : { body: rendered, scriptHashes: [] };
    const own = Object.fromEntries(response.headers);
    const cookies = response.headers.getSetCookie();
    if (cookies.length > 0) own["set-cookie"] = cookies.join("\n");
    return {
      status: response.status,
      body,
      headers: { ...own, ...headers({ scriptHashes, hasMap: rulesFor(new URL(request.url).pathname).hasMap }) },
    };
  }

  async function servePublic(request: FastifyRequest, reply: FastifyReply, { parameters }: PageRules): Promise<void> {
    const url = canonical(request.url, ctx.settings.publicUrl, parameters);
    // An open page that reads itself again because prices moved must not be given those of before; a feed with them is refused by its taker.
    const page = await cache.get(url.href, await versionNow(ctx), () => render(new Request(url), noVisitor), {
      mustBeCurrent: isData(url.pathname) || url.pathname === "/yml.xml",
    });
    const { location } = page.headers;
    const answer =
      location === undefined ? page : { ...page, headers: { ...page.headers, location: withOwnQuery(location, url, request.url) } };
    await send(request, reply, answer, "public, max-age=0, must-revalidate");
  }

  return {
    /** `visitor` is asked for only where the page is personal, so that public pages cost no session lookup. */
    async serve(request: FastifyRequest, reply: FastifyReply, visitor: () => Promise<Visitor>): Promise<void> {
      const isReading = request.method === "GET" || request.method === "HEAD";
      const one = oneSpelling(request.url);
      if (isReading && one !== request.url)
        return void reply
          .headers(headers({ scriptHashes: [], hasMap: false }))
          .header("cache-control", "public, max-age=3600")
          .redirect(one, 301);
      const rules = rulesFor(request.url.split("?", 1)[0] ?? "/");
      if (isReading && rules.isPublic) return servePublic(request, reply, rules);
      const page = await render(webRequest(request, ctx.settings.publicUrl), await visitor());
      await send(request, reply, page, "private, no-store");
    },
    cacheSize: cache.size,
  };
}

/** The version of the price list that is shown at this moment; null while the database cannot be asked. */
const priceListNow = (ctx: Ctx): Promise<number | null> =>
  pricing.current(ctx).then(
    ({ version }) => version,
    () => null,
  );

/**
 * A page is read together from several places. One whose prices moved while it was made is made again, so that its text, its structured data
 * and its cards are of one list; after `mostRenders` the last one has to do.
 */
export async function ofOnePriceList<T>(listNow: () => Promise<number | null>, make: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const before = await listNow();
    const made = await make();
    if (tries === mostRenders || before === (await listNow())) return made;
  }
}

/** What public pages are made from and may change at any moment: prices, and whether they may be relied on. Asked at most once a second. */
function versionNow(ctx: Ctx): Promise<string> {
  const known = ctx.singleton("pages.version", () => ({ at: -Infinity, version: Promise.resolve("unknown") }));
  const at = performance.now();
  if (at - known.at >= 1_000) {
    known.at = at;
    known.version = Promise.all([pricing.current(ctx), rates.market(ctx)])
      .then(([list, market]) => `${list.version}:${list.isStale}:${list.isDead}:${market.isOpen}`)
      .catch(() => "unknown"); // without the database a kept page still serves
  }
  return known.version;
}

/** The address a public page is known by: the parameters that change it sorted, the rest folded into one mark. */
export function canonical(rawUrl: string, publicUrl: string, parameters: ReadonlySet<string>): URL {
  const asked = new URL(rawUrl.replace(/^\/+/, "/"), publicUrl);
  const query = new URLSearchParams();
  let hasOther = asked.search.length > longestQuery;
  if (!hasOther) {
    for (const [name, value] of asked.searchParams) {
      if (parameters.has(name)) query.append(name, value);
      else hasOther = true;
    }
  }
  query.sort();
  if (hasOther) query.append("other", "1");
  const url = new URL(asked.pathname, publicUrl);
  url.search = query.toString();
  return url;
}

/** Where a redirect of a public page leads: the page saw of the query only what it knows (`url`), and whoever is sent on keeps all that he asked with. */
export function withOwnQuery(location: string, url: URL, rawUrl: string): string {
  const to = new URL(location, url);
  const known = new URLSearchParams(url.search);
  known.delete("other");
  if (to.origin !== url.origin || to.search.slice(1) !== known.toString()) return location;
  return `${to.pathname}${new URL(rawUrl.replace(/^\/+/, "/"), url).search}${to.hash}`;
}

/** Where an address with a slash at its end leads, `/catalog/` to `/catalog`; null when it has none. Never to another host. */
export function withoutSlash(rawUrl: string): string | null {
  const [, path = "", rest = ""] = /^([^?]*?)\/+(\?.*)?$/s.exec(rawUrl) ?? [];
  return path === "" ? null : `${path.replace(/^[/\\]+/, "/")}${rest}`;
}

/** The one spelling of an address: in its normal form and without a slash at its end. Whoever asks with another is sent there. */
export function oneSpelling(rawUrl: string): string {
  const normal = normalAddress(rawUrl) ?? rawUrl;
  return withoutSlash(normal) ?? normal;
}

function webRequest(request: FastifyRequest, publicUrl: string): Request {
  const headers = new Headers();
  for (const name of ["accept", "accept-language", "content-type", "cookie"]) {
    const value = request.headers[name];
    if (typeof value === "string") headers.set(name, value);
  }
  // The guard has already refused foreign origins; the router compares Origin with the address it is given.
  if (request.method !== "GET" && request.method !== "HEAD") headers.set("origin", new URL(publicUrl).origin);
  const hasBody = request.method !== "GET" && request.method !== "HEAD" && Buffer.isBuffer(request.body);
  return new Request(new URL(request.url.replace(/^\/+/, "/"), publicUrl), {
    method: request.method,
    headers,
    ...(hasBody ? { body: new Uint8Array(request.body as Buffer) } : {}),
  });
}

async function send(request: FastifyRequest, reply: FastifyReply, page: RenderedPage | StoredPage, cacheControl: string): Promise<void> {
  const { "set-cookie": cookies, "content-length": _length, "transfer-encoding": _encoding, ...rest } = page.headers;
  reply.code(page.status).headers(rest);
  if (cookies) reply.header("set-cookie", cookies.split("\n"));
  reply.header("cache-control", page.status >= 400 ? "no-store" : cacheControl);
  if (page.status >= 300 && page.status < 400) return void reply.send(); // a redirect has nothing to show, not even of a type
  if (!("etag" in page)) return void reply.send(page.body);
  reply.header("etag", page.etag).header("vary", "Accept-Encoding");
  if (hasCopy(request.headers["if-none-match"], page.etag)) return void reply.code(304).send();
  const accepted = [request.headers["accept-encoding"] ?? ""].join(",");
  if (/\bbr\b/.test(accepted)) return void reply.header("content-encoding", "br").send(page.br);
  if (/\bgzip\b/.test(accepted)) return void reply.header("content-encoding", "gzip").send(await page.gzip());
  return void reply.send(page.body);
}

/**
 * Approves the inline scripts that the page itself wrote: those with this render's nonce, which nothing that came with its data can know.
 * Returns `'sha256-…'` of each for the policy, and the page without the nonce, so that it can be stored and given to everybody.
 */
export function approveOwnScripts(html: string, nonce: string): { body: Buffer; scriptHashes: string[] } {
  const mark = ` nonce="${nonce}"`;
  const hashes = new Set<string>();
  for (const [, attributes = "", text = ""] of html.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)) {
    if (!attributes.includes(mark) || /\ssrc=/.test(attributes)) continue;
    hashes.add(`'sha256-${createHash("sha256").update(text).digest("base64")}'`);
  }
  return { body: Buffer.from(html.replaceAll(mark, "")), scriptHashes: [...hashes] };
}
