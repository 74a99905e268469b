import { useLocation } from "react-router";

/**
 * Location state of a link that names an action: the screen starts the action when it opens. It is not part of the address, so that a
 * reload or a copied address only shows the screen.
 */
export const pressed = { isPressed: true } as const;

/** Whether this screen was opened by such a link. */
export function useIsPressed(): boolean {
  const { state } = useLocation() as { state: Partial<typeof pressed> | null };
  return state?.isPressed === true;
}
