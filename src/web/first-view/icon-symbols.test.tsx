import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Icon, iconNames } from "#web/ui/icon.tsx";
import { IconSymbols } from "./icon-symbols.tsx";

test("the document contains the drawing of each icon", () => {
  const markup = renderToStaticMarkup(<IconSymbols />);
  for (const name of iconNames) {
    const [, id] = /href="#([^"]+)"/.exec(renderToStaticMarkup(<Icon name={name} />)) ?? [];
    expect(markup, name).toContain(`<symbol id="${id}" `);
  }
});
