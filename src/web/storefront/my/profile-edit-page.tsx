import { useEffect, useRef } from "react";
import { data, Form, Link, redirect, useActionData, useLoaderData, useNavigation, type ActionFunctionArgs, type LoaderFunctionArgs } from "react-router";
import { fieldMessages, longest } from "#contract/fields.ts";
import * as auth from "#shop/auth/service.ts";
import { isEmail } from "#shop/customers/customer.ts";
import * as customers from "#shop/customers/service.ts";
import { pageContext } from "#web/context.server.ts";
import { Breadcrumbs } from "../../ui/breadcrumbs.tsx";
import { Field } from "../../ui/field.tsx";
import { day } from "../../ui/format.ts";
import { personalHeaders, personalMeta } from "../personal-page.ts";
import { refreshState } from "../state.ts";
import { deviceName } from "./device-name.ts";

export const meta = () => personalMeta("Изменить личные данные");
export const headers = personalHeaders;

export async function loader({ context }: LoaderFunctionArgs) {
  const { ctx, visitor } = context.get(pageContext);
  if (!visitor.customerId) return null;
  const [customer, devices] = await Promise.all([customers.byId(ctx, visitor.customerId), auth.devices(ctx, visitor.customerId)]);
  if (!customer) return null;
  const { lastName, name, secondName, email } = customer;
  return {
    me: { lastName, name, secondName, email },
    devices: devices.map((device) => ({ id: device.sidHash, name: deviceName(device.userAgent), seenAt: device.lastSeenAt, isHere: device.sidHash === visitor.sidHash })),
  };
}

type Name = "lastName" | "name" | "secondName" | "email";
type Refused = { fields: Partial<Record<Name, string>>; typed: Record<Name, string> };

/** `save` the profile · `leave` one device · `leave-all`, this one too. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, visitor } = context.get(pageContext);
  if (!visitor.customerId) throw redirect("/my/profile/edit");
  const form = await request.formData();
  const text = (name: string) => textOf(form.get(name)).normalize("NFC").replace(/\s+/g, " ").trim();

  switch (form.get("intent")) {
    case "leave-all":
      await auth.signOutEverywhere(ctx, visitor.customerId);
      throw redirect("/");
    case "leave":
      await auth.signOutDevice(ctx, visitor.customerId, text("device"));
      throw redirect("/my/profile/edit");
    default: {
      const typed = { lastName: text("lastName"), name: text("name"), secondName: text("secondName"), email: text("email") };
      const fields = mistakesIn(typed);
      if (Object.keys(fields).length > 0) return data({ fields, typed } satisfies Refused, 422);
      await customers.update(ctx, visitor.customerId, typed);
      throw redirect("/my/profile");
    }
  }
}

/** A file in place of a text is no text. */
const textOf = (value: FormDataEntryValue | null): string => (typeof value === "string" ? value : "");

function mistakesIn(typed: Record<Name, string>): Refused["fields"] {
  const fields: Refused["fields"] = {};
  if (typed.name === "") fields.name = fieldMessages.required;
  if (typed.email === "") fields.email = fieldMessages.required;
  else if (!isEmail(typed.email)) fields.email = fieldMessages.email;
  for (const field of ["lastName", "name", "secondName"] as const) if (typed[field].length > longest.name) fields[field] = fieldMessages.tooLong;
  return fields;
}

export default function ProfileEditPage() {
  const found = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const isBusy = useNavigation().state !== "idle";
  const form = useRef<HTMLFormElement>(null);

  useEffect(() => { if (refused) form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus(); }, [refused]);
  useEffect(() => () => void refreshState(), []); // the name in the header follows, and so does leaving

  if (!found) return null;
  const values = refused?.typed ?? found.me;
  const errors = refused?.fields ?? {};
  const field = (name: Name) => ({ name, defaultValue: values[name], error: errors[name] });
  return (
    <>
      <Breadcrumbs trail={[{ title: "Кабинет", href: "/my" }, { title: "Личные данные", href: "/my/profile" }]} here="Изменить" />
      <div className="flow__h"><h1>Личные данные</h1></div>
      <div className="od">
        <Form method="post" ref={form} className="sheet-form" noValidate>
          <Field label="Фамилия" autoComplete="family-name" maxLength={longest.name} {...field("lastName")} />
          <Field label="Имя" autoComplete="given-name" required maxLength={longest.name} {...field("name")} />
          <Field label="Отчество, если есть" autoComplete="additional-name" maxLength={longest.name} {...field("secondName")} />
          <Field label="Электронная почта" type="email" inputMode="email" autoComplete="email" required maxLength={longest.email} hint="Для чеков и вестей о заказе" {...field("email")} />
          <div className="sheet-form__go">
            <button className="btn btn--gold" name="intent" value="save" disabled={isBusy}>{isBusy ? "Сохраняем…" : "Сохранить"}</button>
            <Link className="btn btn--line" to="/my/profile">Не менять</Link>
          </div>
        </Form>
        <aside className="bill" aria-label="Устройства">
          <div className="lock"><h2 className="lock__h">Где вы вошли</h2></div>
          <ul className="devs">
            {found.devices.map((device) => (
              <li key={device.id}>
                <span>{device.name}<small>{device.isHere ? "это устройство" : `были ${day(device.seenAt)}`}</small></span>
                {device.isHere ? null : <Form method="post"><input type="hidden" name="device" value={device.id} /><button className="txt" name="intent" value="leave" aria-label={`Выйти на устройстве: ${device.name}`}>Выйти</button></Form>}
              </li>
            ))}
          </ul>
          <Form method="post"><button className="btn btn--line btn--wide" name="intent" value="leave-all">Выйти везде</button></Form>
          <p className="bill__n">Закроем кабинет на всех устройствах, и на этом тоже.</p>
        </aside>
      </div>
    </>
  );
}
