import { useRouteLoaderData } from "react-router";
import type { FrameData } from "../frame/frame-data.ts";

/** The shop's pause between two sign-in codes to one phone, in seconds; 0 on a page without the shop's data. */
export const useResendSeconds = (): number => useRouteLoaderData<FrameData>("root")?.codeResendSeconds ?? 0;
