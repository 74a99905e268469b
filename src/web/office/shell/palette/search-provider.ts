import type { ReactNode } from "react";
import type { Permission } from "#shop/staff/role.ts";
import type { Me } from "../../session.ts";
import type { IconName } from "../../ui/icon.tsx";

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
  /** A screen, or an address of the shop, which opens in a new window. */
  path: string;
};

/** Lines under one heading: «Заказы». */
export type HitGroup = { title: string; hits: Hit[] };

/** What a source found, or why it could not search, in words. */
export type SearchAnswer = HitGroup[] | { refusal: string };

/**
 * A source of the palette. `find` gets what was typed and answers at once, or later for data of the server; the signal ends a search
 * whose text has changed meanwhile. Providers search at the same time and are shown in the order of the list.
 */
export type SearchProvider = {
  id: string;
  permission: readonly Permission[] | "signed_in";
  find: (text: string, staff: Me, signal: AbortSignal) => SearchAnswer | Promise<SearchAnswer>;
};
