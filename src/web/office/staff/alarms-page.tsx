import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import type * as z from "zod";
import type { readAlarms } from "#contract/staff/waiting/alarms.ts";
import * as contract from "#contract/staff/calls.ts";
import type { Permission } from "#shop/staff/role.ts";
import { useStaff } from "../session.ts";
import { refreshWaiting } from "../shell/live-waiting.ts";
import { Field } from "../ui/form/field.tsx";
import { Notice, Trouble } from "../ui/marks.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { showToast } from "../ui/toasts.tsx";
import { useRead } from "../ui/send/use-read.ts";
import { useSend } from "../ui/send/use-send.ts";
import { ViewTabs } from "../ui/table/view-tabs.tsx";
import { alarmFact } from "./alarm-facts.ts";
import { alarmField, alarmWords } from "./alarm-words.ts";
import { when } from "./words.ts";
import "../styles/screens/alarms.css";

type Alarm = z.output<(typeof readAlarms)["answer"]>[number];

/** Alarms that a person settles: what happened, what to do, and where. */
export function Component() {
  const [params] = useSearchParams();
  const state = params.get("view") === "closed" ? "closed" : "open";
  const group = (params.get("group") ?? undefined) as Alarm["group"] | undefined;
  const { data, refusal, reload } = useRead(contract.readAlarms, { query: { state, group } });
  return (
    <>
      <PageHead title="Тревоги" facts={data ? (data.length === 0 ? "ничего нет" : `${data.length}`) : undefined} />
      <ViewTabs
        label="Виды"
        views={[
          { id: "open", label: "Ждут" },
          { id: "closed", label: "Решённые" },
        ]}
      />
      {group ? (
        <p>
          <Link to="/alarms">Показать все тревоги</Link>
        </p>
      ) : null}
      {refusal ? (
        <Notice tone="warn">
          <p>{refusal.message}</p>
        </Notice>
      ) : null}
      {data?.length === 0 ? <p>{state === "open" ? "Всё решено." : "Решённых ещё нет."}</p> : null}
      <ul className="alarms">
        {data?.map((alarm) => (
          <li key={alarm.id} className="alarms__one">
            <AlarmCard
              alarm={alarm}
              onClosed={() => {
                void reload();
                void refreshWaiting();
              }}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

function AlarmCard({ alarm, onClosed }: { alarm: Alarm; onClosed: () => void }) {
  const { id, name, fields, orderNumber, firstAt, lastAt, count, closedAt, closedBy, note } = alarm;
  const [written, setWritten] = useState("");
  const { send, isBusy, refusal, fields: faults } = useSend(contract.closeAlarm);
  const { title, act } = alarmWords(name);
  const { may } = useStaff();
  const found = placeOf(alarm);
  const place = found && may(found.permission) ? found : null;
  const close = async () => {
    const answer = await send({ params: { id }, body: { note: written } });
    if (!answer?.ok) return;
    showToast(`Решено: ${title}`);
    onClosed();
  };
  return (
    <section aria-label={title}>
      <h2>{closedAt === null ? <Trouble>{title}</Trouble> : title}</h2>
      <p className="soft">
        {when(firstAt)}
        {count > 1 ? `, последний раз ${when(lastAt)}, всего ${count}` : ""}
      </p>
      <p>{act}</p>
      <dl className="rows">
        {Object.entries(fields).map(([field, value]) => (
          <div key={field}>
            <dt>{alarmField(field)}</dt>
            <dd>{alarmFact(field, value, orderNumber)}</dd>
          </div>
        ))}
      </dl>
      {closedAt === null ? (
        <form
          className="alarms__end"
          onSubmit={(event) => {
            event.preventDefault();
            void close();
          }}
        >
          {refusal && Object.keys(faults).length === 0 ? (
            <Notice tone="warn">
              <p>{refusal.message}</p>
            </Notice>
          ) : null}
          <Field label="Что сделано" error={faults["note"]} value={written} onChange={(event) => setWritten(event.target.value)} />
          <div className="actions">
            {place ? (
              <Link className="button" to={place.path}>
                {place.label}
              </Link>
            ) : null}
            <button className="button" type="submit" disabled={isBusy}>
              Решено
            </button>
          </div>
        </form>
      ) : (
        <p>
          {closedBy ?? "Решилось само"}, {when(closedAt)}
          {note ? `: ${note}` : ""}
        </p>
      )}
    </section>
  );
}

type Place = { label: string; path: string; permission: Permission };
/** The screen on which the alarm is settled; null: outside of the back office. */
function placeOf({ fields, group, name }: Alarm): Place | null {
  const settings = (label: string, key: string): Place => ({ label, path: `/settings/${key}`, permission: "settings" });
  if (fields["orderId"]) return { label: "Открыть заказ", path: `/orders/${fields["orderId"]}`, permission: "orders.read" };
  if (fields["paymentId"]) return { label: "Открыть платёж", path: `/payments/${fields["paymentId"]}`, permission: "money.read" };
  if (group === "settings_alarms" && fields["group"]) return settings("Открыть группу", `${fields["group"]}`);
  if (name === "delivery.labels_failed") return { label: "Открыть упаковку", path: "/packing", permission: "orders.pack" };
  if (name === "sms.low_use") return settings("Пределы кодов", "sign_in");
  if (group === "sms_alarms") return settings("Пределы SMS", "messages");
  return group === "rates" ? settings("Пределы курсов", "rates") : null;
}
