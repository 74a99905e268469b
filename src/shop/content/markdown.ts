import { Marked, type Tokens } from "marked";

/**
 * Markdown → safe HTML: raw HTML is shown as text, links lead to http(s) addresses or within the site only, pictures come from our own
 * `/media/` only. Tables are wrapped, so that a wide one scrolls inside its own region. A `#` becomes h2: the page has its own h1.
 */
export function toHtml(markdown: string): string {
  return marked.parse(markdown, { async: false });
}

/** A picture of the site: its own, or one that staff uploaded (its id keeps its case). */
export const isPicture = (href: string): boolean =>
  /^\/media\/([a-z0-9/-]+|pictures\/[A-Za-z0-9_-]{16,64}-(480|800|1200))\.webp$/.test(href);

/** Ids of the uploaded pictures that a text refers to. */
export const uploadedIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/\/media\/pictures\/([A-Za-z0-9_-]{16,64})-(?:480|800|1200)\.webp/g)].flatMap(([, id]) => id ?? [])),
];

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => escapes[sign] ?? sign);

/** An allowed link target: a path of the site, or http(s). Control characters and entities cannot smuggle a scheme in. */
export function safeHref(href: string): string | null {
  const plain = href.trim();
  if (/[\p{Cc} \\]/u.test(plain) || plain.startsWith("//")) return null;
  if (/^(\/|#|\?)/.test(plain)) return plain;
  return /^https?:\/\/[^/]/i.test(plain) && URL.canParse(plain) ? plain : null;
}

// Stateless: the instance only has settings.
const marked = new Marked({
  gfm: true,
  // Behind `<script>`, `<pre>`, `<code>` and `<kbd>` the parser takes text for HTML that is complete. Here these tags are text themselves.
  walkTokens(token) {
    if (token.type === "text") token.escaped = false;
  },
  renderer: {
    html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),
    heading({ tokens, depth }: Tokens.Heading) {
      const level = Math.min(6, Math.max(2, depth));
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>\n`;
    },
    link({ href, tokens }: Tokens.Link) {
      const words = this.parser.parseInline(tokens);
      const target = safeHref(href);
      if (target === null) return words;
      return `<a href="${escapeHtml(target)}"${/^https?:/i.test(target) ? ' rel="noopener nofollow"' : ""}>${words}</a>`;
    },
    image({ href, text }: Tokens.Image) {
      return isPicture(href) ? `<img src="${href}" alt="${escapeHtml(text)}" loading="lazy">` : escapeHtml(text);
    },
    table(token: Tokens.Table) {
      const cellOf = ({ tokens, text }: Tokens.TableCell, isHead: boolean, column: number) => {
        const words = this.parser.parseInline(tokens);
        // An empty corner cell is not a heading: as a `th` it would be read out as a heading without a name.
        if (isHead && text.trim() !== "") return `<th scope="col">${words}</th>`;
        // On narrow screens each cell shows its column's heading; the first cell is the row's heading.
        const label = isHead || column === 0 ? "" : (token.header[column]?.text.trim() ?? "");
        return `<td${label ? ` data-l="${escapeHtml(label)}"` : ""}>${words}</td>`;
      };
      const row = (cells: Tokens.TableCell[], name: "th" | "td") =>
        `<tr>${cells.map((cell, column) => cellOf(cell, name === "th", column)).join("")}</tr>\n`;
      // The region is scrolled by keyboard, so it has a name: the names of its columns.
      const label = escapeHtml(
        token.header
          .map((cell) => cell.text)
          .filter((text) => text !== "")
          .join(", ") || "…",
      );
      const head = `<thead>\n${row(token.header, "th")}</thead>\n`;
      const body = `<tbody>\n${token.rows.map((cells) => row(cells, "td")).join("")}</tbody>\n`;
      return `<div class="table-scroll" tabindex="0" role="region" aria-label="${label}"><table>\n${head}${body}</table></div>\n`;
    },
  },
});
