import { type ComponentType, useEffect, useState } from "react";
import { whenIdle } from "./when-idle.ts";

type IdlePartProps<P extends object> = {
  /** Imports the component's code; the same function in each render. */
  load: () => Promise<ComponentType<P>>;
  props: P;
};

/** A part that a page can do without: its code is loaded when the browser is idle. Nothing until then, and when the code does not load. */
export function IdlePart<P extends object>({ load, props }: IdlePartProps<P>) {
  const [Part, setPart] = useState<ComponentType<P> | null>(null);
  useEffect(
    () =>
      whenIdle(
        () =>
          void load().then(
            (loaded) => setPart(() => loaded),
            () => undefined,
          ),
      ),
    [load],
  );
  return Part && <Part {...props} />;
}
