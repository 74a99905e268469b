import type { Ctx } from "#shop/context.ts";
import * as processes from "#shop/processes/service.ts";
import * as settings from "#shop/settings/service.ts";
import type { PulsePart } from "./pulse.ts";

/** Takes over the settings that staff changed, in every process. While the database is away the settings stay as they are. */
export const settingsPart = (ctx: Ctx): PulsePart => ({
  name: "settings",
  read: () => settings.storedVersion,
  receive: (version) => settings.takeOver(ctx, String(version)),
});

/**
 * Announces this process to the other processes of the shop and exchanges with them what each has counted. While the database is away each
 * process goes by what it knows.
 */
export const presencePart = (ctx: Ctx): PulsePart => ({
  name: "processes",
  write: () => processes.announcement(ctx),
  read: () => processes.othersNow(ctx),
  receive: (others) => processes.exchangeWith(ctx, Number(others)),
});
