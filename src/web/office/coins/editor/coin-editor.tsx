import { useMemo, useState, type ReactNode } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import type { StaffEntryOf } from "#contract/staff/calls.ts";
import { priceText } from "#kit/format.ts";
import { fromRoubles } from "#kit/money.ts";
import { toSlug } from "#kit/text/slug.ts";
import { factProblems, type CoinFacts, type FactField } from "#shop/catalog/coin-rules.ts";
import { fieldNames, problemText } from "#shop/catalog/coin-texts.ru.ts";
import { callStaff, type AnswerOf } from "../../client.ts";
import { useKeys } from "../../shell/keys.ts";
import { useStaff } from "../../session.ts";
import { confirm } from "../../ui/form/confirm.tsx";
import { Check, Field, Select, TextArea } from "../../ui/form/field.tsx";
import { Notice } from "../../ui/marks.tsx";
import { PageHead, Section } from "../../ui/page-head.tsx";
import { StaleDialog, type StaleField } from "../../ui/form/stale-dialog.tsx";
import { focusFirstWrong } from "../../ui/form/first-wrong.ts";
import { showToast } from "../../ui/toasts.tsx";
import { UnsavedMark } from "../../ui/form/unsaved-mark.tsx";
import { useSend } from "../../ui/send/use-send.ts";
import { ViewTabs } from "../../ui/table/view-tabs.tsx";
import {
  draftOf,
  noPriceDraft,
  readDraft,
  readPrices,
  usualCategories,
  type CoinView,
  type CoinDraft,
  type PriceDraft,
} from "./coin-draft.ts";
import { Checks } from "./checks.tsx";
import { ReviewsOfCoin, StockOfCoin, VersionsOfCoin } from "./coin-history.tsx";
import { Photos, type ShownPictures } from "./photos.tsx";
import { useTwin } from "./use-twin.ts";
import { StoreCard } from "./store-card.tsx";
import { kindLabels, metalLabels, notReadyTexts, shapeLabels, vatLabels } from "../words.ts";
import "../coins.css";

export type CoinForm = AnswerOf<StaffEntryOf<typeof contract.readCoinForm>>;
type TextField = Exclude<FactField, "categories">;

const noPictures: ShownPictures = { obverse: null, reverse: null, edge: null };
const withoutSizes = (pictures: ShownPictures) => {
  const side = (name: keyof ShownPictures) => {
    const shown = pictures[name];
    return shown && { pictureId: shown.pictureId, crop: shown.crop, alt: shown.alt };
  };
  return { obverse: side("obverse"), reverse: side("reverse"), edge: side("edge") };
};

/**
 * The fields of a coin with its pictures, beside its card in the shop and the checks. `coin` is null for a new one, which begins with
 * `start`.
 */
export function CoinEditor({ coin: opened, start, form }: { coin: CoinView | null; start: CoinDraft; form: CoinForm }) {
  const [coin, setCoin] = useState(opened);
  const [draft, setDraft] = useState(start);
  const [prices, setPrices] = useState<PriceDraft>(noPriceDraft);
  const [pictures, setPictures] = useState<ShownPictures>(opened?.pictures ?? noPictures);
  const [isTried, setTried] = useState(false);
  /** Fields that the server refused, until they are changed. */
  const [refused, setRefused] = useState<Record<string, string>>({});
  const [stale, setStale] = useState<{ current: CoinView; fields: readonly FactField[]; isPublished: boolean | undefined } | null>(null);
  const [trouble, setTrouble] = useState<ReactNode>(null);
  const [isSlugTyped, setSlugTyped] = useState(start.slug !== "" && start.slug !== toSlug(start.title));
  const [areCategoriesTyped, setCategoriesTyped] = useState(opened !== null);
  const add = useSend(contract.addCoin, { stores: "screen" });
  const save = useSend(contract.saveCoin, { stores: "screen" });
  const publish = useSend(contract.publishCoin);
  const navigate = useNavigate();
  const { may } = useStaff();
  const [params, setParams] = useSearchParams();
  const view = coin ? (params.get("view") ?? "fields") : "fields";

  const known = useMemo(() => new Set(form.categories.map(({ slug }) => slug)), [form]);
  const { facts, errors: unread } = readDraft(draft);
  const first = readPrices(prices, facts.kind);
  const found = factProblems({ ...facts, motif: facts.motif || "x" }, known);
  const twin = useTwin(coin?.id ?? null, facts);
  const isBusy = add.isBusy || save.isBusy || publish.isBusy;
  const isShown = coin?.isPublished ?? false;
  const isChanged = isDifferent(draft, coin ? draftOf(coin.facts) : start) || isDifferent(pictures, coin?.pictures ?? noPictures);

  const isFilled = (field: FactField): boolean => field === "categories" || draft[field].trim() !== "";
  /** Contradictions are shown at once, missing fields only after the first attempt to save. */
  const errorOf = (field: FactField): string | undefined => {
    if (refused[field]) return refused[field];
    if (unread[field] && (isTried || isFilled(field))) return unread[field];
    const problem = found.find((each) => each.field === field);
    const areMassesRead = !unread.pureMassMg && !unread.totalMassMg && !unread.finenessTenths;
    if (!problem || (problem.code === "mass" && !areMassesRead)) return undefined;
    return isTried || (isFilled(field) && problem.code !== "required") ? problemText(problem) : undefined;
  };
  const priceError = (field: keyof PriceDraft, stored: string): string | undefined =>
    refused[stored] ?? (isTried || prices[field].trim() !== "" ? first.errors[stored] : undefined);

  const change = (field: TextField, value: string) => {
    setRefused(({ [field]: _changed, ...others }) => others);
    setDraft((before) => {
      const next = { ...before, [field]: value };
      if (field === "title" && !isSlugTyped && !coin?.publishedAt) next.slug = value.trim() === "" ? "" : toSlug(value);
      if ((field === "metal" || field === "kind") && !areCategoriesTyped)
        next.categories = usualCategories(next.metal, next.kind, form.categories);
      return next;
    });
  };
  const changePrice = (field: keyof PriceDraft, stored: string, value: string) => {
    setRefused(({ [stored]: _changed, ...others }) => others);
    setPrices((before) => ({ ...before, [field]: value }));
  };
  const take = (view: CoinView) => {
    setCoin(view);
    setDraft(draftOf(view.facts));
    setPictures(view.pictures);
    setRefused({});
    setTried(false);
    setTrouble(null);
  };

  /** Called in a task of its own, after React has rendered the marks. */
  const showWrong = () => void setTimeout(() => focusFirstWrong(), 0);

  /** Whether a field could not be saved, which is then marked. */
  function isWrong(): boolean {
    if (found.length === 0 && Object.keys(unread).length === 0 && (coin !== null || Object.keys(first.errors).length === 0)) return false;
    setTrouble("Проверьте отмеченные поля. Введённое сохранено");
    showWrong();
    return true;
  }

  async function submit({
    isPublished,
    allowsDuplicates = false,
    revision = coin?.revision ?? 0,
  }: { isPublished?: boolean; allowsDuplicates?: boolean; revision?: number } = {}): Promise<void> {
    setTried(true);
    setTrouble(null);
    const isNew = coin === null;
    if (isWrong()) return;
    const body = { facts, pictures: withoutSizes(pictures), allowsDuplicates };
    const result = isNew
      ? await add.send({ body: { ...body, prices: first.prices, isPublished: isPublished ?? false } })
      : await save.send({ params: { id: coin.id }, body: { ...body, revision, ...(isPublished === undefined ? {} : { isPublished }) } });
    if (!result) return;
    if (result.ok) {
      take(result.value);
      showToast(isPublished ? "Монета на витрине" : "Сохранено");
      if (isNew) void navigate(`/coins/${result.value.id}`, { replace: true });
      return;
    }
    const { error } = result;
    if (error === null) return;
    setRefused(error.fields);
    showWrong();
    switch (error.code) {
      case "staff.stale":
        return setStale({ current: error.data.current, fields: error.data.fields, isPublished });
      case "coin.duplicate": {
        const { id, title, why } = error.data;
        const same = why === "number" ? "Тот же каталожный номер и двор" : "Тот же выпуск";
        const isMeant = await confirm({
          title: error.message,
          text: (
            <p>
              {same}: <Link to={`/coins/${id}`}>{title}</Link>, артикул {id}.
            </p>
          ),
          action: "Это другая монета, сохранить",
        });
        if (isMeant) await submit({ ...(isPublished === undefined ? {} : { isPublished }), allowsDuplicates: true, revision });
        return;
      }
      case "coin.not_ready":
        return setTrouble(`${error.message}: ${error.data.reasons.map((reason) => notReadyTexts[reason]).join("; ")}`);
      default:
        setTrouble(error.message);
    }
  }

  async function unpublish(): Promise<void> {
    if (!coin) return;
    const isMeant = await confirm({
      title: "Снять монету с витрины?",
      text: <p>Страница перестанет открываться, монета пропадёт из каталога и поиска. Прежние заказы и корзины её сохранят.</p>,
      action: "Снять с витрины",
    });
    if (!isMeant) return;
    const result = await publish.send({ params: { id: coin.id }, body: { revision: coin.revision, isPublished: false } });
    if (result?.ok) {
      setCoin(result.value);
      showToast("Монета снята с витрины");
    } else if (result?.error?.code === "staff.stale") {
      setStale({ current: result.error.data.current, fields: [], isPublished: undefined });
    } else if (result?.error) setTrouble(result.error.message);
  }

  async function preview(): Promise<void> {
    setTried(true);
    setTrouble(null);
    if (isWrong()) return;
    // Opened before the call: a window that opens later than the click is blocked by the browser.
    const page = window.open("", "_blank");
    const body = { facts, pictures: withoutSizes(pictures) };
    const answer = coin
      ? await callStaff(contract.previewCoin, { params: { id: coin.id }, body })
      : await callStaff(contract.previewNewCoin, { body: { ...body, prices: first.prices } });
    if (answer.ok && page) page.location = answer.value.url;
    else page?.close();
    if (!answer.ok && answer.error) {
      setRefused(answer.error.fields);
      setTrouble(answer.error.message);
      showWrong();
    }
  }

  /** Fields of an earlier version come back as an edit that is not saved yet. */
  function restore(facts: CoinFacts): void {
    setDraft(draftOf(facts));
    setRefused({});
    setParams({}, { replace: true });
    showToast("Прежние поля возвращены в форму. Проверьте и сохраните");
  }

  useKeys([{ code: "Ctrl+KeyS", label: "Сохранить монету", cap: "Ctrl S", run: () => void submit() }]);

  const text = (field: TextField, more: { unit?: string; hint?: ReactNode; list?: string; isNumber?: boolean } = {}) => (
    <Field
      label={fieldNames[field]}
      error={errorOf(field)}
      value={draft[field]}
      autoComplete="off"
      {...(more.unit ? { unit: more.unit } : {})}
      {...(more.hint ? { hint: more.hint } : {})}
      {...(more.list ? { list: more.list } : {})}
      {...(more.isNumber || more.unit ? { inputMode: "decimal" as const } : {})}
      onChange={(event) => change(field, event.target.value)}
    />
  );
  const state = [
    coin === null ? "новая" : isShown ? "на витрине" : "не показана",
    ...(isChanged ? ["правки не сохранены"] : []),
    ...(coin ? [`артикул ${coin.id}`] : []),
  ];
  const isRound = draft.shape === "round";
  return (
    <>
      <UnsavedMark value={[draft, pictures]} stored={[coin ? draftOf(coin.facts) : start, coin?.pictures ?? noPictures]} />
      <PageHead
        title={draft.title.trim() || "Новая монета"}
        facts={state.join(", ")}
        actions={
          <CoinActions
            coin={coin}
            isBusy={isBusy}
            onUnpublish={() => void unpublish()}
            onPreview={() => void preview()}
            onSave={(isPublished) => void submit(isPublished === undefined ? {} : { isPublished })}
          />
        }
      />
      {trouble ? (
        <Notice tone="warn">
          <p>{trouble}</p>
        </Notice>
      ) : null}
      {coin ? (
        <ViewTabs
          label="О монете"
          views={[
            { id: "fields", label: "Поля и снимки" },
            ...(may("stock.read") ? [{ id: "stock", label: "Склад" }] : []),
            ...(may("reviews") ? [{ id: "reviews", label: "Отзывы" }] : []),
            { id: "versions", label: "Версии" },
          ]}
        />
      ) : null}
      {coin && view === "stock" ? <StockOfCoin id={coin.id} /> : null}
      {coin && view === "reviews" ? <ReviewsOfCoin id={coin.id} /> : null}
      {coin && view === "versions" ? <VersionsOfCoin key={coin.revision} id={coin.id} onRestore={restore} /> : null}
      {/* Stays mounted, so that nothing typed is lost behind another tab. */}
      <div className="editor" hidden={view !== "fields"}>
        <form
          aria-label="Монета"
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
        >
          <Section title="Что это">
            <div className="fields">
              <div className="span-4">{text("title", { hint: coin ? undefined : "Например: Соболь, 3 рубля 2026 (СПМД)" })}</div>
              <div className="span-2">
                <Field
                  label={fieldNames.slug}
                  error={errorOf("slug")}
                  value={draft.slug}
                  autoComplete="off"
                  readOnly={coin?.publishedAt != null}
                  hint={coin?.publishedAt ? "Адрес показанной монеты не меняют" : undefined}
                  onChange={(event) => {
                    setSlugTyped(true);
                    change("slug", event.target.value);
                  }}
                />
              </div>
              <div className="span-2">
                <Select
                  label="Металл"
                  options={Object.entries(metalLabels)}
                  value={draft.metal}
                  onChange={(event) => change("metal", event.target.value)}
                />
              </div>
              <div className="span-2">{text("finenessTenths", { isNumber: true })}</div>
              <div className="span-2">
                <Select
                  label="Вид"
                  options={Object.entries(kindLabels)}
                  value={draft.kind}
                  onChange={(event) => change("kind", event.target.value)}
                />
              </div>
              <div className="span-2">{text("pureMassMg", { unit: "г" })}</div>
              <div className="span-2">{text("totalMassMg", { unit: "г" })}</div>
              <div className="span-2">{text("year", { isNumber: true })}</div>
              <div className="span-2">{text("denominationValue", { isNumber: true })}</div>
              <div className="span-2">{text("denominationCurrency")}</div>
              <div className="span-2">{text("mint", { list: "mints" })}</div>
              <div className="span-2">
                <Select
                  label="Форма"
                  options={[["", "не указана"], ...Object.entries(shapeLabels)]}
                  value={draft.shape}
                  onChange={(event) => change("shape", event.target.value)}
                />
              </div>
              {isRound ? <div className="span-2">{text("diameterMm", { unit: "мм" })}</div> : null}
              {isRound ? null : <div className="span-2">{text("lengthMm", { unit: "мм" })}</div>}
              {isRound ? null : <div className="span-2">{text("widthMm", { unit: "мм" })}</div>}
              <div className="span-2">{text("thicknessMm", { unit: "мм" })}</div>
              <div className="span-2">{text("edge")}</div>
              <div className="span-2">{text("quality", { list: "qualities" })}</div>
              <div className="span-2">{text("catalogueNumber")}</div>
              <div className="span-2">{text("mintage", { isNumber: true })}</div>
              <div className="span-2">{text("artist", { list: "artists" })}</div>
              <div className="span-2">{text("series", { list: "series" })}</div>
              <div className="span-2">{text("country", { list: "countries" })}</div>
              <div className="span-2">{text("issuer", { list: "issuers" })}</div>
            </div>
            <WordLists form={form} />
          </Section>
          <Photos pictures={pictures} coin={coin} onChange={setPictures} />
          <Section title={fieldNames.description}>
            <TextArea
              label="Текст"
              isLabelHidden
              rows={5}
              error={errorOf("description")}
              value={draft.description}
              onChange={(event) => change("description", event.target.value)}
            />
          </Section>
          <Section title="Цена" aside={coin && may("prices") ? <Link to={`/prices?ids=${coin.id}`}>Цена этой монеты</Link> : null}>
            {coin ? (
              <p className="editor__note">
                {coin.price === null ? "Цены пока нет" : `Сейчас ${priceInWords(coin.price)}`}
                {coin.buyback === null ? "" : `, выкуп ${priceInWords(coin.buyback)}`}. Цену меняют на экране «Цены».
              </p>
            ) : (
              <FirstPrices kind={draft.kind} prices={prices} errorOf={priceError} onChange={changePrice} />
            )}
          </Section>
          <Section title="В каталоге">
            <div className="fields">
              <div className="span-2">{text("featuredPosition", { isNumber: true, hint: "1 — первой. Пусто: по обычному порядку" })}</div>
              <div className="span-2">{text("purchaseLimit", { isNumber: true, hint: "Пусто: без предела" })}</div>
              <div className="span-2">
                <Select
                  label={fieldNames.vatCode}
                  options={vatLabels}
                  value={draft.vatCode}
                  error={errorOf("vatCode")}
                  onChange={(event) => change("vatCode", event.target.value)}
                />
              </div>
              <div className="span-2">{text("motif", { hint: "Общее имя рисунка у всех выпусков. Пусто: по названию" })}</div>
            </div>
            <CategoryChoice
              form={form}
              chosen={draft.categories}
              error={errorOf("categories")}
              onChange={(categories) => {
                setCategoriesTyped(true);
                setRefused(({ categories: _changed, ...others }) => others);
                setDraft((before) => ({ ...before, categories }));
              }}
            />
          </Section>
        </form>
        <div>
          <StoreCard coin={coin} facts={facts} prices={coin?.prices ?? first.prices} pictures={pictures} rates={form.rates} />
          <Checks
            facts={facts}
            coin={coin}
            pictures={pictures}
            prices={coin?.prices ?? first.prices}
            rates={form.rates}
            masses={form.masses}
            twin={twin}
            errorOf={errorOf}
          />
        </div>
      </div>
      <StaleDialog
        fields={stale && staleFields(stale, draft, pictures)}
        onClose={() => setStale(null)}
        onTakeCurrent={() => {
          if (stale) take(stale.current);
          setStale(null);
        }}
        onKeepYours={() => {
          if (!stale) return;
          const { current, isPublished } = stale;
          setStale(null);
          setCoin(current);
          void submit({ revision: current.revision, ...(isPublished === undefined ? {} : { isPublished }) });
        }}
      />
    </>
  );
}

/** The buttons of the screen: save, show on the site or take off it, preview, and a further issue of the coin. */
function CoinActions({
  coin,
  isBusy,
  onUnpublish,
  onPreview,
  onSave,
}: {
  coin: CoinView | null;
  isBusy: boolean;
  onUnpublish: () => void;
  onPreview: () => void;
  onSave: (isPublished?: boolean) => void;
}) {
  const isShown = coin?.isPublished ?? false;
  return (
    <>
      {coin ? (
        <Link className="button" to={`/coins/new?from=${coin.id}`}>
          Новый выпуск
        </Link>
      ) : null}
      {coin && isShown ? (
        <button className="button" type="button" disabled={isBusy} onClick={onUnpublish}>
          Снять с витрины
        </button>
      ) : null}
      <button className="button" type="button" onClick={onPreview}>
        Смотреть страницу
      </button>
      {isShown ? null : (
        <button className="button" type="button" disabled={isBusy} onClick={() => onSave()}>
          Сохранить без показа
        </button>
      )}
      <button className="button button--gold" type="button" disabled={isBusy} onClick={() => (isShown ? onSave() : onSave(true))}>
        {isShown ? "Сохранить" : "Показать на витрине"}
      </button>
    </>
  );
}

/** The fields for the first prices of a new coin: sums for a memorable one, percentages of the metal for bullion. */
function FirstPrices({
  kind,
  prices,
  errorOf,
  onChange,
}: {
  kind: string;
  prices: PriceDraft;
  /** `stored`: the name of the field in the call. */
  errorOf: (field: keyof PriceDraft, stored: string) => string | undefined;
  onChange: (field: keyof PriceDraft, stored: string, value: string) => void;
}) {
  const price = (field: keyof PriceDraft, stored: string, label: string, unit: string, hint?: string) => (
    <div className="span-2">
      <Field
        label={label}
        unit={unit}
        hint={hint}
        error={errorOf(field, stored)}
        inputMode="decimal"
        autoComplete="off"
        value={prices[field]}
        onChange={(event) => onChange(field, stored, event.target.value)}
      />
    </div>
  );
  return (
    <div className="fields">
      {kind === "memorable" ? (
        <>
          {price("fixedPrice", "fixedPriceKopecks", "Цена", "₽")}
          {price("fixedBuyback", "fixedBuybackKopecks", "Цена выкупа", "₽", "Пусто: не выкупаем")}
        </>
      ) : (
        <>
          {price("premium", "premiumBp", "Премия к металлу", "%")}
          {price("buyback", "buybackBp", "Выкуп к металлу", "%", "Ниже металла: −4,5. Пусто: не выкупаем")}
        </>
      )}
    </div>
  );
}

const isDifferent = (a: unknown, b: unknown): boolean => JSON.stringify(a) !== JSON.stringify(b);
const priceInWords = (roubles: number): string => priceText(fromRoubles(roubles));

function staleFields(
  { current, fields }: { current: CoinView; fields: readonly FactField[] },
  draft: CoinDraft,
  pictures: ShownPictures,
): StaleField[] {
  const theirs = draftOf(current.facts);
  const shown = (from: CoinDraft, field: FactField): string =>
    (field === "categories" ? from.categories.join(", ") : from[field]) || "пусто";
  const sides = (of: ShownPictures): string => `${Object.values(of).filter(Boolean).length} шт.`;
  return [
    ...fields.map((field) => ({ label: fieldNames[field], current: shown(theirs, field), yours: shown(draft, field) })),
    ...(isDifferent(current.pictures, pictures) ? [{ label: "Снимки", current: sides(current.pictures), yours: sides(pictures) }] : []),
    ...(fields.length === 0
      ? [{ label: "Витрина", current: current.isPublished ? "показана" : "не показана", yours: "как в вашей форме" }]
      : []),
  ];
}

/** Words that other coins use, offered by the browser while typing. */
const WordLists = ({ form }: { form: CoinForm }) => (
  <>
    {(["mints", "qualities", "artists", "series", "countries", "issuers"] as const).map((name) => (
      <datalist key={name} id={name}>
        {form[name].map((word) => (
          <option key={word} value={word} />
        ))}
      </datalist>
    ))}
  </>
);

function CategoryChoice({
  form,
  chosen,
  error,
  onChange,
}: {
  form: CoinForm;
  chosen: readonly string[];
  error: string | undefined;
  onChange: (categories: string[]) => void;
}) {
  const depthOf = (slug: string | null): number => {
    const parent = form.categories.find((each) => each.slug === slug)?.parent ?? null;
    return parent === null ? 0 : 1 + depthOf(parent);
  };
  return (
    <fieldset className="category-choice">
      <legend className="field__label">{fieldNames.categories}</legend>
      {form.categories.map(({ slug, title }) => (
        <div key={slug} className={`category-choice__line category-choice__line--${Math.min(2, depthOf(slug))}`}>
          <Check
            checked={chosen.includes(slug)}
            onChange={(event) => onChange(event.target.checked ? [...chosen, slug] : chosen.filter((each) => each !== slug))}
          >
            {title}
          </Check>
        </div>
      ))}
      {error ? (
        <p className="hint hint--bad" role="alert">
          {error}
        </p>
      ) : null}
    </fieldset>
  );
}
