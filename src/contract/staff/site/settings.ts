import * as z from "zod";
import { settingKeys } from "#shop/settings/forms.ts";
import { instant } from "../../wire.ts";
import { staffCall } from "../call.ts";
import { revision } from "../wire.ts";

const key = z.enum(settingKeys);
/** The fields of the group's form (shop/settings/forms.ts); each group has a schema of its own. */
const values = z.record(z.string().max(60), z.unknown());

const summary = z.object({
  key,
  revision,
  /** Differs from the settings file. */
  isStored: z.boolean(),
  /** Another release stored something that this one cannot read: the values of the file are in force. */
  isIgnored: z.boolean(),
  /** Login and name; null: never changed. */
  changedBy: z.object({ login: z.string(), name: z.string() }).nullable(),
  changedAt: instant.nullable(),
});
const group = summary.extend({
  values,
  /** The values of the settings file and of the environment. */
  defaults: values,
  /** Fields that the server's environment decides; what is sent for them is ignored. */
  fixed: z.array(z.string()),
});

export const listSettings = staffCall({
  method: "GET",
  path: "/api/staff/settings",
  summary: "The groups of settings with who changed them last",
  permission: "settings",
  audit: null,
  answer: z.array(summary),
  problems: [],
});

export const readSettings = staffCall({
  method: "GET",
  path: "/api/staff/settings/{key}",
  summary: "One group of settings",
  permission: "settings",
  audit: null,
  params: z.object({ key }),
  answer: group,
  problems: ["staff.not_found"],
});

export const readSettingsHistory = staffCall({
  method: "GET",
  path: "/api/staff/settings/{key}/history",
  summary: "The changes of a group, newest first",
  permission: "settings",
  audit: null,
  params: z.object({ key }),
  query: z.object({ before: z.coerce.number().pipe(revision).optional() }),
  answer: z.object({
    items: z.array(
      z.object({
        revision,
        before: values,
        after: values,
        changedBy: z.object({ login: z.string(), name: z.string() }),
        changedAt: instant,
        /** The revision whose values this change brought back; 0: those of the settings file. */
        restored: z.int().nullable(),
      }),
    ),
    /** Goes into `before` of the next call; null: these were all. */
    next: z.int().nullable(),
  }),
  problems: ["staff.not_found"],
});

const refusalData = { "staff.stale": z.object({ current: group, revision }) } as const;

export const saveSettings = staffCall({
  method: "PATCH",
  path: "/api/staff/settings/{key}",
  summary:
    "Changes a group; every process takes it over within two seconds. Requisites, taxes and limits of approvals need a second person",
  permission: "settings",
  audit: "settings.change",
  params: z.object({ key }),
  body: z.strictObject({ revision, values }),
  answer: group,
  problems: ["staff.not_found", "staff.stale", "request.invalid"],
  refusalData,
});

export const restoreSettings = staffCall({
  method: "POST",
  path: "/api/staff/settings/{key}/restore",
  summary: "Brings back the values of an earlier revision as a new change; 0: those of the settings file",
  permission: "settings",
  audit: "settings.restore",
  params: z.object({ key }),
  body: z.strictObject({ revision, to: revision }),
  answer: group,
  problems: ["staff.not_found", "staff.stale", "request.invalid"],
  refusalData,
});
