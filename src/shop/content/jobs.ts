import { hasDue, publishDue } from "./editing/editing.service.ts";

export const sweeps = { "content.due": { everySeconds: 2, due: hasDue, run: publishDue } };
