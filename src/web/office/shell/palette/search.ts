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

/** All sources of the palette. Data of the server comes before screens. */
export const searchProviders: readonly SearchProvider[] = [orderSearch, screens];
