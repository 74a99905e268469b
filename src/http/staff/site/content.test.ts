import { readFile } from "node:fs/promises";
import { desc } from "drizzle-orm";
import Fastify from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seed } from "../../../../db/seed/seed.ts";
import * as contract from "#contract/staff/site/content.ts";
import * as mediaContract from "#contract/staff/coins/media.ts";
import { filmRoute } from "#http/images/film-route.ts";
import { isoMoscow } from "#kit/moscow-time.ts";
import { days, hours, plus } from "#kit/time.ts";
import { checkLedger } from "#main/ledger/ledger.ts";
import { auditEntries } from "#shop/audit/tables.ts";
import type { PartData } from "#shop/content/site/parts.ts";
import { maxFilmBytes } from "#shop/media/film.ts";
import * as media from "#shop/media/service.ts";
import { previewSubject } from "#shop/staff/preview-token.ts";
import { openStaffBench, type StaffBench, type StaffClient } from "../testing.ts";

let bench: StaffBench;
let editor: StaffClient;
beforeAll(async () => {
  bench = await openStaffBench();
  await seed(bench.ctx, { progress: () => {} });
  editor = await bench.as("editor");
});
afterAll(async () => {
  expect(bench.faults).toEqual([]);
  expect(await checkLedger(bench.ctx.db)).toEqual([]);
  await bench.close();
});

const news = (slug: string) => ({
  kind: "news" as const,
  title: "Новый выпуск",
  slug,
  lead: "Коротко",
  body: "Пишите на {{EMAIL}}",
  publishedOn: "2026-11-22",
  tags: ["выпуски"],
  cover: null,
});
const create = async (slug: string) =>
  (await editor.call(contract.createText, { params: { kind: "news" }, body: { data: news(slug) } })).data;
const lastAudit = async () => (await bench.ctx.db.select().from(auditEntries).orderBy(desc(auditEntries.id)).limit(1))[0];

test("an editor writes a news item, publishes it, and the audit names each step", async () => {
  const made = await create("novyj-vypusk");
  expect(made).toMatchObject({ state: "draft", live: null, address: "/news/novyj-vypusk" });
  expect(await lastAudit()).toMatchObject({ action: "content.create", subject: `news:${made.id}`, after: { title: "Новый выпуск" } });
  const params = { kind: "news", id: made.id };
  const body = { revision: made.revision, data: made.data, act: "publish", publishAt: null, unpublishAt: null } as const;
  const saved = await editor.call(contract.saveContent, { params, body });
  expect(saved.data).toMatchObject({ state: "published", live: { slug: "novyj-vypusk" } });
  expect(await lastAudit()).toMatchObject({ action: "content.save", before: { state: "draft" }, after: { state: "published" } });
  const listed = await editor.call(contract.readTexts, { query: { kind: "news", words: "новый" } });
  expect(listed.data).toMatchObject({ items: [{ id: made.id, state: "published" }], next: null, total: 1 });
});

test("the address of the preview opens this one text", async () => {
  const made = await create("predprosmotr");
  const url = new URL(made.previewUrl);
  expect(url.pathname).toBe("/news/predprosmotr");
  expect(previewSubject(bench.ctx, url.searchParams.get("preview") ?? "")).toBe(`news:${made.id}`);
});

test("a stale save shows the other version; wrong fields are named", async () => {
  const made = await create("ustarela");
  const params = { kind: "news", id: made.id };
  const body = { revision: made.revision, data: made.data, act: "draft", publishAt: null, unpublishAt: null } as const;
  const first = await editor.call(contract.saveContent, { params, body: { ...body, data: { ...news("ustarela"), title: "Раньше" } } });
  const second = await editor.call(contract.saveContent, { params, body });
  expect(second.problem).toMatchObject({
    code: "staff.stale",
    data: { revision: first.data.revision, current: { data: { title: "Раньше" } } },
  });
  const wrong = await editor.call(contract.saveContent, { params, body: { ...body, data: { ...news("x"), body: "" } } });
  expect(wrong.problem?.code).toBe("staff.stale"); // nothing else matters before the newest version is seen
  const now = { ...body, revision: first.data.revision };
  const refused = await editor.call(contract.saveContent, { params, body: { ...now, data: { ...news("x"), body: "" } } });
  expect(refused.problem).toMatchObject({ code: "request.invalid", fields: { slug: "Не короче трёх знаков", body: "Напишите текст" } });
  const late = await editor.call(contract.saveContent, { params, body: { ...now, act: "schedule" } });
  expect(late.problem).toMatchObject({ fields: { publishAt: "Укажите день и время" } });
});

test("a schedule is taken back, a version is restored, an unseen text is removed", async () => {
  const made = await create("raspisanie");
  const params = { kind: "news", id: made.id };
  const publishAt = isoMoscow(plus(bench.clock.now(), hours(3)));
  const body = {
    revision: made.revision,
    data: { ...news("raspisanie"), title: "Потом" },
    act: "schedule",
    publishAt,
    unpublishAt: null,
  } as const;
  const planned = await editor.call(contract.saveContent, { params, body });
  expect(planned.data).toMatchObject({ state: "scheduled", publishAt });
  const down = await editor.call(contract.unscheduleContent, { params, body: { revision: planned.data.revision } });
  expect(down.data).toMatchObject({ state: "draft", publishAt: null, data: { title: "Потом" } });
  expect(await lastAudit()).toMatchObject({ action: "content.unschedule", before: { state: "scheduled" }, after: { state: "draft" } });
  const again = await editor.call(contract.takeContentDown, { params, body: { revision: down.data.revision } });
  expect(again.problem?.code).toBe("staff.act_refused");
  const restored = await editor.call(contract.restoreContent, { params, body: { revision: down.data.revision, version: made.revision } });
  expect(restored.data.data).toMatchObject({ title: "Новый выпуск" });
  const versions = await editor.call(contract.readVersions, { params });
  expect(versions.data.items.map((each) => each.event)).toEqual(["restored", "saved", "scheduled", "saved"]);
  const one = await editor.call(contract.readVersion, { params: { ...params, version: planned.data.revision } });
  expect(one.data).toMatchObject({ actor: editor.member.name, data: { title: "Потом" } });
  await editor.call(contract.removeText, { params, body: { revision: restored.data.revision } });
  expect((await editor.call(contract.readContent, { params })).problem?.code).toBe("staff.not_found");
});

test("Markdown is previewed by the shop's own renderer, and no entry is written", async () => {
  const before = await lastAudit();
  const { data } = await editor.call(contract.previewMarkdown, { body: { markdown: "**Жирно** <script>1</script> {{NOTHING}}" } });
  expect(data.html).toBe("<p><strong>Жирно</strong> &lt;script&gt;1&lt;/script&gt; —</p>\n");
  expect(await lastAudit()).toEqual(before);
});

test("redirects are added, refused beside the field, and removed", async () => {
  const redirect = { path: "/aktsiya", target: "/promo", isPermanent: true, revision: null };
  expect((await editor.call(contract.saveRedirect, { body: redirect })).data).toMatchObject({ target: "/promo", revision: 0 });
  const loop = await editor.call(contract.saveRedirect, { body: { ...redirect, path: "/petlya", target: "/petlya" } });
  expect(loop.problem).toMatchObject({ code: "request.invalid", fields: { target: "Петля: адрес ведёт сам на себя" } });
  const stale = await editor.call(contract.saveRedirect, { body: { ...redirect, target: "/news" } });
  expect(stale.problem).toMatchObject({ code: "staff.stale", data: { current: { target: "/promo" } } });
  await editor.call(contract.removeRedirect, { body: { path: "/aktsiya", revision: 0 } });
  expect((await editor.call(contract.readRedirects)).data.items.some(({ path }) => path === "/aktsiya")).toBe(false);
});

test("questions are put in another order, a list that has changed meanwhile is not", async () => {
  const read = async () => (await editor.call(contract.readTexts, { query: { kind: "faq" } })).data.items.map(({ id }) => id);
  const ids = (await read()).toReversed();
  expect((await editor.call(contract.orderTexts, { params: { kind: "faq" }, body: { ids } })).status).toBe(200);
  expect(await read()).toEqual(ids);
  const short = await editor.call(contract.orderTexts, { params: { kind: "faq" }, body: { ids: ids.slice(1) } });
  expect(short.problem?.code).toBe("staff.stale");
});

test("a redirect through the shop's own full address is checked as the path that it is", async () => {
  const { publicUrl } = bench.ctx.settings;
  const own = (path: string) => new URL(path, publicUrl).href;
  const redirect = { path: "/nedelya", isPermanent: true, revision: null };
  const faultOf = async (target: string) =>
    (await editor.call(contract.saveRedirect, { body: { ...redirect, target } })).problem?.fields?.["target"];
  expect(await faultOf(own("/nedelya?utm_source=mail"))).toBe("Петля: адрес ведёт сам на себя");
  expect(await faultOf(`HTTPS://${new URL(publicUrl).host.toUpperCase()}/nedelya`)).toContain("Петля");
  expect(await faultOf(own("/net-takoj"))).toBe("Такой страницы на сайте нет");
  const first = { ...redirect, path: "/skidki", target: own("/promo?from=old#top") };
  expect((await editor.call(contract.saveRedirect, { body: first })).data).toMatchObject({
    target: "/promo?from=old#top",
    isExternal: false,
  });
  expect(await faultOf(own("/skidki"))).toContain("Укажите сразу конечный адрес");
  await editor.call(contract.removeRedirect, { body: { path: "/skidki", revision: 0 } });
});

test("coins for a block are found by words, and listed ones say whether they are on sale", async () => {
  const found = await editor.call(contract.findBlockCoins, { query: { words: "георгий победоносец" } });
  const [first] = found.data.items;
  expect(first).toMatchObject({ isOnSale: true });
  const listed = await editor.call(contract.findBlockCoins, { query: { slugs: `${first?.slug},no-such-coin` } });
  expect(listed.data.items).toMatchObject([{ slug: first?.slug }, { slug: "no-such-coin", isOnSale: false }]);
});

const box = (type: string, bytes = Buffer.alloc(0)) => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + bytes.length);
  head.write(type, 4, "latin1");
  return Buffer.concat([head, bytes]);
};
const mp4 = Buffer.concat([box("ftyp", Buffer.from("isom")), box("moov", Buffer.alloc(300)), box("mdat", Buffer.alloc(700, 7))]);
const webm = Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), Buffer.from("B\x82\x84webm"), Buffer.alloc(200)]);
const uploadFilm = (body: Buffer) => editor.call(mediaContract.uploadFilm, { body: body as never });

test("a film is uploaded, kept by the page that shows it, and sent in ranges; what is not a film is refused in words", async () => {
  for (const bytes of [Buffer.from("no film"), mp4.subarray(0, 900), Buffer.alloc(2_000), box("ftyp"), await readFile("package.json")])
    expect((await uploadFilm(bytes)).problem).toMatchObject({
      code: "media.no_film",
      message: expect.stringMatching(/MP4 и WebM/) as string,
    });
  expect((await uploadFilm(Buffer.alloc(maxFilmBytes + 1))).problem?.code).toBe("request.too_large");
  const { address } = (await uploadFilm(mp4)).data;
  expect((await uploadFilm(webm)).data.address).toMatch(/\.webm$/);

  const params = { kind: "films", id: 1 } as const;
  const at = (await editor.call(contract.readContent, { params })).data;
  const { films } = at.data as PartData<"films">;
  const data = { kind: "films" as const, films: films.map((film) => ({ ...film, mp4: address, webm: null })) };
  const body = { revision: at.revision, data, act: "publish", publishAt: null, unpublishAt: null } as const;
  expect((await editor.call(contract.saveContent, { params, body })).data).toMatchObject({ state: "published" });
  bench.clock.advance(days(3));
  await media.deleteUnused(bench.ctx);

  const app = Fastify();
  filmRoute(app, {
    size: (id, type) => media.filmSize(bench.ctx.db, id, type),
    part: (id, start, length) => media.filmPart(bench.ctx.db, id, start, length),
  });
  const get = async (range?: string, url: string = address) => {
    const { statusCode, headers, rawPayload } = await app.inject({ url, headers: range ? { range } : {} });
    return [statusCode, headers["content-range"], rawPayload.length];
  };
  expect((await app.inject({ url: address })).rawPayload.equals(mp4)).toBe(true);
  expect(await get("bytes=0-1")).toEqual([206, `bytes 0-1/${mp4.length}`, 2]);
  expect(await get(`bytes=${mp4.length - 10}-`)).toEqual([206, `bytes ${mp4.length - 10}-${mp4.length - 1}/${mp4.length}`, 10]);
  expect(await get("bytes=-5")).toEqual([206, `bytes ${mp4.length - 5}-${mp4.length - 1}/${mp4.length}`, 5]);
  expect(await get("bytes=5000-")).toEqual([416, `bytes */${mp4.length}`, 0]);
  expect((await get("bytes=5-2"))[0]).toBe(200);
  expect((await get("pages=1"))[0]).toBe(200);
  expect((await get(undefined, address.replace(".mp4", ".webm")))[0]).toBe(404);
  expect((await get(undefined, "/media/films/../coins/x.mp4"))[0]).toBe(404);
  await app.close();
});
