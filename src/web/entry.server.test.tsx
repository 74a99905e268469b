import { createContext, useContext } from "react";
import { createStaticHandler, RouterContextProvider, type EntryContext } from "react-router";
import { expect, test } from "vitest";
import { pageBody } from "#main/pages/page-body.ts";
import { pageContext } from "./context.server.ts";
import handleRequest from "./entry.server.tsx";
import { PageScripts } from "./first-view/page-scripts.tsx";
import { PageStyles } from "./first-view/page-styles.tsx";
import { CachedFragment } from "./fragments/cached-fragment.tsx";
import type { PageHtml } from "./fragments/inserts.ts";

test("a page that ends in a fault is 503 and says when to try again, as a call does; one that is not found does not", async () => {
  async function head(status: number) {
    const waits: number[] = [];
    const context = new RouterContextProvider();
    const page = {
      ctx: null as never,
      visitor: null as never,
      scriptNonce: "",
      styleSheet: () => undefined,
      inlinePicture: () => undefined,
      receiveHtml: () => {},
    };
    context.set(pageContext, { ...page, retryAfter: (wait) => waits.push(wait) });
    const request = new Request("http://localhost:3000/", { method: "HEAD" });
    const answer = await handleRequest(request, status, new Headers(), {} as EntryContext, context);
    return [answer.status, waits];
  }
  expect(await head(500)).toEqual([503, [2]]);
  expect(await head(404)).toEqual([404, []]);
});

const Inside = createContext(false);
/** Rendered alone it has no context, so it is not a fragment; pages must not break because of it. */
function NeedsContext() {
  if (!useContext(Inside)) throw new Error("outside");
  return <b>внутри</b>;
}
const Plain = ({ text }: { text: string }) => <i>{text}</i>;
const broken = { is: false };
const Root = () => (
  <Inside value={true}>
    <PageStyles />
    <CachedFragment as="p" of={Plain} props={{ text: "Монета & футляр" }} />
    {broken.is && <CachedFragment as="p" of={NeedsContext} props={{}} />}
    <PageScripts />
  </Inside>
);

const nonce = "UWH8Zi0dpI6tiGl1Ne72Sw";
const data = 'монета </script> & "цена"\\';

/** The page as it is sent, and what was logged. `sent` are the page's data, which have placeholders of `texts`. */
async function pageOf(sent = data, texts: string[] = []): Promise<{ page: string; logged: string[] }> {
  const logged: string[] = [];
  const received: PageHtml[] = [];
  const context = new RouterContextProvider();
  context.set(pageContext, {
    ctx: { log: { error: (_: unknown, message: string) => logged.push(message) } } as never,
    visitor: null as never,
    scriptNonce: nonce,
    styleSheet: (href) => Buffer.from(`/* ${href} */`),
    inlinePicture: () => undefined,
    receiveHtml: (html) => received.push(html),
    texts: texts.map((text) => [{ text: text.slice(0, 3) }, { text: text.slice(3) }]),
  });
  const request = new Request("http://localhost:3000/");
  const module = { id: "root", path: "", hasLoader: false, hasAction: false, module: "/root.js", imports: [], css: ["/root.css"] };
  const other = { ...module, id: "other", path: "/other", css: ["/other.css"] };
  const staticHandlerContext = await createStaticHandler([{ id: "root", path: "/", Component: Root }]).query(request);
  const entry = {
    manifest: { entry: { module: "/entry.js", imports: [] }, routes: { root: module, other }, url: "/manifest.js", version: "1" },
    routeModules: { root: { default: Root }, other: { default: Root } },
    staticHandlerContext,
    serverHandoffString: "{}",
    serverHandoffStream: new Blob([sent]).stream(),
    future: {},
    ssr: true,
    isSpaMode: false,
    routeDiscovery: { mode: "initial" },
  } as unknown as EntryContext;
  await handleRequest(request, 200, new Headers(), entry, context);
  return { page: pageBody(received[0]!, nonce).body.toString(), logged };
}

test("a page contains its styles, its cached parts and its data, which cannot end the script", async () => {
  const { page, logged } = await pageOf();
  expect(logged).toEqual([]);
  expect(page).toContain('<style data-href="/root.css">/* /root.css */</style><p><i>Монета &amp; футляр</i></p><script>');
  const [, literal = ""] = /new TextEncoder\(\)\.encode\(("(?:[^"\\]|\\.)*")\)/.exec(page) ?? [];
  expect(literal).not.toMatch(/[<>&]/);
  expect(JSON.parse(literal)).toBe(data);
  expect((await pageOf()).page).toBe(page);
});

test("a text of the data is in the document as if the router had written it, and is not searched for placeholders", async () => {
  const texts = ['["монета </script> & \\"цена\\""]', `{"text":"[[${nonce}:0]]"}`];
  const { page } = await pageOf(JSON.stringify([1, ...texts.map((_, n) => `[[${nonce}:${n}]]`)]), texts);
  expect(page).toBe((await pageOf(JSON.stringify([1, ...texts.map((text) => text.replace(nonce, "NONCE"))]))).page.replace("NONCE", nonce));
});

test("a part that cannot be rendered by itself is logged, and the page is complete", async () => {
  const { page: whole } = await pageOf();
  broken.is = true;
  const { page, logged } = await pageOf();
  broken.is = false;
  expect(page).toBe(whole.replace("</p>", "</p><p><b>внутри</b></p>"));
  expect(logged).toEqual(["a part of a page cannot be rendered by itself"]);
});
