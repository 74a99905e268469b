import type { Ctx } from "#shop/context.ts";
import { namesOf, type Named } from "#shop/staff/people/colleagues.service.ts";

/** The names of the members of staff whom the rows of an answer mention, also of those who left, in one query. Null is skipped. */
export const namedIn = (ctx: Pick<Ctx, "db">, actors: readonly (string | null)[]): Promise<Named> =>
  namesOf(
    ctx,
    actors.filter((each) => each !== null),
  );

/** The name of the member of staff who acted; for a job the stored actor (`job:seed`); null: there was no actor. */
export const nameOrNull = (named: Named, actor: string | null): string | null => (actor === null ? null : named(actor).name);
