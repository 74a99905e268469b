import type * as z from "zod";
import * as contract from "#contract/staff/site/settings.ts";
import { isoMoscow } from "#kit/moscow-time.ts";
import { done, fail, type Result } from "#kit/result.ts";
import type { Ctx } from "#shop/context.ts";
import { formOf, type SettingKey } from "#shop/settings/forms.ts";
import type { GroupValues } from "#shop/settings/groups.ts";
import * as settings from "#shop/settings/service.ts";
import type { GroupView, SettingsError } from "#shop/settings/service.ts";
import { namesOf, type Named } from "#shop/staff/people/colleagues.service.ts";
import { staffChange, staffRead, type StaffEndpoint, type StaffRefusal } from "../endpoint.ts";
import { isoOrNull } from "../views.ts";

type Group = z.input<(typeof contract.readSettings)["answer"]>;
const pageSize = 20;

const groupView = ({ changedBy, changedAt, ...group }: GroupView, named: Named): Group => ({
  ...group,
  changedBy: changedBy === null ? null : named(changedBy),
  changedAt: isoOrNull(changedAt),
});

const actorsOf = (...groups: readonly { changedBy: string | null }[]): string[] => groups.flatMap(({ changedBy }) => changedBy ?? []);
const viewWithNames = async (ctx: Ctx, group: GroupView): Promise<Group> => groupView(group, await namesOf(ctx, actorsOf(group)));

async function refusalOf(ctx: Ctx, error: SettingsError): Promise<StaffRefusal> {
  if (error.code !== "staff.stale") return error;
  return { code: error.code, data: { current: await viewWithNames(ctx, error.current), revision: error.current.revision } };
}

const checked = async (ctx: Ctx, result: Result<unknown, SettingsError>): Promise<Result<unknown, StaffRefusal>> =>
  result.ok ? result : fail(await refusalOf(ctx, result.error));

/** The fields that differ, for the audit. */
function changeOf(before: GroupValues, after: GroupValues) {
  const names = Object.keys(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const pick = (values: GroupValues) => Object.fromEntries(names.map((name) => [name, values[name]]));
  return { before: pick(before), after: pick(after) };
}

const needsTwo = (key: SettingKey): string | null => formOf(key).needsTwo ?? null;

/** The shop's settings over those of the settings file. */
export const settingsEndpoints: readonly StaffEndpoint[] = [
  staffRead(contract.listSettings, async (ctx) => {
    const groups = await settings.list(ctx);
    const named = await namesOf(ctx, actorsOf(...groups));
    return done(groups.map((group) => groupView(group, named)));
  }),

  staffRead(contract.readSettings, async (ctx, { params }) => done(await viewWithNames(ctx, await settings.find(ctx, params.key)))),

  staffRead(contract.readSettingsHistory, async (ctx, { params, query }) => {
    const found = await settings.history(ctx, params.key, { before: query.before ?? null, limit: pageSize + 1 });
    const items = found.slice(0, pageSize);
    const named = await namesOf(ctx, actorsOf(...items));
    return done({
      items: items.map(({ changedBy, changedAt, ...change }) => ({
        ...change,
        changedBy: named(changedBy),
        changedAt: isoMoscow(changedAt),
      })),
      next: found.length > pageSize ? (items.at(-1)?.revision ?? null) : null,
    });
  }),

  staffChange(contract.saveSettings, {
    check: async (ctx, { params, body }) => checked(ctx, await settings.check(ctx, { ...params, ...body })),
    approval: async (_, { params }) => needsTwo(params.key),
    shown: async (ctx, { params, body }) => {
      const wanted = await settings.check(ctx, { ...params, ...body });
      return wanted.ok ? changeOf((await settings.find(ctx, params.key)).values, wanted.value) : null;
    },
    change: async (ctx, { params, body, audit }) => {
      const saved = await settings.save(ctx, { ...params, ...body });
      if (!saved.ok) return fail(await refusalOf(ctx, saved.error));
      audit({ subject: `settings:${params.key}`, ...changeOf(saved.value.before, saved.value.after) });
      return done(await viewWithNames(ctx, saved.value.view));
    },
  }),

  staffChange(contract.restoreSettings, {
    check: async (ctx, { params, body }) => checked(ctx, await settings.checkRestore(ctx, { ...params, ...body })),
    approval: async (_, { params }) => needsTwo(params.key),
    shown: async (ctx, { params, body }) => {
      const wanted = await settings.checkRestore(ctx, { ...params, ...body });
      const { values, defaults } = await settings.find(ctx, params.key);
      return wanted.ok ? changeOf(values, wanted.value ?? defaults) : null;
    },
    change: async (ctx, { params, body, audit }) => {
      const saved = await settings.restore(ctx, { ...params, ...body });
      if (!saved.ok) return fail(await refusalOf(ctx, saved.error));
      audit({ subject: `settings:${params.key}`, ...changeOf(saved.value.before, saved.value.after) });
      return done(await viewWithNames(ctx, saved.value.view));
    },
  }),
];
