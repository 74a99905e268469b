import { expect, test } from "vitest";
import { keepAllowed } from "./log.ts";

test("a log line keeps only the fields on the list", () => {
  expect(keepAllowed({ route: "/api/orders/:id", status: 409, phone: "+79160000000", body: { email: "a@b.ru" }, reason: { nested: true } })).toEqual({ route: "/api/orders/:id", status: 409 });
});

test("the values of a failed statement do not reach the log", () => {
  const error = new Error("Failed query: insert into orders values ($1)\nparams: +79160000000,Иван");
  expect(JSON.stringify(keepAllowed({ err: error }))).not.toMatch(/7916|Иван/);
});
