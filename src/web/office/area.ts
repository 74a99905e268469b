import type { RouteObject } from "react-router";
import type { Permission, Role } from "#shop/staff/role.ts";
import type { IconName } from "./ui/icon.tsx";

/** A section of the rail. It shows for members of staff with one of the permissions. */
export type AreaSection = {
  path: `/${string}`;
  label: string;
  icon: IconName;
  /** Blocks of the rail from above: 1 daily work, 2 goods and prices, 3 money, 4 content, 5 the office itself. */
  block: 1 | 2 | 3 | 4 | 5;
  /** One of these is enough; `signed_in`: every member of staff. */
  permission: readonly Permission[] | "signed_in";
  /** Position in the block; lower is higher. */
  order: number;
  /** Start screen of these roles. */
  startOf?: readonly Role[];
};

/**
 * A screen inside the frame. It is loaded when it is opened: `lazy: () => import("./orders-page.tsx")`, which exports `Component`. Members of
 * staff without the permission see `NoRight` instead; buttons inside need their own permissions.
 */
export type Screen = { path: `/${string}`; permission: Permission | "signed_in"; lazy: NonNullable<RouteObject["lazy"]> };

/** An action of the palette that is not a screen: «Новый заказ». */
export type Command = {
  id: string;
  label: string;
  icon: IconName;
  permission: readonly Permission[] | "signed_in";
  path: `/${string}`;
  /** Other words that find it. */
  words?: string;
};

/** One area of the back office: its sections, its screens and its commands. Areas are listed in `areas.ts`. */
export type Area = {
  sections: readonly AreaSection[];
  routes: Screen[];
  commands?: readonly Command[];
};

/** Whether grants give one of the permissions. */
export const isAllowed = (
  grants: Readonly<Partial<Record<Permission, unknown>>>,
  permission: readonly Permission[] | "signed_in",
): boolean => permission === "signed_in" || permission.some((each) => grants[each] !== undefined);
