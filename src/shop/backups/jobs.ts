import { watch } from "./service.ts";

export const sweeps = { "backups.watch": { everySeconds: 3_600, run: watch } };
