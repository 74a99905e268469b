import { useState } from "react";
import { Link } from "react-router";
import type * as z from "zod";
import type { openDealContacts, openIdentity } from "#contract/staff/buyback/buyback.ts";
import * as contract from "#contract/staff/calls.ts";
import { day } from "#kit/format.ts";
import { saveFile } from "../../client.ts";
import { dayText } from "../../money/words.ts";
import { useStaff } from "../../session.ts";
import { Icon } from "../../ui/icon.tsx";
import { Trouble } from "../../ui/marks.tsx";
import { Section } from "../../ui/page-head.tsx";
import { useSend } from "../../ui/send/use-send.ts";
import { takeLostFocus } from "../../ui/take-focus.ts";
import { showToast } from "../../ui/toasts.tsx";
import { identityLabels, type DealCard } from "../words.ts";

export type Contacts = Pick<z.output<(typeof openDealContacts)["answer"]>, "phone" | "email">;
type Identity = z.output<(typeof openIdentity)["answer"]>;

/**
 * The seller: contacts and identity document are hidden until they are opened, which the audit records. `onOpened` gets the contacts with
 * the deal as it is then: opening those of a free deal takes it.
 */
export function Seller({
  card,
  shown,
  onOpened,
  onReload,
}: {
  card: DealCard;
  shown: Contacts | null;
  onOpened: (contacts: Contacts, deal: DealCard) => void;
  onReload: () => Promise<void>;
}) {
  const { may, login } = useStaff();
  const contacts = useSend(contract.openDealContacts, { stores: "nothing" });
  const document = useSend(contract.openIdentity, { stores: "nothing" });
  const print = useSend(contract.printContract, { stores: "nothing" });
  const [identity, setIdentity] = useState<Identity | null>(null);
  const isDesk = may("buyback") !== null;
  const takes = isDesk && card.assignee === null;
  const isOpenToCaller = may("customers.open") !== null || (isDesk && card.assignee === login);
  const mayCall = isOpenToCaller || takes;
  /** The document needs the desk as well; a free deal is taken with its contacts first. */
  const mayRead = isDesk && isOpenToCaller;
  const show = async () => {
    const answer = await contacts.send({ params: { id: card.id }, body: { take: takes } });
    if (answer?.ok) {
      const { phone, email, deal } = answer.value;
      onOpened({ phone, email }, deal);
      if (deal.revision !== card.revision || deal.assignee !== card.assignee) await onReload();
    } else if (answer?.error) showToast(answer.error.message, { isTrouble: true });
  };
  const read = async () => {
    const answer = await document.send({ params: { id: card.id } });
    if (answer?.ok) setIdentity(answer.value);
    else if (answer?.error) {
      showToast(answer.error.message, { isTrouble: true });
      await onReload();
    }
  };
  const printPaper = async () => {
    const answer = await print.send({ params: { id: card.id } });
    if (answer?.ok) saveFile(answer.value);
    else if (answer?.error) showToast(answer.error.message, { isTrouble: true });
  };
  const isPrintable = card.identity !== null && (card.state === "checked" || card.state === "paid" || card.state === "shelved");
  const email = shown?.email ?? card.maskedEmail;
  return (
    <Section title="Продавец">
      <dl className="rows">
        <div>
          <dt>Имя</dt>
          <dd>{card.name}</dd>
        </div>
        <div>
          <dt>Телефон</dt>
          <dd className="number">
            {shown ? (
              <a href={`tel:${shown.phone}`} ref={takeLostFocus}>
                {shown.phone}
              </a>
            ) : (
              card.maskedPhone || "неизвестен"
            )}
          </dd>
        </div>
        {email ? (
          <div>
            <dt>Почта</dt>
            <dd>{shown?.email ? <a href={`mailto:${shown.email}`}>{shown.email}</a> : email}</dd>
          </div>
        ) : null}
        {card.requestId === null ? null : (
          <div>
            <dt>Откуда</dt>
            <dd>{may("requests") ? <Link to={`/requests/${card.requestId}`}>обращение {card.requestId}</Link> : "обращение"}</dd>
          </div>
        )}
        <div>
          <dt>Документ</dt>
          <dd>
            {card.identity ? (
              <>записан{card.identity.eraseAt === null ? "" : `, хранится до ${day(new Date(card.identity.eraseAt))}`}</>
            ) : card.state === "checked" ? (
              <Trouble>не записан</Trouble>
            ) : (
              <span className="muted">нет</span>
            )}
          </dd>
        </div>
        {identity ? <IdentityRows identity={identity} /> : null}
      </dl>
      <div className="actions actions--after">
        {mayCall && !shown ? (
          <button className="button button--small" type="button" disabled={contacts.isBusy} onClick={() => void show()}>
            <Icon name="eye" size="small" /> {takes ? "Взять и показать контакты" : "Показать контакты"}
          </button>
        ) : null}
        {mayRead && card.identity && !identity ? (
          <button className="button button--small" type="button" disabled={document.isBusy} onClick={() => void read()}>
            <Icon name="eye" size="small" /> Показать документ
          </button>
        ) : null}
        {mayRead && isPrintable ? (
          <button className="button button--small" type="button" disabled={print.isBusy} onClick={() => void printPaper()}>
            <Icon name="print" size="small" /> Договор и акт
          </button>
        ) : null}
      </div>
      <p className="hint">Кто и когда открыл контакты или документ, видно в журнале.</p>
    </Section>
  );
}

function IdentityRows({ identity }: { identity: Identity }) {
  const rows = [
    ["Фамилия, имя, отчество", [identity.lastName, identity.name, identity.secondName].filter(Boolean).join(" ")],
    ["Дата рождения", dayText(identity.birthDate)],
    [identityLabels[identity.kind], [identity.series, identity.number].filter(Boolean).join(" ")],
    ["Выдан", `${identity.issuedBy}, ${dayText(identity.issuedOn)}`],
    ["Адрес", identity.address],
  ] as const;
  return rows.map(([name, value], at) => (
    <div key={name}>
      <dt>{name}</dt>
      <dd {...(at === 0 ? { tabIndex: -1, ref: takeLostFocus } : {})}>{value}</dd>
    </div>
  ));
}
