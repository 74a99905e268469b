import { useEffect, useState } from "react";
import { createNewest } from "./newest.ts";

/** Begins a question of this component; a newer one, and the end of the component, end it. */
export function useNewest(): () => AbortSignal {
  const [newest] = useState(createNewest);
  useEffect(() => newest.end, [newest]);
  return newest.begin;
}
