import type { ReactNode } from "react";
import type { Permission } from "#shop/staff/role.ts";
import type { IconName } from "../ui/icon.tsx";
import { orderSearch } from "../orders/order-search.tsx";
import type { Me } from "../session.ts";
import { openCommands, sectionBlocks } from "./sections.ts";

/** One line of the palette. */
export type Hit = {
  id: string;
  icon: IconName;
  /** The matching part is underlined by the palette. */
  title: string;
  /** Grey, behind the title. */
  note?: string;
  /** Right: a sum, a state. */
  facts?: ReactNode;
  cap?: string;
  path: string;
};

/** Lines under one heading: «Заказы». */
export type HitGroup = { title: string; hits: Hit[] };

/**
 * A source of the palette. `find` gets what was typed and answers at once, or later for data of the server; the signal ends a search
 * that has been typed over. Providers are asked side by side and shown in the order of the list.
 */
export type SearchProvider = {
  id: string;
  permission: readonly Permission[] | "signed_in";
  find: (text: string, staff: Me, signal: AbortSignal) => HitGroup[] | Promise<HitGroup[]>;
};

/** Screens and actions that the grants open. `>` in front asks for these only. */
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
