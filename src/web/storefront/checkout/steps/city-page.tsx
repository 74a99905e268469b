import { useLoaderData, type ActionFunctionArgs, type LoaderFunctionArgs } from "react-router";
import { maxLengths } from "#contract/fields.ts";
import type { City } from "#shop/delivery/delivery.ts";
import { noAddress } from "#shop/checkout/entries/entries.ts";
import * as delivery from "#shop/delivery/service.ts";
import { pageContext } from "#web/context.server.ts";
import type { PageHandle } from "../../page/page-handle.ts";
import { Field } from "../../../ui/fields/field.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { personalHeaders } from "../../page/personal-page.ts";
import { stepPath } from "./step-names.ts";
import { StepsFrame, stepMeta, type StepMetaArgs } from "./steps-frame.tsx";
import { cityNow, frameView, openAny, openStep, readForm, saveAndGo } from "./steps.server.ts";

export const handle: PageHandle = { isPublic: false, changesCart: true, isBuying: true };

export const meta = (page: StepMetaArgs) => stepMeta("city", page);
export const headers = personalHeaders;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const stepRequest = await openStep(context.get(pageContext), "city");
  const query = (new URL(request.url).searchParams.get("q") ?? "").trim().slice(0, maxLengths.query);
  const [chosen, found] = await Promise.all([
    cityNow(stepRequest.ctx, stepRequest.entries, request.headers.get("cookie") ?? ""),
    delivery.cities(stepRequest.ctx, query),
  ]);
  const list = query === "" ? [chosen, ...found.filter(({ code }) => code !== chosen.code).slice(0, 5)] : found;
  const checked = list.some(({ code }) => code === chosen.code) ? chosen.code : list[0]?.code;
  return { frame: await frameView(stepRequest, "city", { city: chosen }), query, list: list.map(named), checked };
}

const named = ({ code, name, region }: City) => ({ code, name, region });

export async function action({ request, context }: ActionFunctionArgs) {
  const [stepRequest, text] = await Promise.all([openAny(context.get(pageContext)), readForm(request)]);
  const city = await delivery.city(stepRequest.ctx, text("code"));
  if (!city) return saveAndGo(stepRequest, { refusal: { code: "city.not_found", short: [] } }, stepPath("city"));
  // Points, addresses and delivery prices depend on the city. An entry that is not stored yet is the city of the profile or the default
  // one.
  const before = await cityNow(stepRequest.ctx, stepRequest.entries, request.headers.get("cookie") ?? "");
  const isOther = city.code !== before.code;
  const anew = isOther ? { pointId: "", address: noAddress, quoteId: null } : {};
  return saveAndGo(stepRequest, { cityCode: city.code, ...anew }, stepPath("delivery"));
}

export default function CityPage() {
  const { frame, query, list, checked } = useLoaderData<typeof loader>();
  return (
    <StepsFrame view={frame}>
      <form method="get" role="search" className="plain-find">
        <Field
          label="Найти город по названию"
          name="q"
          type="search"
          autoComplete="off"
          defaultValue={query}
          maxLength={maxLengths.query}
        />
        <button className="button button--line">Найти</button>
      </form>
      {list.length === 0 ? (
        <p className="city__message" role="status">
          Такого города не нашли. Проверьте название или выберите ближайший крупный.
        </p>
      ) : (
        <form method="post">
          <fieldset className="pick">
            <legend className="visually-hidden">Город</legend>
            {list.map(({ code, name, region }) => (
              <label key={code} className="pick__row">
                <input className="radio" type="radio" name="code" value={code} defaultChecked={code === checked} />
                <Icon name="here" />
                <span>
                  {name}
                  {region === name ? null : <small>{region}</small>}
                </span>
              </label>
            ))}
          </fieldset>
          <div className="checkout-step__actions">
            <button className="button button--gold">Дальше: способ доставки</button>
          </div>
        </form>
      )}
    </StepsFrame>
  );
}
