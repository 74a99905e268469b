import { data } from "react-router";
import { pageContext } from "#web/context.server.ts";
import certificate1 from "../../images/certificate-1.webp";
import certificate2 from "../../images/certificate-2.webp";
import type { PageHandle } from "../page/page-handle.ts";
import { contentPageAt, type ContentPageName } from "./content-pages.ts";
import { plainPageMeta, PlainText } from "./plain-text.tsx";
import { loadPlainPage } from "./plain-page.server.ts";
import { VideoButton } from "../shared/video-button.tsx";
import type { Route } from "./+types/plain-page.ts";

export const handle: PageHandle = { isPublic: true, node: contentPageAt };

export function meta({ loaderData, matches }: Route.MetaArgs) {
  return loaderData ? plainPageMeta(matches, loaderData) : [];
}

/** The page of all texts without a form of their own; the address says which. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const node = contentPageAt(new URL(request.url).pathname);
  if (!node) throw data(null, { status: 404 });
  return loadPlainPage(context.get(pageContext).ctx, node.href.slice(1) as ContentPageName);
}

export default function PlainPage({ loaderData }: Route.ComponentProps) {
  return (
    <PlainText {...loaderData} before={loaderData.page.slug === "how-to-buy" && <Film />}>
      {loaderData.page.slug === "certificates" && <Certificates />}
    </PlainText>
  );
}

/** The film of a coin above the text «Как купить». */
function Film() {
  return (
    <p className="text__film">
      <VideoButton className="button button--line" film="gold" text="Монета со всех сторон" />
    </p>
  );
}

function Certificates() {
  return (
    <ul className="text__pictures">
      <li>
        <img src={certificate1} width="800" height="1120" alt="Образец сертификата подлинности" loading="lazy" />
      </li>
      <li>
        <img src={certificate2} width="800" height="1120" alt="Образец документа на монету" loading="lazy" />
      </li>
    </ul>
  );
}
