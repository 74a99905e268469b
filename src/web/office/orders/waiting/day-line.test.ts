import { expect, test } from "vitest";
import { dayLine } from "./day-line.ts";

const at = (time: string) => new Date(`2026-11-23T${time}:00+03:00`);
const open = { from: at("10:00"), till: at("18:00") };

test("the line of the day has the office's hours, now and each deadline at its place", () => {
  const line = dayLine(1016, open, at("12:00"), [
    { at: at("15:00"), what: "звонок" },
    { at: at("18:00"), what: "ответ о данных" },
  ]);
  expect(line.hours.filter(({ text }) => text).map(({ text }) => text)).toHaveLength(9);
  expect(line.now).toEqual({ x: 258, text: "12:00" });
  expect(line.marks).toEqual([
    { x: 633, what: "звонок", anchor: "middle" },
    { x: 1008, what: "ответ о данных", anchor: "end" },
  ]);
  expect(line.sentence).toBe("День с 10:00 до 18:00. Сейчас 12:00. Сроки: до 15:00 звонок, до 18:00 ответ о данных.");
});

test("deadlines whose labels would touch share one, and a narrow line names fewer hours", () => {
  const line = dayLine(340, open, at("12:00"), [
    { at: at("15:00"), what: "звонок" },
    { at: at("15:05"), what: "звонок" },
    { at: at("15:10"), what: "выкуп" },
  ]);
  expect(line.marks.map(({ what }) => what)).toEqual(["звонок ×2, выкуп"]);
  expect(line.hours.filter(({ text }) => text).map(({ text }) => text)).toEqual(["10:00", "12:00", "14:00", "16:00", "18:00"]);
});

test("a deadline after the office has closed makes the line longer", () => {
  const line = dayLine(1000, open, at("12:00"), [{ at: at("20:30"), what: "бронь" }]);
  expect(line.hours.at(-1)).toMatchObject({ text: "21:00" });
  expect(line.sentence).toContain("День с 10:00 до 21:00");
  expect(dayLine(1000, open, at("03:00"), []).now).toBeNull(); // the line of the office's day does not begin at night
});
