import { xmlText } from "./xml.ts";

/** The path of a page and the day of its last change. */
export type Address = { path: string; day?: string | null };

/** The protocol allows 50,000 addresses in a file (sitemaps.org). */
const maxAddresses = 50_000;
/** More files than any catalogue has. */
export const maxParts = 20;

const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/**
 * The site map of these addresses below `base`: one file, or with more than fit into one the index of its parts (`part` null) or one of
 * the parts, from 1. Null: there is no such part.
 */
export function sitemap(addresses: readonly Address[], base: string, part: number | null, most = maxAddresses): string | null {
  if (addresses.length <= most) return part === null ? urls(addresses, base) : null;
  const parts = Math.ceil(addresses.length / most);
  if (part === null) {
    const lines = Array.from(
      { length: parts },
      (_, index) => `<sitemap><loc>${xmlText(`${base}/sitemap.xml?part=${index + 1}`)}</loc></sitemap>`,
    );
    return `${head}<sitemapindex ${namespace}>\n${lines.join("\n")}\n</sitemapindex>\n`;
  }
  return part >= 1 && part <= parts ? urls(addresses.slice((part - 1) * most, part * most), base) : null;
}

function urls(addresses: readonly Address[], base: string): string {
  const lines = addresses.map(
    ({ path, day }) => `<url><loc>${xmlText(`${base}${path}`)}</loc>${day ? `<lastmod>${day}</lastmod>` : ""}</url>`,
  );
  return `${head}<urlset ${namespace}>\n${lines.join("\n")}\n</urlset>\n`;
}
