import { lazy, Suspense, useEffect, useRef, useState, type ComponentProps } from "react";
import {
  data,
  Form,
  Link,
  redirect,
  useActionData,
  useLoaderData,
  useNavigation,
  useRevalidator,
  useSubmit,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
} from "react-router";
import { fieldMessages, maxLengths } from "#contract/fields.ts";
import { problems } from "#contract/problems.ts";
import { cleanText } from "#kit/text/clean-text.ts";
import { day } from "#kit/format.ts";
import * as account from "#shop/account/service.ts";
import * as auth from "#shop/auth/service.ts";
import { cityOf } from "#shop/customers/buy-profile.ts";
import { hasLetter, isEmail } from "#shop/customers/customer.ts";
import * as customers from "#shop/customers/service.ts";
import { consentPages } from "#shop/customers/consent-pages.ts";
import { pageContext } from "#web/context.server.ts";
import { Breadcrumbs } from "../../../ui/breadcrumbs.tsx";
import { Checkbox } from "../../../ui/fields/checkbox.tsx";
import { ContactsFields } from "../../shared/contacts-fields.tsx";
import { moscow } from "../../checkout/draft.ts";
import { openDialog } from "../../dialogs/dialogs.tsx";
import { refusedTitle } from "../../page/meta.ts";
import { personalHeaders, personalMeta } from "../../page/personal-page.ts";
import { clearCheckout } from "../../checkout/draft-store.ts";
import { showToast } from "../../../ui/toasts.tsx";
import { announce, refreshState } from "../../shared/visitor-state.ts";
import { AddressFields, addressNames, type SavedAddress } from "./address-fields.tsx";
import { deviceName } from "./device-name.ts";
import { storeEntries, unsavedEntries } from "./unsaved-entries.ts";

const PointForm = lazy(() => import("./point-form.tsx"));

export const meta = ({ loaderData }: { loaderData?: Awaited<ReturnType<typeof loader>> }) =>
  personalMeta(refusedTitle("Изменить личные данные", loaderData?.isRefused));
export const headers = personalHeaders;

export async function loader({ context }: LoaderFunctionArgs) {
  const { ctx, visitor, isRefused } = context.get(pageContext);
  if (!visitor.customerId) return null;
  const [customer, devices, newsletter] = await Promise.all([
    customers.byId(ctx, visitor.customerId),
    auth.devices(ctx, visitor.customerId),
    customers.newsletter(ctx, visitor.customerId),
  ]);
  if (!customer) return null;
  const { lastName, name, secondName, email, phone, buyProfile } = customer;
  const { delivery, point } = buyProfile ?? {};
  const city = cityOf(buyProfile);
  return {
    isRefused,
    me: { lastName, name, secondName, email },
    phone,
    isSubscribed: newsletter !== null,
    address: addressOf(delivery),
    point: point ? { address: point.address ?? point.name ?? "", isLocker: point.type === "POSTAMAT" } : null,
    city: city?.coords
      ? { code: city.code, name: city.name, lastName: city.lastName ?? "", fullName: city.fullName ?? city.name, coords: city.coords }
      : null,
    devices: devices.map((device) => ({
      id: device.sidHash,
      name: deviceName(device.userAgent),
      seenAt: device.lastSeenAt,
      isHere: device.sidHash === visitor.sidHash,
    })),
  };
}

const names = ["lastName", "name", "secondName", "email"] as const;
type Name = (typeof names)[number];
type ProfileFields = Record<Name, string>;
/** `needsCode`: everything is valid, but a change of the e-mail needs a confirmed phone. */
type Answer = {
  fields: Partial<ProfileFields>;
  typed: ProfileFields;
  address: SavedAddress;
  isSubscribed: boolean;
  needsCode: boolean;
  /** The part that was saved while the other part has entries that are not; null: nothing was saved. */
  saved: "profile" | "address" | null;
};

/**
 * `save` the profile · `address` · `forget-point` · `leave`: sign out one device · `leave-here` · `leave-all`, this one too. Profile and
 * address are parts of one form: each is saved by its own button, and the answer returns what was typed into the other.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const page = context.get(pageContext);
  const { ctx, visitor } = page;
  const { customerId, signedInAt } = visitor;
  if (!customerId) throw redirect("/my/profile/edit");
  const form = await request.formData();
  const text = (name: string) => oneLine(textOf(form.get(name)));

  switch (form.get("intent")) {
    case "leave-all":
      await auth.signOutEverywhere(ctx, customerId);
      throw redirect("/");
    case "leave-here":
      if (visitor.sidHash) await auth.signOutDevice(ctx, customerId, visitor.sidHash);
      throw redirect("/");
    case "leave":
      await auth.signOutDevice(ctx, customerId, text("device"));
      throw redirect("/my/profile/edit");
    case "forget-point":
      await customers.update(ctx, customerId, { buyProfile: { point: null } });
      throw redirect("/my/profile/edit");
    default: {
      const typed = { lastName: text("lastName"), name: text("name"), secondName: text("secondName"), email: text("email") };
      const address = addressFrom(text);
      const isSubscribed = form.has("newsletter");
      const answer: Answer = { fields: {}, typed, address, isSubscribed, needsCode: false, saved: null };
      const [before, newsletter] = await Promise.all([customers.byId(ctx, customerId), customers.newsletter(ctx, customerId)]);
      const delivery = before?.buyProfile?.delivery;

      if (form.get("intent") === "address") {
        await customers.update(ctx, customerId, { buyProfile: { delivery: { ...delivery, ...address } } });
        const isSaved =
          before !== null && names.every((name) => typed[name] === oneLine(before[name])) && isSubscribed === (newsletter !== null);
        if (isSaved) throw redirect("/my/profile");
        return { ...answer, saved: "address" as const };
      }
      const refused = (mistakes: Answer["fields"], needsCode: boolean) => {
        page.isRefused = true;
        return data<Answer>({ ...answer, fields: mistakes, needsCode }, needsCode ? 403 : 422);
      };
      const fields = mistakesIn(typed);
      if (Object.keys(fields).length > 0) return refused(fields, false);
      const changed = await account.changeProfile(ctx, { customerId, signedInAt }, typed);
      if (!changed.ok) return refused({ email: problems["account.code_needed"].message }, true);
      await customers.setNewsletter(ctx, customerId, isSubscribed);
      const saved = addressOf(delivery);
      if (addressNames.every((name) => address[name] === oneLine(saved[name]))) throw redirect("/my/profile");
      return { ...answer, saved: "profile" as const };
    }
  }
}

const addressFrom = (text: (name: string) => string): SavedAddress => {
  const part = (name: keyof SavedAddress, most: number) => Array.from(text(name)).slice(0, most).join("");
  return {
    street: part("street", maxLengths.address),
    house: part("house", maxLengths.short),
    flat: part("flat", maxLengths.short),
    entrance: part("entrance", maxLengths.short),
    floor: part("floor", maxLengths.short),
    comment: part("comment", maxLengths.message),
  };
};

const addressOf = (delivery: Partial<SavedAddress> | null | undefined): SavedAddress => ({
  street: delivery?.street ?? "",
  house: delivery?.house ?? "",
  flat: delivery?.flat ?? "",
  entrance: delivery?.entrance ?? "",
  floor: delivery?.floor ?? "",
  comment: delivery?.comment ?? "",
});

const oneLine = (text: string): string => cleanText(text).replace(/\s+/g, " ");

/** A file in place of a text counts as empty. */
const textOf = (value: FormDataEntryValue | null): string => (typeof value === "string" ? value : "");

function mistakesIn(typed: ProfileFields): Answer["fields"] {
  const fields: Answer["fields"] = {};
  if (typed.name === "") fields.name = fieldMessages.required;
  if (typed.email === "") fields.email = fieldMessages.required;
  else if (!isEmail(typed.email)) fields.email = fieldMessages.email;
  for (const field of ["lastName", "name", "secondName"] as const)
    if (typed[field].length > maxLengths.name) fields[field] = fieldMessages.tooLong;
    else if (typed[field] !== "" && !hasLetter(typed[field])) fields[field] = fieldMessages.name;
  return fields;
}

export default function ProfileEditPage() {
  const found = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const isBusy = useNavigation().state !== "idle";
  const form = useRef<HTMLFormElement>(null);
  const submit = useSubmit();
  const phone = found?.phone;

  useEffect(() => {
    if (!answer) return;
    form.current?.querySelector<HTMLElement>(answer.saved ? "[role=status]" : "[aria-invalid]")?.focus();
    if (!answer.needsCode || !phone) return;
    const { typed, address, isSubscribed } = answer;
    const entries = { ...typed, ...address, ...(isSubscribed ? { newsletter: "yes" } : {}) };
    openDialog("confirmPhone", {
      phone,
      reason: "Почту меняет только владелец телефона.",
      onConfirmed: () => void submit({ ...entries, intent: "save" }, { method: "post" }),
    });
  }, [answer, phone, submit]);
  useEffect(
    () => () => {
      void refreshState(); // updates the name in the header, also after signing out
      announce("session");
    },
    [],
  );

  if (!found) return null;
  const unsaved = unsavedEntries(found.phone);
  const values = answer?.typed ?? { ...found.me, ...unsaved };
  const isSubscribed = answer?.isSubscribed ?? (unsaved ? "newsletter" in unsaved : found.isSubscribed);
  const errors = answer?.fields ?? {};
  const field = (name: Name) => ({ name, defaultValue: values[name], error: errors[name] });
  return (
    <>
      <Breadcrumbs
        trail={[
          { title: "Кабинет", href: "/my" },
          { title: "Личные данные", href: "/my/profile" },
        ]}
        here="Изменить"
      />
      <div className="flow__head">
        <h1>Личные данные</h1>
      </div>
      <div className="sections">
        <div className="sheets">
          <Form method="post" ref={form} className="sheets" noValidate onInput={storeEntries(found.phone)}>
            <div className="sheet-form">
              <ContactsFields field={field} emailHint="Для чеков и писем о заказе" />
              <Checkbox name="newsletter" value="yes" defaultChecked={isSubscribed}>
                Получать письма о новых монетах и акциях:{" "}
                <a href={consentPages.newsletter} target="_blank" rel="noopener">
                  согласие на рассылку
                </a>
              </Checkbox>
              {answer?.saved === "profile" ? <PartSaved>Личные данные сохранены, адрес ниже — ещё нет.</PartSaved> : null}
              <div className="sheet-form__actions">
                <button className="button button--gold" name="intent" value="save" disabled={isBusy}>
                  {isBusy ? "Сохраняем…" : "Сохранить"}
                </button>
                <Link className="button button--line" to="/my/profile">
                  Не менять
                </Link>
              </div>
            </div>
            <AddressFields address={answer?.address ?? { ...found.address, ...unsaved }} isBusy={isBusy}>
              {answer?.saved === "address" ? <PartSaved>Адрес сохранён, личные данные выше — ещё нет.</PartSaved> : null}
            </AddressFields>
          </Form>
          <SavedPoint point={found.point} address={found.address} city={found.city ?? moscow} isBusy={isBusy} />
        </div>
        <Devices devices={found.devices} />
      </div>
    </>
  );
}

const PartSaved = ({ children }: { children: string }) => (
  <p role="status" tabIndex={-1}>
    {children}
  </p>
);

type Device = { id: string; name: string; seenAt: Date; isHere: boolean };

/** Where the customer is signed in, with a button for each other device and one for all. */
function Devices({ devices }: { devices: readonly Device[] }) {
  const heading = useRef<HTMLHeadingElement>(null);
  /** The device that is being signed out, or all; the answer is the page without it. */
  const leaving = useRef<Device | "all" | null>(null);

  useEffect(() => {
    const device = leaving.current;
    if (device === null || device === "all" || devices.some(({ id }) => id === device.id)) return;
    showToast(`Вышли на устройстве: ${device.name}`);
    heading.current?.focus(); // the pressed button went with its row
  }, [devices]);
  const isIdle = useNavigation().state === "idle";
  useEffect(() => {
    if (isIdle) leaving.current = null; // still set when the page is left, which signing out everywhere does
  }, [isIdle]);
  useEffect(
    () => () => {
      if (leaving.current !== "all") return;
      clearCheckout();
      showToast("Вы вышли на всех устройствах");
    },
    [],
  );

  return (
    <aside className="bill" aria-label="Устройства">
      <div className="lock">
        <h2 className="lock__head" ref={heading} tabIndex={-1}>
          Где вы вошли
        </h2>
      </div>
      <ul className="devices">
        {devices.map((device) => (
          <li key={device.id}>
            <span>
              {device.name}
              <small>{device.isHere ? "это устройство" : `были ${day(device.seenAt)}`}</small>
            </span>
            {device.isHere ? null : (
              <Form
                method="post"
                onSubmit={() => {
                  leaving.current = device;
                }}
              >
                <input type="hidden" name="device" value={device.id} />
                <button className="text-button" name="intent" value="leave" aria-label={`Выйти на устройстве: ${device.name}`}>
                  Выйти
                </button>
              </Form>
            )}
          </li>
        ))}
      </ul>
      <Form
        method="post"
        onSubmit={() => {
          leaving.current = "all";
        }}
      >
        <button className="button button--line button--wide" name="intent" value="leave-all">
          Выйти везде
        </button>
      </Form>
      <p className="bill__note">Закроем кабинет на всех устройствах, и на этом тоже.</p>
    </aside>
  );
}

type SavedPointProps = Pick<ComponentProps<typeof PointForm>, "address"> & {
  point: { address: string; isLocker: boolean } | null;
  city: typeof moscow;
  isBusy: boolean;
};

/** The point with which checkout begins: saved from the last order or chosen here; it can be deleted. */
function SavedPoint({ point, address, city, isBusy }: SavedPointProps) {
  const [isChoosing, setChoosing] = useState(false);
  const { revalidate } = useRevalidator();
  return (
    <section className="sheet-form" aria-labelledby="my-point">
      <h2 id="my-point">{point?.isLocker ? "Постамат" : "Пункт выдачи"}</h2>
      {point ? (
        <p>
          {city.name}, {point.address}
        </p>
      ) : (
        <p className="muted">Не выбран. Запомним тот, что выберете при заказе.</p>
      )}
      {isChoosing ? (
        <Suspense fallback={<p className="muted">Загружаем список…</p>}>
          <PointForm
            city={city}
            address={address}
            onSaved={() => {
              setChoosing(false);
              void revalidate();
            }}
          />
        </Suspense>
      ) : null}
      <div className="sheet-form__actions">
        {isChoosing ? (
          <button className="text-button" type="button" onClick={() => setChoosing(false)}>
            Не менять
          </button>
        ) : (
          <button className="button button--line" type="button" onClick={() => setChoosing(true)}>
            {point ? "Выбрать другой" : "Выбрать"}
          </button>
        )}
        {point && !isChoosing ? (
          <Form method="post">
            <button className="button button--line" name="intent" value="forget-point" disabled={isBusy}>
              Забыть
            </button>
          </Form>
        ) : null}
      </div>
    </section>
  );
}
