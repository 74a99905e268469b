import { createContext, useContext } from "react";

/** The nonce of the server's inline scripts during a render. Null in the browser. */
export const ScriptNonce = /* @__PURE__ */ createContext<string | undefined>(undefined);

/** The nonce of the current render. The browser's build has neither the value nor the code for it. */
export const useScriptNonce: () => string | undefined = import.meta.env.SSR ? () => useContext(ScriptNonce) : () => undefined;
