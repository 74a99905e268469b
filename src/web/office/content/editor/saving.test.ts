import { expect, test } from "vitest";
import { sentAct, shownTime } from "./saving.ts";

const ten = "2026-12-01T10:00:00+03:00";
const noon = "2026-12-01T12:00:00+03:00";

test("saving a scheduled text, or opening its preview, keeps the stored time, whatever the field holds", () => {
  expect(sentAct("draft", { typed: ten, scheduled: ten })).toEqual({ act: "schedule", publishAt: ten });
  expect(sentAct("draft", { typed: noon, scheduled: ten })).toEqual({ act: "schedule", publishAt: ten });
  expect(sentAct("draft", { typed: null, scheduled: ten })).toEqual({ act: "schedule", publishAt: ten });
});

test("a text without a schedule is saved as a draft; publishing clears a schedule; scheduling sends what was typed", () => {
  expect(sentAct("draft", { typed: noon, scheduled: null })).toEqual({ act: "draft", publishAt: null });
  expect(sentAct("publish", { typed: noon, scheduled: ten })).toEqual({ act: "publish", publishAt: null });
  expect(sentAct("schedule", { typed: noon, scheduled: ten })).toEqual({ act: "schedule", publishAt: noon });
  expect(sentAct("schedule", { typed: null, scheduled: ten })).toEqual({ act: "schedule", publishAt: null });
});

test("a time that was typed and not sent stays in its field", () => {
  const typed = "2026-12-01T12:00";
  expect(shownTime({ sent: "draft", typed, before: "", after: "" })).toBe(typed);
  expect(shownTime({ sent: "draft", typed: "", before: "", after: typed })).toBe(typed);
  expect(shownTime({ sent: "publish", typed, before: "", after: "" })).toBe("");
});
