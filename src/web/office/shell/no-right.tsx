import { Link } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { grantOf, roles, type Permission } from "#shop/staff/role.ts";
import { roleList } from "../staff/words.ts";
import { PageHead } from "../ui/page-head.tsx";
import { useRead } from "../ui/send/use-read.ts";
import { useStaff } from "../session.ts";
import { startSection } from "./sections.ts";

/** The roles of the member give no permission for the screen: who has it, and who may give it. */
export function NoRight({ permission }: { permission: Permission }) {
  const { roles: own, grants } = useStaff();
  const { data } = useRead(contract.readWhoMay, { query: { permission } });
  const start = startSection(own, grants);
  return (
    <>
      <PageHead title="Недоступно вашей роли" />
      <p>
        Ваша роль: {roleList(own)}. Этот экран открыт ролям: {roleList(roles.filter((role) => grantOf([role], permission) !== null))}.
      </p>
      {data && data.holders.length > 0 ? <p>Кто сделает или подскажет: {namesWithRoles(data.holders)}.</p> : null}
      {data && data.givers.length > 0 ? <p>Роль даёт: {namesWithRoles(data.givers)}.</p> : null}
      {start ? (
        <p className="after-notice">
          <Link className="button" to={start.path}>
            К разделу «{start.label}»
          </Link>
        </p>
      ) : null}
    </>
  );
}

const namesWithRoles = (people: readonly { name: string; roles: Parameters<typeof roleList>[0] }[]): string =>
  people.map(({ name, roles: theirs }) => `${name} (${roleList(theirs)})`).join(", ");
