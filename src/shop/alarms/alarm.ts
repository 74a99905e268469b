import { cutText } from "#kit/text/cut-text.ts";
import type { AlarmName } from "#shop/context.ts";

export type AlarmFields = Readonly<Record<string, string | number>>;

/** An alarm that waits for a person, or was settled. */
export type Alarm = {
  id: number;
  name: AlarmName;
  subject: string;
  fields: AlarmFields;
  firstAt: Date;
  lastAt: Date;
  count: number;
  closedAt: Date | null;
  closedBy: string | null;
  note: string;
};

/** The fields that say what an alarm is about; `reason` counts when there are none of them. */
const naming = [
  "orderId",
  "paymentId",
  "refundId",
  "providerId",
  "object",
  "group",
  "window",
  "source",
  "code",
  "channel",
  "kind",
  "machine",
  "disk",
] as const;
const maxFieldLength = 300;

/** Two alarms of one name and subject are one. */
export function subjectOf(fields: AlarmFields): string {
  const named = naming.flatMap((name) => (fields[name] === undefined ? [] : [`${name} ${fields[name]}`]));
  const reason = fields["reason"] === undefined ? "" : `${fields["reason"]}`;
  return cutText(named.length > 0 ? named.join(", ") : reason, maxFieldLength);
}

/** The fields as they are stored: long texts of providers are cut. */
export const storedFields = (fields: AlarmFields): AlarmFields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === "string" ? cutText(value, maxFieldLength) : value]),
  );
