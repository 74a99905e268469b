import type { ReactNode } from "react";
import { NavLink } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { saveFile } from "../client.ts";
import { useStaff } from "../session.ts";
import { Notice } from "../ui/marks.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { useSend } from "../ui/send/use-send.ts";

/** The head of the lists of customers and of subscribers, with the file of the newsletter. */
export function CustomersHead({ title, facts }: { title: string; facts: ReactNode }) {
  const staff = useStaff();
  const newsletter = useSend(contract.exportNewsletter);
  const save = async () => {
    const answer = await newsletter.send({});
    if (answer?.ok) saveFile(answer.value);
  };
  return (
    <>
      <PageHead
        title={title}
        facts={facts}
        actions={
          staff.may("customers.export") ? (
            <button className="button" type="button" disabled={newsletter.isBusy} onClick={() => void save()}>
              Выгрузить рассылку
            </button>
          ) : null
        }
      />
      <nav className="tabs" aria-label="Списки покупателей">
        <NavLink to="/customers" end>
          Покупатели
        </NavLink>
        <NavLink to="/customers/subscribers">Подписчики</NavLink>
      </nav>
      {newsletter.refusal ? (
        <Notice tone="warn">
          <p>{newsletter.refusal.message}</p>
        </Notice>
      ) : null}
    </>
  );
}
