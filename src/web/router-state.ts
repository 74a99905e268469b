import type { Location } from "react-router";

type Activity = { state: "idle" | "loading" | "submitting" };

declare global {
  interface Window {
    /** Where HydratedRouter keeps itself; of it only what stands below is read. */
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

/** The router as it stands now, which is ahead of what is drawn. In the browser only, and not before it has come alive. */
export const routerState = () => window.__reactRouterDataRouter?.state;

/** Where one is, or already on the way to, also when that is not drawn yet. In the browser only. */
export function latestLocation(): Location | null {
  const state = routerState();
  return state ? (state.navigation.location ?? state.location) : null;
}

/** Forms of the page that were sent and are not answered yet. */
export const pendingForms = (): FormData[] => [...(routerState()?.fetchers.values() ?? [])].flatMap(({ formData }) => formData ?? []);

/** Whether what a page was drawn from is what the router has now. */
export const isCurrentData = (loaderData: unknown): boolean => Object.values(routerState()?.loaderData ?? {}).includes(loaderData);

/** Whether the router is on its way to a page, or a form of this one is being answered. */
export function isRouterBusy(): boolean {
  const state = routerState();
  return state !== undefined && [state.navigation, ...state.fetchers.values()].some((each) => each.state !== "idle");
}
