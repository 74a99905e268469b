import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isActive, watchActivity } from "./activity.ts";

class Page extends EventTarget {
  visibilityState: DocumentVisibilityState = "visible";
}
let page: Page;
let stop: () => void;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  page = new Page();
  vi.stubGlobal("document", page);
  stop = watchActivity();
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});
const pass = (minutes: number) => vi.setSystemTime(Date.now() + minutes * 60_000);

test("a page is in use for ten minutes after the last press or key", () => {
  expect(isActive()).toBe(true);
  pass(9);
  page.dispatchEvent(new Event("keydown"));
  pass(9);
  expect(isActive()).toBe(true);
  pass(1);
  expect(isActive()).toBe(false);
  page.dispatchEvent(new Event("pointerdown"));
  expect(isActive()).toBe(true);
});

test("a hidden page is not in use, whatever was pressed", () => {
  page.visibilityState = "hidden";
  page.dispatchEvent(new Event("keydown"));
  expect(isActive()).toBe(false);
});
