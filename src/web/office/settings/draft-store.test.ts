import { expect, test } from "vitest";
import { draftsOf, hasDrafts, storeDraft } from "./draft-store.ts";
import type { Group } from "./values.ts";

const base = { values: { phone: "8 800 000-00-00" } } as unknown as Group;

test("what one member of staff typed into settings is not there for the next one in the same window", () => {
  const draft = { base, values: { phone: "8 800 111-11-11" } };
  storeDraft("ivanova", "requisites", draft);
  expect([draftsOf("ivanova"), hasDrafts("ivanova")]).toEqual([{ requisites: draft }, true]);
  expect([hasDrafts(undefined), hasDrafts("petrov")]).toEqual([false, false]); // no question about what another member typed
  expect([draftsOf("petrov"), hasDrafts("ivanova")]).toEqual([{}, false]);
  expect(draftsOf("ivanova")).toEqual({});
});
