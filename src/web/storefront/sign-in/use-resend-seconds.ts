import { useFrameData } from "../frame/use-frame-data.ts";

/** The shop's pause between two sign-in codes to one phone, in seconds; 0 on a page without the shop's data. */
export const useResendSeconds = (): number => useFrameData()?.codeResendSeconds ?? 0;
