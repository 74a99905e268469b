import * as z from "zod";
import type { AlarmName } from "#shop/context.ts";
import { fieldMessages } from "../../fields.ts";
import { instant, requiredLine } from "../../wire.ts";
import { staffCall } from "../call.ts";
import { alarmGroups, alarmsOf, type AlarmGroupId } from "./waiting.ts";
import { rowIdParam } from "../wire.ts";

const names = Object.keys(alarmGroups) as [AlarmName, ...AlarmName[]];
const groups = [...new Set(Object.values(alarmGroups))].filter((id): id is AlarmGroupId => alarmsOf(id).length > 0) as [
  AlarmGroupId,
  ...AlarmGroupId[],
];

const alarm = z.object({
  id: z.int(),
  name: z.enum(names),
  group: z.enum(groups),
  /** What the alarm says; no personal data. */
  fields: z.record(z.string(), z.union([z.string(), z.number()])),
  /** Of the order that the fields name; null: none, or an unknown one. */
  orderNumber: z.int().nullable(),
  firstAt: instant,
  lastAt: instant,
  count: z.int(),
  closedAt: instant.nullable(),
  /** Null also when it was settled without a person, because what it is about was over. */
  closedBy: z.string().nullable(),
  note: z.string(),
});

export const readAlarms = staffCall({
  method: "GET",
  path: "/api/staff/alarms",
  summary: "Alarms that a person settles, of the groups that the caller may see, the newest first; 200 at most",
  permission: "signed_in",
  audit: null,
  query: z.object({ state: z.enum(["open", "closed"]).default("open"), group: z.enum(groups).optional() }),
  answer: z.array(alarm),
  problems: [],
});

export const closeAlarm = staffCall({
  method: "POST",
  path: "/api/staff/alarms/{id}/close",
  summary: "Marks an alarm as settled, with a note on what was done; raised again, it opens again",
  permission: "signed_in",
  audit: "alarm.close",
  params: z.object({ id: rowIdParam }),
  body: z.strictObject({ note: requiredLine(500).min(3, fieldMessages.required) }),
  answer: alarm,
  problems: ["staff.not_found", "alarm.closed"],
});
