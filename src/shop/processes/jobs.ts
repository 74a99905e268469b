import { deleteOld } from "./service.ts";

export const sweeps = { "processes.forget": { everySeconds: 600, run: deleteOld } };
