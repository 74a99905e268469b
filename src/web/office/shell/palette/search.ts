import { orderSearch } from "../../orders/order-search.tsx";
import type { Hit, SearchProvider } from "./search-provider.ts";
import { openCommands, sectionBlocks } from "../sections.ts";

/** Screens and actions that the grants open. A leading `>` searches only these. */
const screens: SearchProvider = {
  id: "screens",
  permission: "signed_in",
  find: (typed, { grants }) => {
    const text = typed.replace(/^>\s*/, "").toLowerCase();
    const matches = (words: string) => words.toLowerCase().includes(text);
    const sections = sectionBlocks(grants)
      .flat()
      .filter(({ label }) => matches(label))
      .map(({ path, label, icon }): Hit => ({ id: path, icon, title: label, path }));
    const commands = openCommands(grants)
      .filter(({ label, words = "" }) => matches(`${label} ${words}`))
      .map(({ id, icon, label, path }): Hit => ({ id, icon, title: label, path }));
    return [
      { title: "Экраны", hits: sections },
      { title: "Действия", hits: commands },
    ].filter(({ hits }) => hits.length > 0);
  },
};

/** Searches again as if it was typed in the other keyboard layout, «pfrfps» as «заказы», when nothing was found. */
function inBothLayouts(provider: SearchProvider): SearchProvider {
  return {
    ...provider,
    find: async (text, staff, signal) => {
      const found = await provider.find(text, staff, signal);
      const words = text.replace(/^>\s*/, "");
      if ("refusal" in found || found.length > 0 || words.length < 3) return found;
      const { otherLayout } = await import("#shop/search/text/keyboard-layout.ts"); // only then: its texts are not of the first screen
      const other = otherLayout(words);
      return other === null ? found : provider.find(text.replace(words, other), staff, signal);
    },
  };
}

/** All sources of the palette. Data of the server comes before screens. */
export const searchProviders: readonly SearchProvider[] = [orderSearch, screens].map(inBothLayouts);
