import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { moscow } from "#kit/moscow-time.ts";
import { hours, minutes, plus, seconds } from "#kit/time.ts";
import { checkLedger } from "#main/ledger/ledger.ts";
import { coins } from "#shop/catalog/tables.ts";
import * as media from "#shop/media/service.ts";
import { testShop, type TestShop } from "#tests/shop.ts";
import { seed } from "../../../../db/seed/seed.ts";
import * as content from "../service.ts";
import * as siteParts from "../site/parts.service.ts";
import { contentVersions } from "../tables.ts";
import type { PartData } from "../site/parts.ts";
import type { TextData } from "../text-data.ts";
import type { Editable, SaveAct, Subject } from "./editable.ts";
import * as editing from "./editing.service.ts";
import * as redirects from "./redirects.service.ts";

let shop: TestShop;
let n = 0;
beforeAll(async () => {
  shop = await testShop();
  await seed(shop.ctx, { progress: () => {} });
});
afterAll(async () => {
  expect(await checkLedger(shop.ctx.db)).toEqual([]);
  await shop.close();
});
beforeEach(() => shop.clock.advance(seconds(2)));

const draft: SaveAct = { kind: "draft" };
const publish: SaveAct = { kind: "publish" };

function aNewsItem(values: Partial<TextData<"news">> = {}): TextData<"news"> {
  n += 1;
  const text = { title: `Новость ${n}`, slug: `novost-nomer-${n}`, lead: "Коротко о главном", body: "Текст **новости**" };
  return { kind: "news", ...text, publishedOn: "2026-11-22", tags: [], cover: null, ...values };
}

function given<T>(result: { ok: true; value: T } | { ok: false; error: unknown }): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}
const created = async (data = aNewsItem()): Promise<Editable> => given(await editing.create(shop.ctx, data, data.kind));
const save = (at: Editable, data: unknown, act: SaveAct, unpublishAt: Date | null = null) =>
  editing.save(shop.ctx, { subject: at, revision: at.revision, data, act, unpublishAt });
const saved = async (...args: Parameters<typeof save>): Promise<Editable> => given(await save(...args)).after;
const published = async (data = aNewsItem()): Promise<Editable> => saved(await created(data), data, publish);
const shown = (slug: string) => content.bySlug(shop.ctx, "news", slug);
const stored = async (subject: Subject): Promise<Editable> => {
  const found = await editing.read(shop.ctx, subject);
  if (!found) throw new Error("not found");
  return found;
};
const documentAt = async (path: string): Promise<Editable> => {
  const found = (await editing.list(shop.ctx, { kind: "document", state: null, words: "", from: 0 })).items.find(
    ({ live }) => live.kind === "document" && live.path === path,
  );
  if (!found) throw new Error(`no ${path}`);
  return found;
};

describe("drafts and publication", () => {
  test("a new text is not visible until it is published", async () => {
    const data = aNewsItem();
    const made = await created(data);
    expect(await shown(data.slug)).toBeNull();
    expect((await content.searchable(shop.ctx)).some(({ slug }) => slug === data.slug)).toBe(false);
    await saved(made, data, publish);
    expect((await shown(data.slug))?.html).toContain("<strong>новости</strong>");
  });

  test("changes of a published text wait as a draft, and a preview shows them", async () => {
    const data = aNewsItem();
    const at = await published(data);
    await saved(at, { ...data, title: "Исправленный заголовок" }, draft);
    expect((await shown(data.slug))?.title).toBe(data.title);
    const preview = { ...shop.ctx, preview: `news:${at.id}` as const };
    expect((await content.bySlug(preview, "news", data.slug))?.title).toBe("Исправленный заголовок");
    expect((await content.bySlug({ ...shop.ctx, preview: "news:1" }, "news", data.slug))?.title).toBe(data.title);
    expect((await content.sitePage(preview, "/documents"))?.title).toBe("Документы");
  });

  test("of two editors the second gets both versions, and nothing is overwritten", async () => {
    const data = aNewsItem();
    const at = await published(data);
    const results = await Promise.all(["Первый", "Второй"].map((title) => save(at, { ...data, title }, publish)));
    const refused = results.find((each) => !each.ok);
    const won = results.find((each) => each.ok);
    expect(refused).toMatchObject({ error: { code: "staff.stale", current: { revision: at.revision + 1 } } });
    const { live } = await stored(at);
    expect(won?.ok && won.value.after.live).toEqual(live);
  });

  test("a text that was taken down answers 404 and keeps what was written", async () => {
    const data = aNewsItem();
    const at = await published(data);
    const changed = await saved(at, { ...data, body: "Черновик" }, draft);
    const { after } = given(await editing.takeDown(shop.ctx, at, changed.revision));
    expect(await shown(data.slug)).toBeNull();
    expect(after).toMatchObject({ isPublished: false, live: { body: "Черновик" } });
    expect(await editing.takeDown(shop.ctx, at, after.revision)).toMatchObject({ error: { code: "staff.act_refused" } });
  });

  test("an edit that visitors see changes the version of the pages, a draft does not", async () => {
    const data = aNewsItem();
    const at = await published(data);
    const before = await siteParts.version(shop.ctx);
    const changed = await saved(at, { ...data, title: "Другой" }, draft);
    expect(await siteParts.version(shop.ctx)).toBe(before);
    await saved(changed, { ...data, title: "Другой" }, publish);
    expect(await siteParts.version(shop.ctx)).not.toBe(before);
  });

  test("a draft that was never published can be removed, a published text cannot", async () => {
    const made = await created();
    expect(given(await editing.remove(shop.ctx, made, made.revision)).id).toBe(made.id);
    expect(await editing.read(shop.ctx, made)).toBeNull();
    expect((await created()).id).toBeGreaterThan(made.id);
    const at = await published();
    const { after } = given(await editing.takeDown(shop.ctx, at, at.revision));
    expect(await editing.remove(shop.ctx, at, after.revision)).toMatchObject({ error: { code: "staff.act_refused" } });
  });

  test("wrong fields are named one by one", async () => {
    const result = await editing.create(shop.ctx, { ...aNewsItem(), title: "", slug: "Русский адрес", publishedOn: "вчера" }, "news");
    expect(result).toMatchObject({
      error: { code: "request.invalid", fields: { title: "Обязательное поле", slug: expect.stringContaining("латинские") as string } },
    });
    expect(!result.ok && "fields" in result.error && Object.keys(result.error.fields)).toEqual(["title", "slug", "publishedOn"]);
  });
});

describe("pictures", () => {
  test("a picture of a saved text is kept, and one that is gone is named beside its field", async () => {
    const bytes = Buffer.from("picture");
    const { id } = await media.store(shop.ctx.db, shop.ctx, { bytes, width: 1600, height: 900 });
    const address = `/media/pictures/${id}-1200.webp`;
    const data = aNewsItem({ cover: { picture: address, alt: "Монета на сукне" }, body: `![Монета](${address})` });
    await published(data);
    shop.clock.advance(hours(72));
    await media.deleteUnused(shop.ctx);
    expect(await media.readBytes(shop.ctx.db, id)).toEqual(bytes);
    expect(await shown(data.slug)).toMatchObject({
      extra: { cover: { alt: "Монета на сукне" } },
      html: expect.stringContaining(address) as string,
    });
    const gone = aNewsItem({ body: `![Нет](/media/pictures/${"x".repeat(22)}-1200.webp)` });
    expect(await editing.create(shop.ctx, gone, "news")).toMatchObject({
      error: { fields: { body: expect.stringContaining("не нашлась") as string } },
    });
  });
});

describe("versions", () => {
  test("every save is stored with its actor and time, also the text of the seed, and an older one is restored as a draft", async () => {
    const at = await stored({ kind: "training", id: 18 });
    const data = at.live as TextData<"training">;
    const changed = await saved(at, { ...data, body: "Совсем другое" }, publish);
    expect(await editing.versions(shop.ctx, at)).toMatchObject([
      { revision: 1, event: "published", actor: "staff:test", at: shop.clock.now() },
      { revision: 0, event: "published", actor: "job:seed" },
    ]);
    const { after } = given(await editing.restore(shop.ctx, at, changed.revision, 0));
    expect(after.draft).toEqual(data);
    expect((await content.byId(shop.ctx, "training", 18))?.html).toContain("Совсем другое");
    await saved(after, after.draft, publish);
    expect((await content.byId(shop.ctx, "training", 18))?.html).not.toContain("Совсем другое");
    expect((await editing.versions(shop.ctx, at)).map(({ event }) => event)).toEqual(["published", "restored", "published", "published"]);
  });

  test("versions cannot be changed or removed", async () => {
    await published();
    for (const statement of [
      sql`update ${contentVersions} set actor = 'x'`,
      sql`delete from ${contentVersions}`,
      sql`truncate ${contentVersions}`,
    ])
      await expect(shop.ctx.db.execute(statement)).rejects.toThrow();
  });
});

describe("schedules", () => {
  test("a scheduled text appears at its time and goes at its time, once, whatever process sweeps", async () => {
    const data = aNewsItem();
    const publishAt = plus(shop.clock.now(), hours(1));
    const at = await saved(await created(data), data, { kind: "schedule", publishAt }, plus(publishAt, hours(1)));
    await editing.publishDue(shop.ctx);
    expect(await shown(data.slug)).toBeNull();

    shop.clock.advance(hours(1) + minutes(7)); // no sweep ran meanwhile: the process was being restarted
    const second = await shop.another();
    await Promise.all([editing.publishDue(shop.ctx), editing.publishDue(second), editing.publishDue(shop.ctx)]);
    expect((await shown(data.slug))?.title).toBe(data.title);
    const events = async () => (await editing.versions(shop.ctx, at)).map(({ event }) => event);
    expect(await events()).toEqual(["published", "scheduled", "saved"]);

    shop.clock.advance(hours(1));
    await Promise.all([editing.publishDue(second), editing.publishDue(shop.ctx)]);
    expect(await shown(data.slug)).toBeNull();
    expect(await events()).toEqual(["taken_down", "published", "scheduled", "saved"]);
  });

  test("the draft of a published text is published at its time, the old text stays until then", async () => {
    const data = aNewsItem();
    const publishAt = plus(shop.clock.now(), hours(1));
    await saved(await published(data), { ...data, title: "Завтрашний" }, { kind: "schedule", publishAt });
    await editing.publishDue(shop.ctx);
    expect((await shown(data.slug))?.title).toBe(data.title);
    shop.clock.advance(hours(1));
    await editing.publishDue(shop.ctx);
    expect((await shown(data.slug))?.title).toBe("Завтрашний");
  });

  test("a schedule is cleared without touching what is on the site, and the saved text stays as a draft", async () => {
    const data = aNewsItem();
    const publishAt = plus(shop.clock.now(), hours(1));
    const end = plus(shop.clock.now(), hours(5));
    const planned = await saved(await published(data), { ...data, title: "Завтрашний" }, { kind: "schedule", publishAt }, end);
    const { after } = given(await editing.unschedule(shop.ctx, planned, planned.revision));
    expect(after).toMatchObject({ isPublished: true, publishAt: null, unpublishAt: end, draft: { title: "Завтрашний" } });
    shop.clock.advance(hours(1));
    await editing.publishDue(shop.ctx);
    expect((await shown(data.slug))?.title).toBe(data.title);
    expect(await editing.unschedule(shop.ctx, after, after.revision)).toMatchObject({ error: { code: "staff.act_refused" } });
    expect(await editing.unschedule(shop.ctx, after, planned.revision)).toMatchObject({ error: { code: "staff.stale" } });
  });

  test("the schedule of a part of the site is cleared, although the part cannot be taken down", async () => {
    const at = await stored({ kind: "menu", id: 1 });
    const menu = at.live as PartData<"menu">;
    const publishAt = plus(shop.clock.now(), hours(1));
    const planned = await saved(at, { ...menu, footer: [] }, { kind: "schedule", publishAt });
    expect(await editing.takeDown(shop.ctx, at, planned.revision)).toMatchObject({ error: { code: "staff.act_refused" } });
    expect(given(await editing.unschedule(shop.ctx, at, planned.revision)).after).toMatchObject({ publishAt: null, draft: { footer: [] } });
    shop.clock.advance(hours(1));
    await editing.publishDue(shop.ctx);
    expect((await siteParts.menu(shop.ctx)).footer).toEqual(menu.footer);
  });

  test("a time in the past, and an end before the beginning, are refused beside their fields", async () => {
    const data = aNewsItem();
    const at = await created(data);
    const now = shop.clock.now();
    const late = await save(at, data, { kind: "schedule", publishAt: now });
    expect(late).toMatchObject({ error: { fields: { publishAt: "Это время уже прошло" } } });
    const wrong = await save(at, data, { kind: "schedule", publishAt: plus(now, hours(2)) }, plus(now, hours(1)));
    expect(wrong).toMatchObject({ error: { fields: { unpublishAt: "Снять можно только после публикации" } } });
  });
});

describe("addresses", () => {
  test("an address belongs to one text, drafts included", async () => {
    const data = aNewsItem();
    await created(data);
    expect(await editing.create(shop.ctx, aNewsItem({ slug: data.slug }), "news")).toMatchObject({
      error: { fields: { slug: "Этот адрес уже занят другим текстом" } },
    });
  });

  test("renaming a published address makes a redirect, and a second renaming moves it on in one step", async () => {
    const data = aNewsItem();
    const at = await published(data);
    const second = await saved(at, { ...data, slug: `${data.slug}-2` }, publish);
    expect(await content.redirectFrom(shop.ctx, `/news/${data.slug}`)).toMatchObject({ target: `/news/${data.slug}-2`, isPermanent: true });
    const third = await saved(second, { ...data, slug: `${data.slug}-3` }, publish);
    for (const old of [data.slug, `${data.slug}-2`])
      expect(await content.redirectFrom(shop.ctx, `/news/${old}`)).toMatchObject({ target: `/news/${data.slug}-3` });
    await saved(third, data, publish); // back again: nothing leads away from it
    expect(await content.redirectFrom(shop.ctx, `/news/${data.slug}`)).toBeNull();
    expect(await content.redirectFrom(shop.ctx, `/news/${data.slug}-3`)).toMatchObject({ target: `/news/${data.slug}` });
  });

  test("a page cannot have an address of the site, and pages below a renamed one follow it", async () => {
    const page = {
      kind: "document",
      title: "Договор",
      path: "/dogovor",
      description: "",
      body: "Текст",
      parentPath: null,
      hasEditions: false,
    };
    for (const path of ["/news", "/catalog/gold", "/api/x", "/products/x", "/my/orders"])
      expect(await editing.create(shop.ctx, { ...page, path }, "document")).toMatchObject({
        error: { fields: { path: "Этот адрес занят страницей сайта" } },
      });
    const top = await saved(given(await editing.create(shop.ctx, page, "document")), page, publish);
    const child = { ...page, title: "Приложение", path: "/dogovor/prilozhenie", parentPath: "/dogovor" };
    await saved(given(await editing.create(shop.ctx, child, "document")), child, publish);
    await saved(top, { ...page, path: "/oferta" }, publish);
    expect((await content.sitePage(shop.ctx, child.path))?.parent).toEqual({ path: "/oferta", title: "Договор" });
    expect(await content.redirectFrom(shop.ctx, "/dogovor")).toMatchObject({ target: "/oferta" });
  });
});

describe("documents with legal meaning", () => {
  test("a changed text is an edition of its day, and every edition stays", async () => {
    const at = await documentAt("/consent/order");
    const data = at.live as TextData<"document">;
    const same = await saved(at, data, publish);
    expect(same.editedOn).toBe(at.editedOn);
    const changed = await saved(same, { ...data, body: `${data.body}\n\nНовый абзац.` }, publish);
    const today = moscow(shop.clock.now()).date;
    expect(changed.editedOn).toBe(today);
    expect(await content.sitePage(shop.ctx, "/consent/order")).toMatchObject({ editedOn: today });
    const first = await editing.version(shop.ctx, at, 0);
    expect(first?.data).toEqual(data);
  });

  test("its address stays, it is not taken down, and its editions do not end", async () => {
    const at = await documentAt("/consent/order");
    const data = at.live as TextData<"document">;
    expect(await save(at, { ...data, path: "/consent/zakaz" }, publish)).toMatchObject({
      error: { fields: { path: expect.any(String) as string } },
    });
    expect(await save(at, { ...data, hasEditions: false }, publish)).toMatchObject({
      error: { fields: { hasEditions: expect.any(String) as string } },
    });
    expect(await editing.takeDown(shop.ctx, at, at.revision)).toMatchObject({ error: { code: "staff.act_refused" } });
    const end = plus(shop.clock.now(), hours(1));
    expect(await save(at, data, publish, end)).toMatchObject({ error: { code: "staff.act_refused" } });
  });
});

describe("redirects", () => {
  const redirect = (path: string, target: string) => redirects.save(shop.ctx, { path, target, isPermanent: true }, null);
  const faultOf = async (path: string, target: string) => {
    const result = await redirect(path, target);
    return !result.ok && "fields" in result.error ? result.error.fields : result;
  };

  test("loops, chains, foreign schemes and addresses of pages are refused beside their field", async () => {
    given(await redirect("/stary-adres", "/news"));
    expect(await faultOf("/petlya", "/petlya")).toEqual({ target: "Петля: адрес ведёт сам на себя" });
    expect(await faultOf("/cepochka", "/stary-adres?utm=1")).toEqual({
      target: expect.stringContaining("Укажите сразу конечный адрес") as string,
    });
    given(await redirect("/a-1", "/delivery"));
    for (const target of [
      "http://plain.example/",
      "javascript:alert(1)",
      "//evil.example",
      "https://user:pass@evil.example/",
      "/\\evil.example",
    ])
      expect([target, Object.keys((await faultOf("/b-1", target)) as object)]).toEqual([target, ["target"]]);
    for (const path of ["/cart", "/news", "/api/cart", "/catalog/gold", "/documents", "/news/nds-22-i-monety", "/Кириллица"])
      expect([path, Object.keys((await faultOf(path, "/news")) as object)]).toEqual([path, ["path"]]);
    expect(await faultOf("/b-1", "/net-takoj-stranicy")).toEqual({ target: "Такой страницы на сайте нет" });
  });

  test("a target with Russian letters is answered as a header can carry it, and one to what visitors do not see is refused", async () => {
    given(await redirect("/poisk-georgija", "/search?q=георгий&a=%D0%B0#мон"));
    expect((await content.redirectFrom(shop.ctx, "/poisk-georgija"))?.target).toBe(
      "/search?q=%D0%B3%D0%B5%D0%BE%D1%80%D0%B3%D0%B8%D0%B9&a=%D0%B0#%D0%BC%D0%BE%D0%BD",
    );
    for (const target of ["/catalog/net-razdela", "/products/net-monety", "/news/net-novosti", "/training/999"])
      expect([target, await faultOf("/b-2", target)]).toEqual([target, { target: "Такой страницы на сайте нет" }]);
    for (const target of [
      "/catalog/gold/rf?inStock=1",
      "/catalog/page/2",
      "/training/20",
      "/products/drakon-3-rublya-2011",
      "/consent/order",
    ])
      given(await redirect(`/b-${target.length}`, target));
  });

  test("a loop of two is refused, and what led to a redirected address leads to its target at once", async () => {
    given(await redirect("/c-1", "/quotes-online"));
    const one = (await redirects.list(shop.ctx)).find(({ path }) => path === "/c-1");
    expect(await redirects.save(shop.ctx, { path: "/quotes-online", target: "/c-1", isPermanent: true }, null)).toMatchObject({
      error: { fields: { path: "Этот адрес занят страницей сайта" } },
    });
    given(await redirect("/c-2", "/reviews"));
    // The page that /c-2 led to is renamed by hand: /c-3 → /c-2 would be a chain, /c-2 → … is moved on.
    expect(await faultOf("/c-3", "/c-2")).toHaveProperty("target");
    const two = (await redirects.list(shop.ctx)).find(({ path }) => path === "/c-2");
    given(await redirects.save(shop.ctx, { path: "/c-2", target: "https://example.org/x", isPermanent: false }, two?.revision ?? 0));
    expect(await content.redirectFrom(shop.ctx, "/c-2")).toEqual({ target: "https://example.org/x", isExternal: true, isPermanent: false });
    given(await redirects.remove(shop.ctx, "/c-1", one?.revision ?? 0));
    expect(await content.redirectFrom(shop.ctx, "/c-1")).toBeNull();
  });

  test("a stale save of a redirect is refused with what is stored", async () => {
    given(await redirect("/d-1", "/news"));
    expect(await redirect("/d-1", "/reviews")).toMatchObject({ error: { code: "staff.stale", current: { target: "/news" } } });
  });
});

describe("parts of the site", () => {
  const home = () => stored({ kind: "home", id: 1 });

  test("the home page is changed, turned off block by block, and shown by the time of its blocks", async () => {
    const at = await home();
    const data = at.live as PartData<"home">;
    const [hero, ...others] = data.blocks;
    if (!hero) throw new Error("no hero");
    const until = plus(shop.clock.now(), hours(1)).toISOString();
    const blocks = [{ ...hero, until }, { ...others[0], isOn: false }, ...others.slice(1)];
    await saved(at, { ...data, blocks }, publish);
    shop.clock.advance(seconds(2));
    const ids = async () => (await siteParts.home(shop.ctx)).blocks.map(({ id }) => id);
    expect(await ids()).toEqual([hero.id, ...others.slice(1).map(({ id }) => id)]);
    const version = await siteParts.version(shop.ctx);
    shop.clock.advance(hours(1));
    expect(await ids()).not.toContain(hero.id);
    expect(await siteParts.version(shop.ctx)).not.toBe(version);
  });

  test("a draft of the home page is seen in its preview only, and a wrong block is named by its place", async () => {
    const at = await home();
    const data = at.live as PartData<"home">;
    await saved(at, { ...data, blocks: [] }, draft);
    shop.clock.advance(seconds(2));
    expect((await siteParts.home(shop.ctx)).blocks).not.toEqual([]);
    expect((await siteParts.home({ ...shop.ctx, preview: "home:1" })).blocks).toEqual([]);
    const wrong = { ...data, blocks: [{ ...data.blocks[0], content: { kind: "ruler", coin: "" } }] };
    expect(await save(await home(), wrong, publish)).toMatchObject({ error: { fields: { "blocks.0.content.coin": "Выберите монету" } } });
  });

  test("the article at the head of the home page exists and is published, unless its block is off", async () => {
    const at = await home();
    const data = (at.draft ?? at.live) as PartData<"home">;
    const block = (at.live as PartData<"home">).blocks.find(({ content }) => content.kind === "articles");
    const withLead = (lead: number, isOn = true) => ({ ...data, blocks: [{ ...block, isOn, content: { ...block?.content, lead } }] });
    const field = "blocks.0.content.lead";
    expect(await save(at, withLead(0), draft)).toMatchObject({ error: { fields: { [field]: "Выберите статью" } } });
    for (const isOn of [true, false])
      expect(await save(at, withLead(999, isOn), draft)).toMatchObject({ error: { fields: { [field]: "Такой статьи нет" } } });
    const text = { title: "Черновик", slug: "chernovik-statji", lead: "Коротко", body: "Текст", minutes: 3, related: [], cover: null };
    const article = await created({ kind: "training", ...text } as never);
    expect(await save(at, withLead(article.id), draft)).toMatchObject({
      error: { fields: { [field]: "Эта статья не опубликована: выберите другую" } },
    });
    const off = await saved(at, withLead(article.id, false), draft);
    await saved(article, article.live, publish);
    await saved(off, withLead(article.id), draft);
  });

  test("an edit is seen by another process at once when it has read the version", async () => {
    const second = await shop.another();
    await siteParts.banner(second);
    const at = await stored({ kind: "banner", id: 1 });
    const line = {
      id: "sale",
      isOn: true,
      from: null,
      until: null,
      label: "Праздники",
      long: "Работаем в праздники",
      short: "Работаем",
      href: null,
      isDismissible: true,
    };
    await saved(at, { kind: "banner", banners: [line] }, publish);
    await siteParts.version(second);
    expect((await siteParts.banner(second))?.long).toBe("Работаем в праздники");
  });

  test("words that were stored before a field existed are shown, edited and restored, with that field empty", async () => {
    const at = await stored({ kind: "pages", id: 1 });
    const full = at.live as PartData<"pages">;
    const { trainingIntro, ...former } = full;
    expect(trainingIntro).not.toBe("");
    await shop.ctx.db.execute(
      sql`update site_parts set data = data - 'trainingIntro', updated_at = clock_timestamp() where kind = 'pages'`,
    );
    shop.clock.advance(seconds(2));
    expect(await siteParts.pageWords(shop.ctx)).toEqual({ ...former, trainingIntro: "" });
    const old = await stored(at);
    expect(old.live).toEqual({ ...former, trainingIntro: "" });
    expect((await saved(old, former, draft)).draft).toEqual({ ...former, trainingIntro: "" });
    await saved(await stored(at), full, publish);
  });

  test("a film or the error page takes a coin that is on sale, and a link leads to a page that exists", async () => {
    const at = await stored({ kind: "pages", id: 1 });
    const words = at.live as PartData<"pages">;
    const faultsIn = async (changes: Partial<PartData<"pages">>) => {
      const result = await save(at, { ...words, ...changes }, publish);
      return result.ok ? null : (result.error as { fields?: unknown }).fields;
    };
    expect(await faultsIn({ errorCoin: "net-takoj-monety" })).toEqual({ errorCoin: "Такой монеты нет" });
    expect(await faultsIn({ capsuleCoin: "net-takoj-monety" })).toEqual({ capsuleCoin: "Такой монеты нет" });
    await shop.ctx.db.update(coins).set({ isPublished: false }).where(eq(coins.slug, "drakon-3-rublya-2011"));
    expect(await faultsIn({ errorCoin: "drakon-3-rublya-2011" })).toEqual({ errorCoin: "Эта монета не продаётся: выберите другую" });
    const closedMarket = { ...words.closedMarket, link: { text: "монеты", href: "/catalog/net-razdela?inStock=1" } };
    expect(await faultsIn({ closedMarket, goldSpreads: "/products/drakon-3-rublya-2011" })).toEqual({
      "closedMarket.link.href": "Такой страницы на сайте нет",
      goldSpreads: "Такой страницы на сайте нет",
    });
    for (const href of ["/news/net-novosti", "/net-stranicy", "/promo/404"])
      expect(await faultsIn({ silverSpreads: href })).toEqual({ silverSpreads: "Такой страницы на сайте нет" });
    // Saved last, because it makes the revision stale: each kind of page that exists.
    const hrefs = [
      "/",
      "/catalog?metal=gold",
      "/catalog/gold/rf",
      "/training/20",
      "/consent/order",
      "/delivery#pay",
      "https://example.org/x",
    ];
    const protections = hrefs.slice(0, 5).map((href) => ({ icon: "check" as const, text: href, special: "", fallback: "", href }));
    expect(await faultsIn({ protections, goldSpreads: hrefs[5], silverSpreads: hrefs[6] } as Partial<PartData<"pages">>)).toBeNull();
  });

  describe("groups of questions", () => {
    const groupsPart = () => stored({ kind: "questions", id: 1 });
    const pagesPart = () => stored({ kind: "pages", id: 1 });
    const namesIn = (at: Editable) => (at.live as PartData<"questions">).groups.map(({ name }) => name);
    const groupsSaved = async (names: readonly string[], act: SaveAct = publish) =>
      save(await groupsPart(), { kind: "questions", groups: names.map((name) => ({ name, pages: ["how-to-buy"] })) }, act);
    const question = (group: string): TextData<"faq"> => ({ kind: "faq", title: `Вопрос раздела ${group}?`, body: "Ответ", group });
    const words = async (coinQuestions: string) => ({ ...(await pagesPart()).live, coinQuestions });

    test("a group with questions is not renamed or removed, so that no question goes from the site", async () => {
      const names = namesIn(await groupsPart());
      const at = names.indexOf("Доставка");
      const wrong = {
        error: { fields: { [`groups.${at}.name`]: expect.stringContaining("В разделе «Доставка» 2\u00A0вопроса") as string } },
      };
      expect(await groupsSaved(names.with(at, "Пересылка"))).toMatchObject(wrong);
      expect(await groupsSaved(names.with(at, "Пересылка"), draft)).toMatchObject(wrong);
      const removed = await groupsSaved(names.filter((name) => name !== "Доставка"));
      expect(removed).toMatchObject({ error: { fields: { groups: expect.stringContaining("Доставка") as string } } });
      expect(await groupsSaved([...names, "Монеты"])).toMatchObject({
        error: { fields: { [`groups.${names.length}.name`]: "Такой раздел уже есть" } },
      });
      expect(namesIn(await groupsPart())).toEqual(names);
    });

    test("an empty group is renamed, moved and removed; one with an unpublished question is not", async () => {
      const names = namesIn(await groupsPart());
      given(await groupsSaved(["Подарки", ...names]));
      given(await groupsSaved([...names, "Сувениры"]));
      const made = await created(question("Сувениры") as never);
      expect(await groupsSaved(names)).toMatchObject({ error: { fields: { groups: expect.stringContaining("«Сувениры» 1") as string } } });
      given(await editing.remove(shop.ctx, made, made.revision));
      given(await groupsSaved(names));
    });

    test("a scheduled list without a group stays a draft when a question came into that group meanwhile", async () => {
      const names = namesIn(await groupsPart());
      given(await groupsSaved([...names, "Подарки"]));
      given(await groupsSaved(names, { kind: "schedule", publishAt: plus(shop.clock.now(), hours(1)) }));
      const made = await created(question("Подарки") as never);
      shop.clock.advance(hours(1));
      await editing.publishDue(shop.ctx);
      expect(await groupsPart()).toMatchObject({ publishAt: null, draft: { kind: "questions" } });
      expect(namesIn(await groupsPart())).toContain("Подарки");
      given(await editing.remove(shop.ctx, made, made.revision));
      given(await groupsSaved(names));
    });

    test("the page of a coin names a group that exists, or none, and that group stays", async () => {
      const names = namesIn(await groupsPart());
      expect(await save(await pagesPart(), await words("Подарки"), publish)).toMatchObject({
        error: { fields: { coinQuestions: "Выберите раздел из списка" } },
      });
      given(await groupsSaved([...names, "Подарки"]));
      given(await save(await pagesPart(), await words("Подарки"), publish));
      expect(await groupsSaved([...names, "Сувениры"])).toMatchObject({
        error: { fields: { [`groups.${names.length}.name`]: expect.stringContaining("на страницах монет") as string } },
      });
      given(await save(await pagesPart(), await words(""), publish));
      given(await groupsSaved(names));
    });
  });

  test("films are data: a film that is off may name a coin off sale, one that is on may not", async () => {
    const at = await stored({ kind: "films", id: 1 });
    const [film] = (at.live as PartData<"films">).films;
    if (!film) throw new Error("no film");
    const withFilm = (changes: Partial<typeof film>) => ({ kind: "films", films: [{ ...film, ...changes }] });
    expect(await save(at, withFilm({ coin: "drakon-3-rublya-2011" }), publish)).toMatchObject({
      error: { fields: { "films.0.coin": "Эта монета не продаётся: выберите другую" } },
    });
    expect(await save(at, withFilm({ mp4: "", poster: "" }), publish)).toMatchObject({
      error: { fields: { "films.0.mp4": "Загрузите фильм: файл MP4", "films.0.poster": "Загрузите первый кадр: картинку" } },
    });
    expect(await save(at, withFilm({ mp4: "/media/films/AAAAAAAAAAAAAAAAAAAAAA.mp4" }), publish)).toMatchObject({
      error: { fields: { films: "Файл фильма не нашёлся: загрузите его ещё раз" } },
    });
    await saved(at, withFilm({ isOn: false, coin: "drakon-3-rublya-2011" }), publish);
    shop.clock.advance(seconds(2));
    expect(await siteParts.films(shop.ctx)).toEqual([]);
  });
});
