import { createContext, runInContext } from "node:vm";
import { afterEach, expect, test } from "vitest";
import { startMapsSimulator } from "./simulator.ts";

let simulator: Awaited<ReturnType<typeof startMapsSimulator>> | undefined;
afterEach(() => simulator?.close());

test("the script is a plain one, is given for a key and a language, and brings the parts of the map that checkout uses", async () => {
  simulator = await startMapsSimulator();
  const answer = await fetch(`${simulator.url}/2.1/?apikey=demo&lang=ru_RU&coordorder=latlong`);
  expect(answer.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  const page = createContext({});
  runInContext(`var window = globalThis; ${await answer.text()}`, page);
  expect(runInContext("Object.keys(ymaps).sort().join()", page)).toBe("Map,ObjectManager,ready");
});

test("no key, no map; another path is not there; faults are played", async () => {
  simulator = await startMapsSimulator();
  expect((await fetch(`${simulator.url}/2.1/?lang=ru_RU`)).status).toBe(403);
  expect((await fetch(`${simulator.url}/3.0/?apikey=demo&lang=ru_RU`)).status).toBe(404);
  simulator.setFault("error");
  expect((await fetch(`${simulator.url}/2.1/?apikey=demo&lang=ru_RU`)).status).toBe(500);
});
