import { createContext, useContext } from "react";

/** The mark that the server puts on its own inline scripts while it renders; a browser never sees it. */
export const ScriptNonce = /* @__PURE__ */ createContext<string | undefined>(undefined);

/** The mark of the present render; the browser's build has none, nor the code for it. */
export const useScriptNonce: () => string | undefined = import.meta.env.SSR ? () => useContext(ScriptNonce) : () => undefined;
