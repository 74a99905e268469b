import { data } from "react-router";
import { pageContext } from "#web/context.server.ts";
import certificate1 from "../../images/certificate-1.webp";
import certificate2 from "../../images/certificate-2.webp";
import type { PageHandle } from "../page/page-handle.ts";
import { contentPageAt, type ContentPageName } from "./content-pages.ts";
import { plainPageMeta, PlainText } from "./plain-text.tsx";
import { loadPlainPage } from "./plain-page.server.ts";
import { filmsOfPage } from "../shared/films.server.ts";
import { VideoButton, type Film } from "../shared/video-button.tsx";
import type { Route } from "./+types/plain-page.ts";

export const handle: PageHandle = { isPublic: true, node: contentPageAt };

export function meta({ loaderData, matches }: Route.MetaArgs) {
  return loaderData ? plainPageMeta(matches, loaderData) : [];
}

/** The page of all texts without a form of their own; the address says which. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const node = contentPageAt(new URL(request.url).pathname);
  if (!node) throw data(null, { status: 404 });
  const page = context.get(pageContext);
  const slug = node.href.slice(1) as ContentPageName;
  return { ...(await loadPlainPage(page, slug)), films: await filmsOfPage(page.ctx, slug) };
}

export default function PlainPage({ loaderData }: Route.ComponentProps) {
  return (
    <PlainText {...loaderData} before={loaderData.films.length > 0 && <Films films={loaderData.films} />}>
      {loaderData.page.slug === "certificates" && <Certificates />}
    </PlainText>
  );
}

/** Buttons above the text that open films of coins. */
function Films({ films }: { films: Film[] }) {
  return (
    <p className="text__film">
      {films.map((film) => (
        <VideoButton key={film.mp4} className="button button--line" film={film} text="Монета со всех сторон" />
      ))}
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
