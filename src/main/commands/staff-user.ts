import { userInfo } from "node:os";
import type { Actor } from "#shop/actor.ts";

/** The user of the operating system as a member of staff: the actor of a command without `--as`. */
export const operatingSystemUser = (): Extract<Actor, { kind: "staff" }> => ({
  kind: "staff",
  name: userInfo().username.replaceAll(/[^\p{L}\p{N}._-]/gu, "-"),
});
