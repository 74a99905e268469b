import { useRouteLoaderData } from "react-router";
import type { TextData } from "../page/text-data.ts";
import { type FrameData, frameDataOf } from "./frame-data.ts";

/** The frame's data, from the root's loader; undefined on the page of an error in it. */
export function useFrameData(): FrameData | undefined {
  const sent = useRouteLoaderData<TextData>("root");
  return sent && frameDataOf(sent);
}
