import type { Location } from "react-router";

type Activity = { state: "idle" | "loading" | "submitting" };

declare global {
  interface Window {
    /** The router of `HydratedRouter` (not documented). Only the properties below are read. */
    __reactRouterDataRouter?: {
      state: {
        revalidation: "idle" | "loading";
        location: Location;
        navigation: Activity & { location?: Location };
        fetchers: Map<string, Activity & { formData?: FormData }>;
        loaderData: Record<string, unknown>;
      };
    };
  }
}

/** The router's state, which may be newer than what is rendered. In the browser only; undefined before hydration. */
export const routerState = () => window.__reactRouterDataRouter?.state;

/** The location that is shown or being loaded. In the browser only. */
export function latestLocation(): Location | null {
  const state = routerState();
  return state ? (state.navigation.location ?? state.location) : null;
}

/** Forms that were sent and are not answered yet. */
export const pendingForms = (): FormData[] => [...(routerState()?.fetchers.values() ?? [])].flatMap(({ formData }) => formData ?? []);

/** Whether these loader data are the router's newest. */
export const isCurrentData = (loaderData: unknown): boolean => Object.values(routerState()?.loaderData ?? {}).includes(loaderData);

/** Whether a page is being loaded or a form of this page is waiting for its answer. */
export function isRouterBusy(): boolean {
  const state = routerState();
  return state !== undefined && [state.navigation, ...state.fetchers.values()].some((each) => each.state !== "idle");
}
