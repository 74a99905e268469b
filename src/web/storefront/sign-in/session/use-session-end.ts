import { useEffect, useEffectEvent } from "react";
import { useVisitorState } from "../../shared/visitor-state.ts";

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
}
