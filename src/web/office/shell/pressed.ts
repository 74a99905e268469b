import { useLocation } from "react-router";

/**
 * State of a link whose button names an act: the screen that it opens begins the act. It is not part of the address, so that a reload and a
 * copied address only show the screen.
 */
export const pressed = { isPressed: true } as const;

export function useIsPressed(): boolean {
  const { state } = useLocation() as { state: Partial<typeof pressed> | null };
  return state?.isPressed === true;
}
