import type { FastifyReply, FastifyRequest } from "fastify";
import { createRequestHandler, type RequestHandler, RouterContextProvider, type ServerBuild } from "react-router";
import { outageRetrySeconds } from "#contract/problems.ts";
import { priceListHeader, priceListIn } from "#contract/public/price-list.ts";
import { RequestRefused, retryAfterText } from "#http/problems.ts";
import { acceptsBr, acceptsGzip } from "#kit/network/accepted-encoding.ts";
import { withDeadline } from "#kit/concurrency/deadline.ts";
import { hasCopy } from "#kit/network/etag.ts";
import { randomId } from "#kit/ids.ts";
import { actorOf } from "#shop/actor.ts";
import type { Ctx, PreviewSubject, Visitor } from "#shop/context.ts";
import * as pricing from "#shop/pricing/service.ts";
import * as search from "#shop/search/service.ts";
import { deadlineOf, feedDeadlineOf } from "#shop/settings.ts";
import * as settings from "#shop/settings/service.ts";
import { previewParameter, previewSubject } from "#shop/staff/preview-token.ts";
import { pageContext } from "#web/context.server.ts";
import type { PageHtml } from "#web/fragments/inserts.ts";
import { readBody, unpack, type PackedBody } from "./large-body.ts";
import { pageBody } from "./page-body.ts";
import { compressOnce, createPageCache, type RenderedPage, type CachedPage, type PackedPage } from "./page-cache.ts";
import { createPageRules, isData, type PageRules } from "./page-rules.ts";
import { cacheKeyOf, withKnownValues, withRequestQuery, canonicalAddress } from "./page-address.ts";
import {
  readCatalogueState,
  readPriceListVersion,
  renderWithOnePriceList,
  unknownVersion,
  type PageDataVersion,
  versionText,
  unknownData,
  versionOf,
  latestVersion,
  pageDataVersionSince,
} from "./page-version.ts";

/** How many raw addresses are stored with their cache keys, and the longest of them. */
const maxKnownAddresses = 10_000;
const maxKnownLength = 500;

export type PagesOptions = {
  ctx: Ctx;
  build: ServerBuild;
  /** A style sheet of the build by its address; undefined if the build has none there. */
  styleSheet: (href: string) => Uint8Array | undefined;
  /** The picture at an address as a `data:` address, for pages that are cached; undefined: the page names the address. */
  inlinePicture: (address: string) => Uint8Array | undefined;
  headers: (request: { scriptHashes: string[]; styleHashes: string[]; hasMap: boolean }) => Record<string, string>;
};

/** Serves every address that is not JSON, a picture or a static file: public pages from the cache, personal ones by rendering. */
export function createPages({ ctx, build, styleSheet, inlinePicture, headers }: PagesOptions) {
  // Behind a proxy that ends TLS the router would treat the shop's own origin as foreign.
  const handlerFor = createHandlers({ ...build, allowedActionOrigins: [new URL(ctx.settings.publicUrl).host] });
  const rulesFor = createPageRules(build.routes);
  const cache = createPageCache({ nowMs: () => ctx.now().getTime() });
  /** Cache keys of raw addresses that were answered from the cache: making a key costs as much as answering. */
  const keys = new Map<string, string>();
  const known = versionOf(ctx);
  /** The version of cached pages as it was joined last: comparing one text with itself costs nothing. */
  let lastVersion = { data: unknownData, settings: "", text: "" };
  const pageVersionOf = (data: PageDataVersion): string => {
    const ofSettings = settings.version(ctx);
    if (lastVersion.data !== data || lastVersion.settings !== ofSettings)
      lastVersion = { data, settings: ofSettings, text: `${versionText(data)}|${ofSettings}` };
    return lastVersion.text;
  };
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

  const inDeadline = <T>(work: () => Promise<T>, isFeed = false): Promise<T> =>
    withDeadline((isFeed ? feedDeadlineOf : deadlineOf)(ctx.settings.limits), work);

  /** The answer to a form is rendered once: its change is already made. */
  async function render(request: Request, visitor: Visitor, preview: PreviewSubject | null = null): Promise<RenderedPage | PackedPage> {
    if (request.method !== "GET" && request.method !== "HEAD") return renderOnce(request, visitor, preview);
    let list: number | null = null;
    const page = await renderWithOnePriceList(
      async () => (list = await readPriceListVersion(ctx)),
      () => renderOnce(request, visitor, preview),
    );
    return list === null ? page : { ...page, headers: { ...page.headers, [priceListHeader.toLowerCase()]: String(list) } };
  }

  async function renderOnce(request: Request, visitor: Visitor, preview: PreviewSubject | null): Promise<RenderedPage | PackedPage> {
    const context = new RouterContextProvider();
    const scriptNonce = randomId();
    const pageCtx: Ctx = { ...ctx, actor: actorOf(visitor), ...(preview ? { preview } : {}) };
    const { pathname } = new URL(request.url);
    const rules = rulesFor(pathname);
    const hasStyles = rules.isPublic || isCompressed(request.method, request.url, request.headers.get("accept-encoding"));
    const page: { html: PageHtml | null } = { html: null };
    const receiveHtml = (html: PageHtml) => void (page.html = html);
    const answer: { retryAfterSeconds: number | null } = { retryAfterSeconds: null };
    const retryAfter = (seconds: number) => void (answer.retryAfterSeconds = seconds);
    context.set(pageContext, {
      ctx: pageCtx,
      visitor,
      scriptNonce,
      styleSheet: hasStyles ? styleSheet : () => undefined,
      inlinePicture: rules.isPublic ? inlinePicture : () => undefined,
      receiveHtml,
      retryAfter,
      ...(isData(pathname) ? {} : { texts: [] }),
    });
    const response = await handlerFor(rules)(request, context);
    const isFault = response.status === 500;
    // The router's own answer to a fault, in English; that to a request for data is read by the router in the browser.
    if (isFault && !isData(pathname)) throw new RequestRefused({ code: "service.unavailable", retryAfterSeconds: outageRetrySeconds });
    if (isFault) retryAfter(outageRetrySeconds);
    const { body, digest, ...hashes } =
      page.html === null ? { body: await bodyOf(response, rules), ...noHashes } : pageBody(page.html, scriptNonce);
    const own = Object.fromEntries(response.headers);
    const cookies = response.headers.getSetCookie();
    if (cookies.length > 0) own["set-cookie"] = cookies.join("\n");
    if (answer.retryAfterSeconds !== null) own["retry-after"] = retryAfterText(answer.retryAfterSeconds);
    const all = { ...own, ...headers({ ...hashes, hasMap: rules.hasMap }) };
    if (!Buffer.isBuffer(body)) return { status: response.status, packed: body, headers: all };
    return { status: isFault ? 503 : response.status, body, headers: all, ...(digest === undefined ? {} : { digest }) };
  }

  /** Without the database any slug may be that of a coin, so that the pages of coins are still served from the cache. */
  const isOnSale = (slug: string, isBullion: boolean): Promise<boolean> =>
    search.coinBySlug(ctx, slug).then(
      (coin) => coin !== null && (!isBullion || coin.kind === "bullion"),
      () => true,
    );

  async function servePublic(request: FastifyRequest, reply: FastifyReply, rules: PageRules): Promise<void> {
    const { isFeed, isPriceFeed } = rules;
    const requested = cacheKeyOf(request.url, ctx.settings.publicUrl, rules.parameters);
    const { url, isLasting } = await inDeadline(() => withKnownValues(requested, rules, isOnSale));
    // A page that reloads its data after a price change must not get the old prices either.
    const isAlwaysCurrent = isData(url.pathname) || isPriceFeed;
    const page = await inDeadline(async () => {
      const { prices, texts } = await pageDataVersionSince(ctx, priceListIn(request.headers));
      const edits = `${texts}|${settings.version(ctx)}`;
      // New prices reach an open page by the stream; an edited text does not, so no visitor gets the page from before the edit.
      const mustBeCurrent = (stored: string) => isAlwaysCurrent || (texts !== unknownVersion && !stored.endsWith(`|${edits}`));
      const state = isPriceFeed ? await readCatalogueState(ctx) : null;
      const version = state === null ? `${prices}|${edits}` : `${prices}|${state}|${edits}`;
      const isExact = state !== null && state !== unknownVersion;
      return cache.get(url.href, version, () => render(new Request(url), noVisitor), { mustBeCurrent, isExact });
    }, isFeed);
    if (page.status === 200 && request.method === "GET" && isLasting && request.url.length <= maxKnownLength) {
      if (keys.size >= maxKnownAddresses) keys.clear();
      keys.set(request.url, url.href);
    }
    const { location } = page.headers;
    const answer =
      location === undefined ? page : { ...page, headers: { ...page.headers, location: withRequestQuery(location, url, request.url) } };
    await send(request, reply, answer, "public, max-age=0, must-revalidate", rules);
  }

  return {
    /** `visitor` is resolved only for personal pages, so that public pages cost no session lookup. */
    async serve(request: FastifyRequest, reply: FastifyReply, visitor: () => Promise<Visitor>): Promise<void> {
      const isReading = request.method === "GET" || request.method === "HEAD";
      const one = canonicalAddress(request.url);
      if (isReading && one !== request.url)
        return void reply
          .headers(headers({ scriptHashes: [], styleHashes: [], hasMap: false }))
          .header("cache-control", "public, max-age=3600")
          .redirect(one, 301);
      const rules = rulesFor(request.url.split("?", 1)[0] ?? "/");
      const preview = isReading ? previewOf(ctx, request.url) : null;
      if (preview) {
        const page = await inDeadline(async () => render(webRequest(request, ctx.settings.publicUrl), await visitor(), preview));
        return send(request, reply.header("x-robots-tag", "noindex"), page, "private, no-store", rules);
      }
      if (isReading && rules.isPublic) return servePublic(request, reply, rules);
      const page = await inDeadline(async () => {
        const seen = priceListIn(request.headers);
        if (seen > 0) await pricing.catchUp(ctx, seen);
        const asked = webRequest(request, ctx.settings.publicUrl);
        if (!isReading) await checkForm(asked);
        return render(asked, await visitor());
      });
      await send(request, reply, page, "private, no-store", rules);
    },
    /**
     * The page of a raw address if it is in the cache, fresh, of the current version and not older than the price list that the client has
     * seen; otherwise `serve` must answer.
     */
    findCached(rawUrl: string, seen: number): CachedPage | null {
      const key = keys.get(rawUrl);
      const version = key === undefined ? null : latestVersion(known);
      if (key === undefined || version === null || version.list < seen) return null;
      return cache.current(key, pageVersionOf(version));
    },
    cacheSize: cache.size,
  };
}

/**
 * The router's handlers of pages, each with the page's own routes only: it matches all routes of a build, and makes them anew for React,
 * for each page. An address without a route, which the router answers itself, gets all of them.
 */
function createHandlers(build: ServerBuild): (page: Pick<PageRules, "routeIds">) => RequestHandler {
  const handlers = new Map<string, RequestHandler>();
  const only = <T>(of: Readonly<Record<string, T>>, ids: readonly string[]) =>
    Object.fromEntries(ids.flatMap((id) => (Object.hasOwn(of, id) ? [[id, of[id]]] : [])));
  return ({ routeIds }) => {
    const page = routeIds.at(-1) ?? "";
    const known = handlers.get(page);
    if (known) return known;
    const { routes, assets } = build;
    const own = { ...build, routes: only(routes, routeIds), assets: { ...assets, routes: only(assets.routes, routeIds) } };
    const handler = createRequestHandler(page === "" ? build : (own as ServerBuild), "production");
    handlers.set(page, handler);
    return handler;
  };
}

/** Of an answer that is not a page. */
const noHashes = { digest: undefined, scriptHashes: [], styleHashes: [] };

/** Only an answer that is cached for all visitors may be packed. */
async function bodyOf({ status, body }: Response, { isPublic, isFeed }: PageRules): Promise<Buffer | PackedBody> {
  if (body === null) return Buffer.alloc(0);
  return isPublic && isFeed && status === 200 ? readBody(body) : Buffer.from(await new Response(body).arrayBuffer());
}

/** The draft that the address may show by its token; null: it has no valid one. */
function previewOf(ctx: Ctx, rawUrl: string): PreviewSubject | null {
  if (!rawUrl.includes(`${previewParameter}=`)) return null;
  const token = new URL(rawUrl.replace(/^\/+/, "/"), ctx.settings.publicUrl).searchParams.get(previewParameter);
  return token === null ? null : previewSubject(ctx, token);
}

function webRequest(request: FastifyRequest, publicUrl: string): Request {
  const headers = new Headers();
  for (const name of ["accept", "accept-encoding", "accept-language", "content-type", "cookie"]) {
    const value = request.headers[name];
    if (typeof value === "string") headers.set(name, value);
  }
  const url = new URL(request.url.replace(/^\/+/, "/"), publicUrl);
  const { method, body } = request;
  if (method === "GET" || method === "HEAD") return new Request(url, { method, headers });
  // The guard has already refused foreign origins; the router compares Origin with this address.
  headers.set("origin", new URL(publicUrl).origin);
  // A form without fields may come without a body and its type.
  if (!Buffer.isBuffer(body) && !headers.has("content-type")) headers.set("content-type", "application/x-www-form-urlencoded");
  return new Request(url, { method, headers, body: Buffer.isBuffer(body) ? new Uint8Array(body) : "" });
}

const formTypes = /^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i;

/** Actions of pages read a form. What is none is refused here, because reading it would end in a fault. */
async function checkForm(request: Request): Promise<void> {
  if (!formTypes.test(request.headers.get("content-type") ?? "")) throw new RequestRefused({ code: "request.bad_type" });
  const isReadable = await request
    .clone()
    .formData()
    .then(
      () => true,
      () => false,
    );
  if (!isReadable) throw new RequestRefused({ code: "request.malformed" });
}

/**
 * Whether a page that is rendered for one request is compressed, and so can afford to contain its styles. Not with a query, which a foreign
 * page may have chosen: compressed together with personal data, it would reveal that data by the length (BREACH).
 */
export const isCompressed = (method: string, url: string, accepted: string | string[] | null | undefined): boolean =>
  method === "GET" && !url.includes("?") && acceptsBr(String(accepted));

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  page: RenderedPage | CachedPage | PackedPage,
  cacheControl: string,
  { isFile }: Pick<PageRules, "isFile">,
): Promise<void> {
  if (isFile && page.status === 404) throw new RequestRefused({ code: "request.not_found" });
  const { "set-cookie": cookies, "content-length": _length, "transfer-encoding": _encoding, ...rest } = page.headers;
  reply.code(page.status).headers(rest);
  if (cookies) reply.header("set-cookie", cookies.split("\n"));
  reply.header("cache-control", page.status >= 400 ? "no-store" : cacheControl);
  if (page.status === 405) reply.header("allow", "GET, HEAD"); // a form was posted to a page that takes none
  if (page.status >= 300 && page.status < 400) return void reply.send(); // a redirect has no body and no type
  if ("packed" in page) return sendPacked(request, reply, page.packed);
  if ("etag" in page) return sendPacked(request, reply, page);
  const isHtml = page.headers["content-type"]?.startsWith("text/html") ?? false;
  if (!isHtml || !isCompressed(request.method, request.url, request.headers["accept-encoding"])) return void reply.send(page.body);
  reply.header("vary", "Accept-Encoding").header("content-encoding", "br");
  return void reply.send(await compressOnce(page.body));
}

async function sendPacked(request: FastifyRequest, reply: FastifyReply, { br, length, etag, gzip }: PackedBody): Promise<void> {
  reply.header("etag", etag).header("vary", "Accept-Encoding");
  if (hasCopy(request.headers["if-none-match"], etag)) return void reply.code(304).send();
  const accepted = [request.headers["accept-encoding"] ?? ""].join(",");
  if (acceptsBr(accepted)) return void reply.header("content-encoding", "br").send(br);
  if (acceptsGzip(accepted)) return void reply.header("content-encoding", "gzip").send(await gzip());
  reply.header("content-length", length);
  return void reply.send(request.method === "HEAD" ? undefined : unpack(br));
}
