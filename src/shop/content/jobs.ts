import { publishDue } from "./editing/editing.service.ts";

export const sweeps = { "content.due": { everySeconds: 2, run: publishDue } };
