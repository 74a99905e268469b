/** Title, description and previews of a page, for its `meta`. The root adds the canonical URL and `robots`. */
export function pageMeta({ title, description, image }: { title: string; description?: string | undefined; image?: string | undefined }) {
  const full = title.includes("Чекан") ? title : `${title} — Чекан`;
  return [
    { title: full },
    { property: "og:title", content: full },
    { property: "og:type", content: "website" },
    { name: "twitter:card", content: "summary_large_image" },
    { property: "og:locale", content: "ru_RU" },
    ...(description
      ? [
          { name: "description", content: description },
          { property: "og:description", content: description },
        ]
      : []),
    ...(image ? [{ property: "og:image", content: image }] : []),
  ];
}

/**
 * The title of a document that answers a refused form without scripts: a screen reader reads the title first. With scripts the first
 * wrong field receives the focus, and the title stays.
 */
export const refusedTitle = (title: string, isRefused: boolean | undefined): string => (isRefused ? `Ошибка: ${title}` : title);

/** A block of structured data for search engines. The router escapes it for the script element. */
export const structured = (content: Record<string, unknown>) => ({ "script:ld+json": { "@context": "https://schema.org", ...content } });

/** Breadcrumbs as structured data. */
export const breadcrumbList = (publicUrl: string, trail: readonly { title: string; href: string }[]) =>
  structured({
    "@type": "BreadcrumbList",
    itemListElement: trail.map(({ title, href }, index) => ({
      "@type": "ListItem",
      position: index + 1,
      name: title,
      item: `${publicUrl}${href}`,
    })),
  });

/** The text cut at a word, for a description. */
export function shortened(text: string, longest = 160): string {
  const plain = text.replace(/\s+/g, " ").trim();
  if (plain.length <= longest) return plain;
  return `${plain.slice(0, longest).replace(/\s+\S*$/, "")}…`;
}
