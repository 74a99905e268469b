import { Field } from "../ui/form/field.tsx";
import { showToast } from "../ui/toasts.tsx";
import { when } from "./words.ts";

export type InvitationLink = { link: string; expiresAt: string };

/** The link of an invitation or of a new sign-in, to be passed on by the person who requested it: the back office sends no mail. */
export function HandOverLink({ link: { link, expiresAt } }: { link: InvitationLink }) {
  return (
    <>
      <p>Передайте ссылку сотруднику. Она действует до {when(expiresAt)} и сработает один раз.</p>
      <Field label="Ссылка" readOnly value={link} onFocus={(event) => event.target.select()} />
      <div className="actions actions--after">
        <button
          className="button button--gold"
          type="button"
          onClick={() => void navigator.clipboard.writeText(link).then(() => showToast("Скопировано"))}
        >
          Скопировать ссылку
        </button>
      </div>
    </>
  );
}
