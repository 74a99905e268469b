import type * as z from "zod";
import * as contract from "#contract/staff/waiting/alarms.ts";
import { alarmGroups, alarmsOf, isAlarmGroup, waitingGroups, type WaitingGroupId } from "#contract/staff/waiting/waiting.ts";
import { isoMoscow } from "#kit/moscow-time.ts";
import { done } from "#kit/result.ts";
import { staffLoginOf } from "#shop/actor.ts";
import type { Alarm } from "#shop/alarms/alarm.ts";
import * as alarms from "#shop/alarms/service.ts";
import type { AlarmName, Ctx } from "#shop/context.ts";
import * as orders from "#shop/orders/service.ts";
import { namesOf, type Named } from "#shop/staff/people/colleagues.service.ts";
import { staffChange, staffRead, type StaffEndpoint } from "../endpoint.ts";
import { isoOrNull, type May } from "../views.ts";
import { seesGroup } from "./waiting.ts";

/** The alarms of one group, or of all, that a caller may see and settle. */
const visible = (may: May, group?: WaitingGroupId): AlarmName[] =>
  (Object.keys(waitingGroups) as WaitingGroupId[])
    .filter((id) => (group === undefined || id === group) && seesGroup(id, may))
    .flatMap(alarmsOf);

/** What a view needs besides the alarm: the names of those who settled it, and the numbers of orders. */
type Known = { named: Named; numbers: ReadonlyMap<string, number> };

async function knownOf(ctx: Ctx, found: readonly Alarm[]): Promise<Known> {
  const named = await namesOf(
    ctx,
    found.flatMap(({ closedBy }) => closedBy ?? []),
  );
  return { named, numbers: await orders.numbersOf(ctx.db, [...new Set(found.map(orderIdOf))].filter(Boolean)) };
}

/** The order that an alarm is about; empty: none. */
const orderIdOf = ({ fields: { orderId = "" } }: Pick<Alarm, "fields">): string => `${orderId}`;

function view({ id, name, fields, firstAt, lastAt, count, closedAt, closedBy, note }: Alarm, { named, numbers }: Known) {
  const group = alarmGroups[name];
  return isAlarmGroup(group)
    ? [
        {
          id,
          name,
          group,
          fields: { ...fields },
          orderNumber: numbers.get(orderIdOf({ fields })) ?? null,
          firstAt: isoMoscow(firstAt),
          lastAt: isoMoscow(lastAt),
          count,
          closedAt: isoOrNull(closedAt),
          closedBy: closedBy === null || staffLoginOf(closedBy) === null ? null : named(closedBy).name,
          note,
        } satisfies z.input<(typeof contract.closeAlarm)["answer"]>,
      ]
    : [];
}

/** Alarms that a person settles. */
export const alarmEndpoints: readonly StaffEndpoint[] = [
  staffRead(contract.readAlarms, async (ctx, { may, query }) => {
    const found = await alarms.list(ctx, visible(may, query.group), { isClosed: query.state === "closed" });
    const known = await knownOf(ctx, found);
    return done(found.flatMap((alarm) => view(alarm, known)));
  }),

  staffChange(contract.closeAlarm, {
    change: async (ctx, { may, params, body, audit }) => {
      const closed = await alarms.close(ctx, { id: params.id, note: body.note, names: visible(may) });
      if (!closed.ok) return closed;
      const { name, subject } = closed.value;
      audit({ subject: `alarm:${name}`, after: { subject, note: body.note } });
      const [seen] = view(closed.value, await knownOf(ctx, [closed.value]));
      if (!seen) throw new Error(`alarm ${params.id} has no group`);
      return done(seen);
    },
  }),
];
