import { useEffect, useLayoutEffect, type ReactNode } from "react";
import {
  isRouteErrorResponse,
  Meta,
  Outlet,
  ScrollRestoration,
  type ShouldRevalidateFunctionArgs,
  useLocation,
  useMatches,
} from "react-router";
import * as search from "#shop/search/service.ts";
import { categoryTree } from "#shop/catalog/category.ts";
import { coinImage } from "#shop/catalog/image.ts";
import { marketNote } from "#contract/texts.ru.ts";
import { moscow } from "#kit/moscow-time.ts";
import type { Banner } from "#shop/content/site/parts.ts";
import * as siteParts from "#shop/content/site/parts.service.ts";
import * as pricing from "#shop/pricing/service.ts";
import type { ShownRate } from "#shop/rates/rate.ts";
import * as rates from "#shop/rates/service.ts";
import { chargesVat } from "#shop/tax.ts";
import { pageContext } from "#web/context.server.ts";
import type { Route } from "./+types/root.ts";
import golos from "./fonts/golos-text.woff2";
import oranienbaum from "./fonts/oranienbaum.woff2";
import favicon from "./images/favicon.svg";
import { waitForPendingChanges } from "./client/pending-changes.ts";
import { replayEarlyInput, earlyInputScript, stopRecording } from "./first-view/early-input.ts";
import { ErrorPage, errorTitle, type Fault } from "./storefront/frame/error-page.tsx";
import { BlankFrame } from "./storefront/frame/blank-frame.tsx";
import { Frame } from "./storefront/frame/frame.tsx";
import { keepPageOnError } from "./client/keep-page-on-error.ts";
import { IconSymbols } from "./first-view/icon-symbols.tsx";
import { loadingScript } from "./first-view/loading.ts";
import { watchFirstScripts } from "./client/lost-chunk.ts";
import { PageScripts } from "./first-view/page-scripts.tsx";
import { PageStyles } from "./first-view/page-styles.tsx";
import { useScriptNonce } from "./first-view/script-nonce.ts";
import { isLive, liveItems } from "./storefront/shared/live-href.server.ts";
import { useFrameData } from "./storefront/frame/use-frame-data.ts";
import { frameDataOf, percentOf, type FrameData } from "./storefront/frame/frame-data.ts";
import { pageMeta, structured } from "./storefront/page/meta.ts";
import { handlesOf, rulesOf } from "./storefront/page/page-handle.ts";
import { asText, samePart, type TextData } from "./storefront/page/text-data.ts";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/measures.css";
import "./storefront/frame/frame.css";

export function meta({ loaderData, error }: Route.MetaArgs) {
  if (error) return pageMeta({ title: errorTitle(faultOf(error)) });
  return pageMeta({ title: `${loaderData ? frameDataOf(loaderData).shop.name : "Чекан"}: монеты из золота и серебра с объяснимой ценой` });
}

/** The frame is equal on all pages until a rate, a menu or a setting changes. */
const framePart = /* @__PURE__ */ samePart();

/** Data of the frame. Contains nothing about the visitor, because pages are cached for all visitors. */
export async function loader({ context }: Route.LoaderArgs): Promise<TextData> {
  const page = context.get(pageContext);
  const { ctx } = page;
  const [shownRates, market, list, categories, menu, banner, words] = await Promise.all([
    rates.shown(ctx),
    rates.market(ctx),
    pricing.current(ctx),
    search.categories(ctx),
    siteParts.menu(ctx),
    siteParts.banner(ctx),
    siteParts.pageWords(ctx),
  ]);
  const errorCoin = words.errorCoin === "" ? null : await search.coinBySlug(ctx, words.errorCoin);
  const { placeholders: _, ...shop } = ctx.settings.shop;
  const data: FrameData = {
    publicUrl: ctx.settings.publicUrl.replace(/\/$/, ""),
    year: moscow(ctx.now()).year,
    shop: { ...shop, receiptNote: `Чек на каждую позицию${chargesVat(ctx.settings.seller.tax) ? "" : ", «без НДС»"}` },
    rates: shownRates
      ? [
          shown("Золото", "₽/г", shownRates.rates.XAU_RUB),
          shown("Серебро", "₽/г", shownRates.rates.XAG_RUB),
          shown("Доллар", "₽", shownRates.rates.USD_RUB),
        ]
      : [],
    ratesAt: shownRates?.time.toISOString() ?? null,
    isStale: shownRates?.stale ?? true,
    priceList: list.version,
    codeResendSeconds: ctx.settings.limits.codeResendSeconds,
    counter: ctx.settings.counter ?? null,
    market: { isOpen: market.isOpen, note: marketNote(market), until: market.until?.toISOString() ?? null },
    banner: banner && { ...bannerView(banner), href: banner.href !== null && (await isLive(ctx, banner.href)) ? banner.href : null },
    menu: {
      main: await liveItems(ctx, menu.main),
      catalog: await liveItems(ctx, menu.catalog),
      secondary: await liveItems(ctx, menu.secondary),
      footer: await Promise.all(menu.footer.map(async ({ title, items }) => ({ title, items: await liveItems(ctx, items) }))),
    },
    slogan: words.slogan,
    office: words.office,
    errorPicture: errorCoin && coinImage(errorCoin.picture, "reverse", 320),
    sections: categoryTree(categories).map(({ slug, title, children }) => ({
      slug,
      title,
      children: children.map((child) => ({ slug: child.slug, title: child.title })),
    })),
  };
  return asText(page, data, [framePart(JSON.stringify(data))]);
}

const bannerView = ({ id, label, long, short, href, isDismissible }: Banner) => ({ id, label, long, short, href, isDismissible });

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [waitForPendingChanges, keepPageOnError];

const shown = (name: string, unit: string, { code, value, diff }: ShownRate) => ({
  code,
  name,
  unit,
  value,
  percent: percentOf(value, diff),
});

/** The frame is loaded once. It is loaded again only together with the page, when prices have changed. */
export function shouldRevalidate({ currentUrl, nextUrl, formMethod }: ShouldRevalidateFunctionArgs): boolean {
  return currentUrl.href === nextUrl.href && (formMethod === undefined || formMethod === "GET");
}

/** The first script of a page from the server. The browser's build omits its text; React keeps the existing content on hydration. */
const firstScript = { __html: import.meta.env.SSR ? `${loadingScript};${earlyInputScript};${watchFirstScripts}` : "" };

export function Layout({ children }: { children: ReactNode }) {
  const data = useFrameData();
  useLayoutEffect(() => stopRecording(), []);
  useEffect(() => replayEarlyInput(), []);
  return (
    <html lang="ru" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="theme-color" content="#16130f" />
        <meta name="format-detection" content="telephone=no" />
        <script nonce={useScriptNonce()} dangerouslySetInnerHTML={firstScript} />
        <link rel="preload" href={golos} as="font" type="font/woff2" crossOrigin="anonymous" />
        <link rel="preload" href={oranienbaum} as="font" type="font/woff2" crossOrigin="anonymous" />
        <link rel="icon" href={favicon} type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <Meta />
        {data && <Address publicUrl={data.publicUrl} />}
        <PageStyles />
        {data && <Organisation data={data} />}
      </head>
      <body>
        <IconSymbols />
        {children}
        <ScrollRestoration />
        <PageScripts />
      </body>
    </html>
  );
}

/**
 * Tags for search engines: the canonical URL, and `noindex` for filtered and searched variants. The shop's own picture comes after the
 * page's, because link previews take the first one.
 */
function Address({ publicUrl }: { publicUrl: string }) {
  const { pathname, search } = useLocation();
  const path = pathname.replace(/(.)\/$/, "$1");
  const href = `${publicUrl}${path}`;
  return (
    <>
      {search && <meta name="robots" content="noindex" />}
      <link rel="canonical" href={href} />
      <meta property="og:url" content={href} />
      <meta property="og:image" content={`${publicUrl}/_image?url=/media/scenes/og.webp&width=1200&format=jpeg`} />
    </>
  );
}

/** The shop for search engines. The browser's build omits the text; React keeps the existing content on hydration. */
function Organisation({ data }: { data: FrameData }) {
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? organisationText(data) : "" }} />;
}

function organisationText({ shop, publicUrl }: FrameData): string {
  const content = structured({
    "@type": "Organization",
    name: shop.name,
    url: publicUrl,
    email: shop.email,
    logo: `${publicUrl}${favicon}`,
    address: {
      "@type": "PostalAddress",
      addressCountry: "RU",
      addressLocality: "Москва",
      streetAddress: shop.address.replace(/^Москва, /, ""),
    },
    contactPoint: shop.phones.map(({ display }) => ({
      "@type": "ContactPoint",
      telephone: display,
      contactType: "customer service",
      availableLanguage: "Russian",
    })),
  });
  // `<` is the only character with which a text could end the script element.
  return JSON.stringify(content["script:ld+json"]).replaceAll("<", "\\u003c");
}

export default function App({ loaderData }: Route.ComponentProps) {
  const isBlank = rulesOf(handlesOf(useMatches())).isBlank;
  return isBlank ? (
    <BlankFrame>
      <Outlet />
    </BlankFrame>
  ) : (
    <Frame data={frameDataOf(loaderData)}>
      <Outlet />
    </Frame>
  );
}

const faultOf = (error: unknown): Fault =>
  isRouteErrorResponse(error) ? { status: error.status, message: messageIn(error.data) } : { status: 503, message: "" };

/** The message of a refusal, if it has one. */
const messageIn = (data: unknown): string =>
  typeof data === "string" ? data : typeof data === "object" && data !== null && "message" in data ? String(data.message) : "";

/** The error page, inside the frame when the frame's data is available. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const data = useFrameData();
  const page = <ErrorPage {...faultOf(error)} picture={data?.errorPicture ?? null} />;
  return data ? <Frame data={data}>{page}</Frame> : page;
}
