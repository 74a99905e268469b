import { accountingPath } from "#http/webhooks/accounting.ts";
import type { Ctx } from "#shop/context.ts";
import type { Config } from "./config.ts";

/** Login and password of the exchange with 1C; null: it is off. */
export const accountingAccess = ({ COMMERCEML_LOGIN: login, COMMERCEML_PASSWORD: password }: Config) =>
  login !== undefined && password !== undefined ? { login, password } : null;

/** The address that staff enter in 1C; null: the exchange is off. It is on the public listener. */
export const accountingUrl = (ctx: Ctx, config: Config): string | null =>
  accountingAccess(config) ? `${ctx.settings.publicUrl}${accountingPath}` : null;
