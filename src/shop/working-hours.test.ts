import { expect, test } from "vitest";
import { fromMoscow, isoMoscow } from "#kit/moscow-time.ts";
import { minutes } from "#kit/time.ts";
import { defaultLimits } from "./settings.ts";
import { dueAt } from "./inquiries/due.ts";
import { nextVisit, plusOfficeTime, workingDayAfter, type CourierVisits, type OfficeHours } from "./working-hours.ts";

const office: OfficeHours = [
  { days: ["Mon", "Tue", "Wed", "Thu"], from: "10:00", till: "18:00" },
  { days: ["Fri"], from: "10:00", till: "17:00" },
];
const market = { sessions: [], closed: ["2026-12-31"], extra: [] };
const at = (day: string, time: string) => fromMoscow(day, time);
const after30 = (day: string, time: string) => isoMoscow(plusOfficeTime(office, market, at(day, time), minutes(30))).slice(0, 16);

test("thirty minutes of office hours pass only while the office is open, by Moscow's clock", () => {
  expect(after30("2026-11-20", "12:00")).toBe("2026-11-20T12:30");
  expect(after30("2026-11-20", "16:50")).toBe("2026-11-23T10:20"); // Friday closes at 17:00
  expect(after30("2026-11-20", "17:00")).toBe("2026-11-23T10:30");
  expect(after30("2026-11-21", "03:00")).toBe("2026-11-23T10:30");
  expect(after30("2026-11-23", "08:00")).toBe("2026-11-23T10:30");
  expect(after30("2026-11-23", "23:30")).toBe("2026-11-24T10:30"); // 20:30 UTC of the same day
  expect(after30("2026-12-30", "17:45")).toBe("2027-01-11T10:15"); // the closed day and the holidays do not count
});

test("an office without hours does not make a request wait endlessly", () => {
  expect(plusOfficeTime([], market, at("2026-11-20", "12:00"), minutes(30))).toEqual(at("2026-11-20", "12:30"));
});

test("the courier's next visit is the first one not yet over on a working day", () => {
  const visits: CourierVisits = [
    { days: ["Mon", "Wed"], at: "16:00" },
    { days: ["Mon"], at: "11:30" },
    { days: ["Thu"], at: "12:00" },
  ];
  const next = (day: string, time: string) => {
    const visit = nextVisit(visits, market, at(day, time));
    return visit && isoMoscow(visit).slice(0, 16);
  };
  expect(next("2026-11-23", "09:00")).toBe("2026-11-23T11:30"); // Monday
  expect(next("2026-11-23", "11:30")).toBe("2026-11-23T11:30");
  expect(next("2026-11-23", "11:31")).toBe("2026-11-23T16:00");
  expect(next("2026-11-23", "16:01")).toBe("2026-11-25T16:00");
  expect(next("2026-12-30", "17:00")).toBe("2027-01-11T11:30"); // Thursday the 31st is closed, then holidays
  expect(nextVisit([], market, at("2026-11-23", "09:00"))).toBeNull();
});

test("working days skip weekends and holidays", () => {
  expect(workingDayAfter(market, at("2026-11-20", "23:59"), 1)).toBe("2026-11-23");
  expect(workingDayAfter(market, at("2026-11-22", "00:00"), 10)).toBe("2026-12-04");
  expect(workingDayAfter(market, at("2026-12-30", "12:00"), 1)).toBe("2027-01-11");
});

test("a callback is due after thirty minutes of office hours, another request at six in the evening of the next working day", () => {
  const settings = { office, market, limits: defaultLimits };
  const due = (kind: "callback" | "partners", time: Date) => isoMoscow(dueAt(settings, { kind, createdAt: time })).slice(0, 16);
  expect(due("callback", at("2026-11-20", "16:45"))).toBe("2026-11-23T10:15");
  expect(due("partners", at("2026-11-20", "16:45"))).toBe("2026-11-23T18:00");
  expect(due("partners", at("2026-11-23", "00:10"))).toBe("2026-11-24T18:00");
});
