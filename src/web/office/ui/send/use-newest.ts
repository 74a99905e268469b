import { useEffect, useState } from "react";
import { createNewest } from "./newest.ts";

/** Returns `begin` of `createNewest`; unmounting the component aborts the last request. */
export function useNewest(): () => AbortSignal {
  const [newest] = useState(createNewest);
  useEffect(() => newest.end, [newest]);
  return newest.begin;
}
