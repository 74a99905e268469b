import { clock } from "#kit/format.ts";
import { pageContext } from "#web/context.server.ts";
import { CoinGrid } from "../catalog/cards/coin-card.tsx";
import type { FrameData } from "../frame/frame-data.ts";
import { useFrameData } from "../frame/use-frame-data.ts";
import type { PageHandle } from "../page/page-handle.ts";
import { pageMeta } from "../page/meta.ts";
import { BuybackFormula, Hero, Promises, Reads, Ruler, Section, SizeRow } from "./blocks.tsx";
import { homeView, type HomeView } from "./home-view.server.ts";
import { PriceSheet } from "./price-sheet.tsx";
import type { Route } from "./+types/home-page.ts";
import "./home.css";
import "../catalog/cards/card.css";

export const handle: PageHandle = { isPublic: true, hasLivePrices: true };

export function meta({ loaderData }: Route.MetaArgs) {
  return loaderData ? pageMeta(loaderData) : [];
}

export const loader = ({ context }: Route.LoaderArgs): Promise<HomeView> => homeView(context.get(pageContext).ctx);

export default function HomePage({ loaderData: { blocks } }: Route.ComponentProps) {
  const frame = useFrameData();
  return (
    <main id="main" tabIndex={-1}>
      {blocks.map((block) => (
        <Block key={block.id} block={block} frame={frame} />
      ))}
    </main>
  );
}

function Block({ block, frame }: { block: HomeView["blocks"][number]; frame: FrameData | undefined }) {
  switch (block.kind) {
    case "hero":
      return <Hero {...block} />;
    case "ruler":
      return <Ruler coin={block.coin} frame={frame} />;
    case "sizes":
      return <SizeRow {...block} />;
    case "prices":
      return (
        <Section {...block}>
          <PriceSheet {...block} rates={frame?.rates ?? []} at={frame?.ratesAt ? clock(new Date(frame.ratesAt)) : null} />
        </Section>
      );
    case "promises":
      return <Promises {...block} />;
    case "coins":
      return (
        <Section {...block}>
          <CoinGrid cards={block.cards} columns={4} heading="h3" />
          {block.note && <p className="grid__note">{block.note}</p>}
        </Section>
      );
    case "articles":
      return <Reads {...block} />;
    case "formula":
      return <BuybackFormula block={block} frame={frame} />;
    default:
      return <Section {...block} />;
  }
}
