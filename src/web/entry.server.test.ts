import { RouterContextProvider, type EntryContext } from "react-router";
import { expect, test } from "vitest";
import { pageContext } from "./context.server.ts";
import handleRequest from "./entry.server.tsx";

test("a page that ends in a fault is 503 and says when to try again, as a call does; one that is not found does not", async () => {
  async function head(status: number) {
    const waits: number[] = [];
    const context = new RouterContextProvider();
    const page = {
      ctx: null as never,
      visitor: null as never,
      scriptNonce: "",
      styleText: () => undefined,
      inlinePicture: () => undefined,
    };
    context.set(pageContext, { ...page, retryAfter: (wait) => waits.push(wait) });
    const request = new Request("http://localhost:3000/", { method: "HEAD" });
    const answer = await handleRequest(request, status, new Headers(), {} as EntryContext, context);
    return [answer.status, waits];
  }
  expect(await head(500)).toEqual([503, [2]]);
  expect(await head(404)).toEqual([404, []]);
});
