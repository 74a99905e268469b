import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { layOutRest } from "./lay-out-rest.ts";

const dataset: { firstView?: string } = {};
let shown: string[];
let frames: (() => void)[];
let page: EventTarget;
beforeEach(() => {
  [shown, frames, page, dataset.firstView] = [[], [], new EventTarget(), ""];
  const parts = ["section", "card"].map((name) => ({ style: { setProperty: () => void shown.push(name) } }));
  vi.stubGlobal("document", { documentElement: { dataset }, querySelectorAll: () => parts });
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  vi.stubGlobal("removeEventListener", page.removeEventListener.bind(page));
  vi.stubGlobal("requestAnimationFrame", (work: () => void) => frames.push(work));
  vi.stubGlobal("cancelAnimationFrame", () => (frames = []));
});
afterEach(() => vi.unstubAllGlobals());
const nextFrame = () => frames.splice(0).forEach((work) => work());

test("one part is laid out in each frame, then the mark goes", () => {
  layOutRest();
  nextFrame();
  expect(shown).toEqual(["section"]);
  nextFrame();
  nextFrame();
  expect([shown, dataset.firstView, frames]).toEqual([["section", "card"], undefined, []]);
});

test("nothing moves under a pressed pointer", () => {
  layOutRest();
  page.dispatchEvent(new Event("pointerdown"));
  nextFrame();
  nextFrame();
  expect(shown).toEqual([]);
  page.dispatchEvent(new Event("pointerup"));
  nextFrame();
  expect(shown).toEqual(["section"]);
});
