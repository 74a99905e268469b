import { grantOf, roles } from "#shop/staff/role.ts";
import type { useStaff } from "../session.ts";
import { roleList } from "../staff/words.ts";
import type { RequestCard } from "./words.ts";

type Request = Pick<RequestCard, "kind" | "assignee">;
type Member = Pick<ReturnType<typeof useStaff>, "may" | "login">;

/** Whether the member may open the contacts, as the server decides it: the buyback desk opens its own buyback requests, and takes free ones. */
export const mayOpenContacts = ({ kind, assignee }: Request, staff: Member): boolean =>
  staff.may("customers.open") !== null ||
  (staff.may("buyback") !== null && kind === "buyback" && (assignee === null || assignee === staff.login));

/** Whether the member may make a deal of a buyback request, as the server decides it: the deal opens the contacts of the request to its maker. */
export const mayMakeDeal = (request: Request, staff: Member): boolean => staff.may("buyback") !== null && mayOpenContacts(request, staff);

const openers = roles.filter((role) => grantOf([role], "requests") !== null && grantOf([role], "customers.open") !== null);

/** Who opens them, for a member who may not. */
export const whoOpensText = ({ kind }: Request): string =>
  kind === "buyback" ? "Контакты откроет тот, кто отвечает на обращение." : `Контакты открывают роли: ${roleList(openers)}.`;
