import { redirect, useLoaderData, type ActionFunctionArgs, type LoaderFunctionArgs } from "react-router";
import { maxLengths } from "#contract/fields.ts";
import { noAddress, type AddressEntries } from "#shop/checkout/entries/entries.ts";
import { deliveryById } from "#shop/delivery/delivery.ts";
import * as delivery from "#shop/delivery/service.ts";
import { pageContext } from "#web/context.server.ts";
import type { PageHandle } from "../../page/page-handle.ts";
import { Checkbox } from "../../../ui/fields/checkbox.tsx";
import { Field } from "../../../ui/fields/field.tsx";
import { counted } from "#kit/format.ts";
import { personalHeaders } from "../../page/personal-page.ts";
import { fieldId } from "../confirm/order-errors.ts";
import { AddressFields } from "../delivery/address-fields.tsx";
import { distanceText, pickPoints, pointFilters } from "../delivery/points/point-filters.ts";
import { hasAddress, isWithoutPoint, stepPath } from "./step-names.ts";
import { pointMistakes } from "./step-rules.server.ts";
import { StepsFrame, stepMeta, type StepMetaArgs } from "./steps-frame.tsx";
import { cityNow, frameView, isChecked, openAny, openStep, readForm, saveAndGo, withErrors, type StepRequest } from "./steps.server.ts";

export const handle: PageHandle = { isPublic: false, changesCart: true, isBuying: true };

export const meta = (page: StepMetaArgs) => stepMeta("point", page);
export const headers = personalHeaders;

/** Up to this many points are listed; others are found by street or metro. */
const maxShown = 40;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const stepRequest = await openStep(context.get(pageContext), "point");
  const { entries } = stepRequest;
  if (isWithoutPoint(entries.deliveryId)) throw redirect(stepPath("payment"), 303);
  const city = await cityNow(stepRequest.ctx, entries);
  const { searchParams } = new URL(request.url);
  const way = deliveryById(entries.deliveryId ?? 0);
  return {
    frame: await frameView(stepRequest, "point", { city }),
    errors: isChecked(request.url) ? pointMistakes(entries) : {},
    city: city.name,
    isLocker: way?.pointType === "POSTAMAT",
    isCourier: way?.isCourier ?? false,
    address: hasAddress(entries.deliveryId) ? (entries.address ?? noAddress) : null,
    points: way?.hasPoint ? await foundPoints(stepRequest, city, searchParams) : null,
  };
}

type Place = Awaited<ReturnType<typeof cityNow>>;

/** The points that accept this parcel, with the requested filters, nearest to the city's centre first; the chosen one is always on top. */
async function foundPoints({ ctx, entries, parcel }: StepRequest, city: Place, params: URLSearchParams) {
  const { deliveryId = 0, pointId = "" } = entries;
  const query = (params.get("q") ?? "").trim().slice(0, maxLengths.query);
  const on = pointFilters.filter(({ id }) => params.getAll("only").includes(id)).map(({ id }) => id);
  const all = (await delivery.points(ctx, city, deliveryId, parcel)).map((point) => ({
    id: point.id,
    dlvId: deliveryId,
    type: point.type === "POSTAMAT" ? ("POSTAMAT" as const) : ("" as const),
    name: point.name,
    address: point.address,
    coords: [point.lat, point.lon] as [number, number],
    workTime: point.workTime,
    phone: point.phone,
    note: point.note,
    cash: point.hasCash,
    card: point.hasCard,
    nearestMetro: point.nearestMetro,
  }));
  const from = { lat: city.lat, lon: city.lon };
  const found = pickPoints(all, { query, on, now: ctx.now(), from });
  const chosen = pickPoints(
    all.filter(({ id }) => id === pointId),
    { query: "", on: [], now: ctx.now(), from },
  );
  const shown = [...chosen, ...found.filter(({ id }) => id !== pointId)].slice(0, maxShown);
  return {
    query,
    on,
    pointId,
    total: all.length,
    found: found.length,
    shown: shown.map(({ id, address, kilometres, nearestMetro, workTime, note }) => ({
      id,
      address,
      distance: distanceText(kilometres),
      nearestMetro,
      workTime,
      note,
    })),
  };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const [stepRequest, text] = await Promise.all([openAny(context.get(pageContext)), readForm(request)]);
  const { ctx, entries, parcel } = stepRequest;
  const city = await cityNow(ctx, entries);
  const address: AddressEntries = {
    street: text("street"),
    house: text("house"),
    room: text("room"),
    entrance: text("entrance"),
    floor: text("floor"),
    message: text("message"),
  };
  const known = hasAddress(entries.deliveryId) ? null : await delivery.point(ctx, city, entries.deliveryId ?? 0, text("pointId"), parcel);
  const pointId = known?.id ?? "";
  const patch = hasAddress(entries.deliveryId) ? { address } : { pointId, ...(pointId === entries.pointId ? {} : { quoteId: null }) };
  const isWrong = Object.keys(pointMistakes({ ...entries, ...patch })).length > 0;
  return saveAndGo(stepRequest, patch, isWrong ? withErrors("point") : stepPath("payment"));
}

export default function PointPage() {
  const view = useLoaderData<typeof loader>();
  return (
    <StepsFrame view={view.frame} errors={view.errors}>
      <p className="checkout-step__hint">
        {view.city}.{" "}
        <a className="text-button text-button--inline" href={stepPath("delivery")}>
          Другой способ
        </a>
      </p>
      {view.address ? <AddressForm {...view} address={view.address} /> : null}
      {view.points ? <PointForm {...view} points={view.points} /> : null}
    </StepsFrame>
  );
}

type View = ReturnType<typeof useLoaderData<typeof loader>>;

function AddressForm({ address, errors, isCourier }: View & { address: AddressEntries }) {
  const field = (name: keyof AddressEntries) => ({ id: fieldId(name), name, defaultValue: address[name], error: errors[name] });
  return (
    <form method="post" noValidate>
      <AddressFields isCourier={isCourier} field={field} />
      <div className="checkout-step__actions">
        <button className="button button--gold">Дальше: оплата</button>
      </div>
    </form>
  );
}

function PointForm({ points, isLocker, errors }: View & { points: NonNullable<View["points"]> }) {
  const forms = isLocker ? (["постамат", "постамата", "постаматов"] as const) : (["пункт", "пункта", "пунктов"] as const);
  if (points.total === 0)
    return (
      <p className="aside" role="status">
        Список пунктов сейчас недоступен. <a href={stepPath("point")}>Попробуйте ещё раз</a> или выберите{" "}
        <a href={stepPath("delivery")}>другой способ</a>.
      </p>
    );
  return (
    <>
      <form method="get" role="search">
        <div className="plain-find">
          <Field
            label={isLocker ? "Найти постамат" : "Найти пункт"}
            name="q"
            type="search"
            autoComplete="off"
            placeholder="улица или метро"
            defaultValue={points.query}
            maxLength={maxLengths.query}
          />
          <button className="button button--line">Показать</button>
        </div>
        <fieldset className="plain-only">
          <legend className="visually-hidden">Показывать только</legend>
          {pointFilters.map(({ id, name }) => (
            <Checkbox key={id} name="only" value={id} defaultChecked={points.on.includes(id)}>
              {name}
            </Checkbox>
          ))}
        </fieldset>
      </form>
      <form method="post" noValidate>
        <fieldset
          className="points__list"
          id={fieldId("pvzId")}
          tabIndex={-1}
          aria-describedby={errors.pvzId ? `${fieldId("pvzId")}-error` : undefined}
        >
          <legend className="visually-hidden">{isLocker ? "Постамат" : "Пункт выдачи"}</legend>
          <div>
            {points.shown.map((point) => (
              <label key={point.id} className="point">
                <input className="radio" type="radio" name="pointId" value={point.id} defaultChecked={point.id === points.pointId} />
                <span>
                  <b>
                    {point.address}
                    <span className="digits">{point.distance}</span>
                  </b>
                  {point.nearestMetro ? <small className="metro">{point.nearestMetro}</small> : null}
                  <small>{point.workTime}</small>
                  {point.note ? <small>{point.note}</small> : null}
                </span>
              </label>
            ))}
          </div>
          {points.shown.length === 0 ? (
            <p className="points__none">
              Ничего не нашлось. <a href={stepPath("point")}>Показать все</a>
            </p>
          ) : null}
        </fieldset>
        {errors.pvzId ? (
          <p className="error" id={`${fieldId("pvzId")}-error`}>
            {errors.pvzId}
          </p>
        ) : null}
        <p className="eyebrow points__note" role="status">
          {counted(points.found, forms)}
          {points.found < points.total ? ` из ${points.total}` : ""}; ближе к центру — выше
          {points.found > points.shown.length ? `. Показаны первые ${points.shown.length}, остальные найдутся по улице или метро` : ""}
        </p>
        <div className="checkout-step__actions">
          <button className="button button--gold">Получу здесь</button>
        </div>
      </form>
    </>
  );
}
