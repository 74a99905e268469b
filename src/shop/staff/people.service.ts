import type { Ctx } from "#shop/context.ts";
import * as rows from "./people.repository.ts";
import type { Factors } from "./staff.ts";

/** How an account can sign in and confirm a session. */
export const factors = (ctx: Pick<Ctx, "db">, staffId: number): Promise<Factors> => rows.factors(ctx.db, staffId);
