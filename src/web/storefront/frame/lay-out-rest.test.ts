import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { layOutRest } from "./lay-out-rest.ts";

const dataset: { firstView?: string } = {};
let shown: string[];
let page: EventTarget;
beforeEach(() => {
  [shown, page, dataset.firstView] = [[], new EventTarget(), ""];
  const parts = ["section", "card"].map((name) => ({
    style: { setProperty: () => void shown.push(`${name} is visible`) },
    getBoundingClientRect: () => void shown.push(`${name} is laid out`),
  }));
  vi.useFakeTimers();
  vi.stubGlobal("document", { documentElement: { dataset }, querySelectorAll: () => parts });
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  vi.stubGlobal("removeEventListener", page.removeEventListener.bind(page));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
const nextTask = () => vi.advanceTimersToNextTimer();

test("one part is laid out in each task, then the mark goes", () => {
  layOutRest();
  nextTask();
  expect(shown).toEqual(["section is visible", "section is laid out"]);
  nextTask();
  nextTask();
  expect(shown).toEqual(["section is visible", "section is laid out", "card is visible", "card is laid out"]);
  expect([dataset.firstView, vi.getTimerCount()]).toEqual([undefined, 0]);
});

test("nothing moves under a pressed pointer", () => {
  layOutRest();
  page.dispatchEvent(new Event("pointerdown"));
  nextTask();
  nextTask();
  expect(shown).toEqual([]);
  page.dispatchEvent(new Event("pointerup"));
  nextTask();
  expect(shown).toEqual(["section is visible", "section is laid out"]);
});
