import { renderToString } from "react-dom/server";
import { createElement } from "react";
import { StaticRouter } from "react-router";
import { expect, test } from "vitest";
import { CachedFragment, Fragments } from "./cached-fragment.tsx";
import { createFragmentCache, type RenderFragment } from "./fragment-cache.ts";
import { createInserts } from "./inserts.ts";
import { pageBody } from "#main/pages/page-body.ts";
import { Link } from "../ui/link.tsx";

const rendered: number[] = [];
function Price({ amount, href }: { amount: number; href: string }) {
  rendered.push(amount);
  return (
    <>
      от {amount} ₽<Link to={href}>Монета &amp; футляр</Link>
      <input type="checkbox" defaultChecked={amount > 5} />
    </>
  );
}

const fragment: RenderFragment = (of, props) =>
  renderToString(<StaticRouter location="/">{createElement(of, props as never)}</StaticRouter>);

/** A page with the price, as the server renders it; `ran` is how often the component ran for it. */
function page(cache: ReturnType<typeof createFragmentCache> | null, props: { amount: number; href: string }, isCached = true) {
  const before = rendered.length;
  const inserts = createInserts("nonce");
  const fragments = cache?.forRender(inserts) ?? null;
  const html = renderToString(
    <StaticRouter location="/catalog">
      <Fragments value={fragments}>
        <CachedFragment as="li" className="card" id="place-1" of={Price} props={props} isCached={isCached} />
      </Fragments>
    </StaticRouter>,
  );
  fragments?.complete(fragment);
  return { html: pageBody({ html, inserts: inserts.inserts }, "nonce").body.toString(), ran: rendered.length - before };
}

const props = { amount: 7, href: "/catalog" };

test("a cached fragment is written as the page would write it, without rendering it", () => {
  const cache = createFragmentCache();
  const { html } = page(null, props);
  expect(page(cache, props)).toEqual({ html, ran: 1 });
  expect(page(cache, { ...props })).toEqual({ html, ran: 0 });
});

test("frozen props are read once", () => {
  const cache = createFragmentCache();
  let reads = 0;
  const read = { href: "/catalog", amount: 6, toJSON: () => ({ amount: 6, reads: (reads += 1) }) };
  const { html } = page(cache, Object.freeze(read));
  expect([page(cache, read), reads]).toEqual([{ html, ran: 0 }, 1]);
});

test("other props are another fragment, and a fragment that is not cached is rendered for each page", () => {
  const cache = createFragmentCache();
  page(cache, props);
  const cheaper = { amount: 4, href: "https://example.com/монета" };
  expect(page(cache, cheaper)).toEqual({ html: page(null, cheaper).html, ran: 1 });
  expect(page(cache, cheaper)).toEqual({ html: page(null, cheaper).html, ran: 0 });
  expect(page(cache, props, false)).toEqual({ html: page(null, props).html, ran: 1 });
});

function Prices({ amounts }: { amounts: number[] }) {
  return amounts.map((amount) => <CachedFragment key={amount} as="p" of={Price} props={{ amount, href: "/catalog" }} />);
}

test("a fragment may contain fragments, which stay cached when it is rendered anew", () => {
  const cache = createFragmentCache();
  const prices = (amounts: number[], isCached: boolean) => {
    const before = rendered.length;
    const inserts = createInserts("nonce");
    const fragments = isCached ? cache.forRender(inserts) : null;
    const render: RenderFragment = (of, props) =>
      renderToString(
        <StaticRouter location="/">
          <Fragments value={fragments}>{createElement(of, props as never)}</Fragments>
        </StaticRouter>,
      );
    const html = renderToString(
      <StaticRouter location="/catalog">
        <Fragments value={fragments}>
          <CachedFragment as="fieldset" of={Prices} props={{ amounts }} />
        </Fragments>
      </StaticRouter>,
    );
    fragments?.complete(render);
    return { html: pageBody({ html, inserts: inserts.inserts }, "nonce").body.toString(), ran: rendered.slice(before) };
  };
  expect(prices([1, 2], true)).toEqual({ html: prices([1, 2], false).html, ran: [1, 2] });
  expect(prices([1, 2], true).ran).toEqual([]);
  expect(prices([2, 3], true)).toEqual({ html: prices([2, 3], false).html, ran: [3] });
});

test("the cache is bounded: what is used stays, what was not used for long is rendered again", () => {
  const size = page(null, props).html.length;
  const cache = createFragmentCache(20 * size);
  page(cache, props);
  page(cache, { ...props, amount: 8 });
  for (let amount = 100; amount < 200; amount += 1) {
    page(cache, { ...props, amount });
    expect(page(cache, props).ran).toBe(0);
  }
  expect(page(cache, { ...props, amount: 8 }).ran).toBe(1);
});
