/** Parts of the plain HTML pages that are not rendered by the storefront: refusals, the API documentation and the demo's outbox. */
const metaTags = '<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">';

/** A complete page; `title` and `body` are HTML. */
export const htmlPage = (title: string, body: string): string =>
  `<!doctype html><html lang="ru"><head>${metaTags}<title>${title}</title></head>\n<body>${body}</body></html>`;

/** Text as HTML, also inside of quoted attributes. */
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
