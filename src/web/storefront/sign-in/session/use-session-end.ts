import { useEffect, useEffectEvent } from "react";
import { refreshState, useVisitorState } from "../../shared/visitor-state.ts";
import { sessionChannel } from "./session-channel.ts";

/**
 * Calls `onEnd` on a personal page whose session has ended elsewhere: in another tab (at once) or on another device (when the visitor
 * returns to this tab). A state that could not be read ends nothing.
 */
export function useSessionEnd(isSignedIn: boolean, onEnd: () => void): void {
  const isOut = useVisitorState((state) => state.isKnown && state.me === null);
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    if (isSignedIn && isOut) end();
  }, [isSignedIn, isOut]);
  useEffect(() => {
    const channel = sessionChannel();
    if (!channel) return undefined;
    channel.addEventListener("message", () => void refreshState());
    return () => channel.close();
  }, []);
}
